import type { EndpointExtraOptions } from '../../define/endpoint/options.ts';
import { entitiesIn } from '../../define/schema/bare-answer.ts';
import { listsIn } from '../../state/store/lists-of-table.ts';
import type { Store } from '../../state/store/store.ts';
import type { Doubted } from './doubts.ts';
import { collectionTableOf, recordName, tableAndPkOf } from './mutated-record.ts';
import type { Overlaps } from './overlaps.ts';
import type { Mutation, RequestInFlight } from './request-in-flight.ts';

/** An endpoint whose answers a mutation changes, so that they are fetched again. */
type Refetched = NonNullable<EndpointExtraOptions['refetches']>[number];

/** The data to fetch again once no mutation of the store is pending any more. */
export interface DataToRefetch {
  /** The rows whose present content only the server knows. */
  readonly doubted: readonly Doubted[];
  /** Whether the mutations changed the answer of a request key. */
  readonly refetched: ((key: string) => boolean) | undefined;
  /** The request that ended last. */
  readonly last: RequestInFlight;
}

/** Gathers the data to fetch again while mutations are pending. */
export class PendingRefetches {
  readonly #store: Store;
  readonly #overlaps: Overlaps;
  readonly #namesOf: (mutation: Mutation) => ReadonlySet<string>;
  /** The lists and records in doubt, beside those of `Overlaps`. */
  readonly #rows = new Map<string, Doubted>();
  readonly #endpoints = new Set<Refetched>();
  /** Mutations of which it is not known what the server did: they failed without a refusal, or their answer named no record or may be an old one. */
  readonly unknownOutcomes: Set<RequestInFlight> = new Set();

  /** `namesOf` returns the present names of the records that a mutation is known to change. */
  constructor(store: Store, overlaps: Overlaps, namesOf: (mutation: Mutation) => ReadonlySet<string>) {
    this.#store = store;
    this.#overlaps = overlaps;
    this.#namesOf = namesOf;
  }

  /** Puts a list or a record in doubt. */
  doubt(table: string, pk: string): void {
    this.#rows.set(recordName(table, pk), [table, pk]);
  }

  /** Notes endpoints that have to be fetched again after a mutation. */
  addEndpoints(endpoints: Iterable<Refetched>): void {
    for (const endpoint of endpoints) this.#endpoints.add(endpoint);
  }

  /** Returns the data to fetch again, and forgets it. Call it when no mutation is pending any more. */
  take(last: RequestInFlight): DataToRefetch {
    for (const table of this.#overlaps.takeUncertain())
      for (const list of listsIn(this.#store.writer, table)) this.doubt(...list);
    const touched = Array.from(this.unknownOutcomes, (request) => [...this.#touchedBy(request)]).flat();
    const doubted = [...this.#overlaps.take(), ...this.#rows.values(), ...touched];
    const endpoints = [...this.#endpoints];
    this.clear();
    const refetched = (key: string): boolean => endpoints.some((endpoint) => endpoint.testKey(key));
    return { doubted, refetched: endpoints.length > 0 ? refetched : undefined, last };
  }

  /** Returns the data that a mutation may have changed although it was not answered: its records, and the lists that can contain such records. */
  *#touchedBy({ call: { endpoint }, mutation }: RequestInFlight): Generator<Doubted> {
    if (mutation !== undefined) for (const name of this.#namesOf(mutation)) yield tableAndPkOf(name);
    const collections = collectionTableOf(endpoint.schema);
    if (collections !== undefined) yield [collections];
    for (const { key } of entitiesIn(endpoint.schema)) yield* listsIn(this.#store.writer, key);
  }

  clear(): void {
    this.#rows.clear();
    this.#endpoints.clear();
    this.unknownOutcomes.clear();
  }
}
