import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { ArgsOrNull, NullableValueOf } from '../../define/endpoint/infer-value.ts';
import type { ReadableEndpoint, SnapshotInterface, StoredRows, UnknownError } from '../../define/endpoint/options.ts';
import type { Denormalize, Queryable, SchemaArgs } from '../../define/schema/infer-schema.ts';
import type { SnapshotReader } from '../../state/store/snapshot.ts';
import { type RequestReading, requestRead, type Responses, type StoredResponse, publicResponse } from './responses.ts';

// One object for all snapshots: its stack does not matter, and recording a stack takes longer than making a guess.
const NO_GUESS: Error = /* #__PURE__ */ new Error('No guess.');

/** The state that `getOptimisticResponse` can read: the rows below its own guess, and the stored responses. */
export class Snapshot implements SnapshotInterface {
  readonly fetchedAt: number;
  /** Throw this in `getOptimisticResponse` to make no guess. */
  readonly abort: Error = NO_GUESS;
  readonly #reader: SnapshotReader;
  readonly #responses: Responses;

  constructor(reader: SnapshotReader, responses: Responses, fetchedAt: number) {
    this.#reader = reader;
    this.#responses = responses;
    this.fetchedAt = fetchedAt;
  }

  get store(): StoredRows {
    return this.#reader;
  }

  /** Returns the same state, for a request sent at another time. */
  asOf(fetchedAt: number): Snapshot {
    return new Snapshot(this.#reader, this.#responses, fetchedAt);
  }

  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined {
    return this.#reader.get(schema, ...args);
  }

  /** As `get`, wrapped in an object. */
  getQueryMeta<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): { readonly data: Denormalize<S> | undefined } {
    return { data: this.get(schema, ...args) };
  }

  /** Returns the stored answer of a request, and whether it is still fresh. */
  getResponse<E extends ReadableEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): StoredResponse<NullableValueOf<E>> {
    return publicResponse(endpoint, this.#reading(endpoint, args)) as StoredResponse<NullableValueOf<E>>;
  }

  getResponseMeta<E extends ReadableEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): StoredResponse<NullableValueOf<E>> {
    return this.getResponse(endpoint, ...args);
  }

  getError<E extends ReadableEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): UnknownError | undefined {
    return this.#reading(endpoint, args)?.failure?.error as UnknownError | undefined;
  }

  #reading(endpoint: ReadableEndpoint, args: readonly unknown[]): RequestReading | undefined {
    if (args[0] === null) return undefined;
    const described = endpoint as EndpointInterface;
    const read = requestRead(described, args, described.key(...args));
    return this.#responses.reading(described, args, this.#reader.request(read), read);
  }
}
