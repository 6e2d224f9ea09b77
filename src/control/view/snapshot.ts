import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import type { SnapshotInterface, UnknownError } from '../../define/endpoint/options.ts';
import type { Loose, Queryable } from '../../define/schema/infer.ts';
import type { SnapshotReader } from '../../state/store/snapshot.ts';
import { type Reading, requestRead, type Responses, type StoredResponse } from './responses.ts';

// One for all: where it is made does not matter, and a stack takes longer to note than a guess to make.
const NO_GUESS: Error = /* #__PURE__ */ new Error('No guess.');

/** What `getOptimisticResponse` can read: the rows below its own guess, and what is known of requests. */
export class Snapshot implements SnapshotInterface {
  readonly fetchedAt: number;
  /** Throw this to make no guess. */
  readonly abort: Error = NO_GUESS;
  readonly #reader: SnapshotReader;
  readonly #responses: Responses;

  constructor(reader: SnapshotReader, responses: Responses, fetchedAt: number) {
    this.#reader = reader;
    this.#responses = responses;
    this.fetchedAt = fetchedAt;
  }

  /** The same state, for a request of another time. */
  asOf(fetchedAt: number): Snapshot {
    return new Snapshot(this.#reader, this.#responses, fetchedAt);
  }

  get(schema: Queryable, ...args: readonly Loose[]): Loose {
    return this.#reader.get(schema, ...(args as Loose));
  }

  /** As `get`, in an object. */
  getQueryMeta(schema: Queryable, ...args: readonly Loose[]): { readonly data: Loose } {
    return { data: this.get(schema, ...args) };
  }

  getResponse(endpoint: EndpointInterface, ...args: readonly Loose[]): Loose {
    return this.getResponseMeta(endpoint, ...args).data;
  }

  getResponseMeta(endpoint: EndpointInterface, ...args: readonly Loose[]): StoredResponse<Loose> {
    const { data, expiryStatus, expiresAt } = this.#reading(endpoint, args);
    return { data, expiryStatus, expiresAt };
  }

  getError(endpoint: EndpointInterface, ...args: readonly Loose[]): UnknownError | undefined {
    return this.#reading(endpoint, args).failure?.error as UnknownError | undefined;
  }

  #reading(endpoint: EndpointInterface, args: readonly unknown[]): Reading {
    const found = this.#reader.request(requestRead(endpoint, args, endpoint.key(...args)));
    return this.#responses.reading(endpoint, args, found);
  }
}
