import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import type { SnapshotInterface, UnknownError } from '../../define/endpoint/options.ts';
import type { Loose, Queryable } from '../../define/schema/infer.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { SnapshotReader } from '../../state/store/snapshot.ts';
import type { Responses, StoredResponse } from './responses.ts';

// One for all: where it is made does not matter, and a stack takes longer to note than a guess to make.
const NO_GUESS: Error = /* #__PURE__ */ new Error('No guess.');

/** What `getOptimisticResponse` can read: the rows below its own guess, and the results as they are. */
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
    const { expiryStatus, expiresAt } = this.#responses.read(endpoint, args);
    const result = this.#responses.store.result(endpoint.key(...args));
    const data =
      result === undefined
        ? endpoint.schema && this.get(endpoint.schema, ...args)
        : this.#reader.read(result.schema, result.stored, result.args);
    return { data: data === INVALID ? undefined : data, expiryStatus, expiresAt };
  }

  getError(endpoint: EndpointInterface, ...args: readonly Loose[]): UnknownError | undefined {
    return this.#responses.read(endpoint, args).failure?.error as UnknownError | undefined;
  }
}
