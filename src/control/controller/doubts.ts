import { Showing } from '../../state/store/showing.ts';
import type { Store } from '../../state/store/store.ts';
import type { ShownRequest } from '../view/responses.ts';

/** The requests that become stale because they show records in doubt. */
export interface Doubts {
  /** The request keys. */
  readonly stale: ReadonlySet<string>;
  /** The requests among them that are on the screen. */
  readonly shown: readonly ShownRequest[];
  /** The keys of observed requests without a result: their views show rows alone, so there is no result to make stale. */
  readonly ofRows: readonly string[];
}

/** A record in doubt, or all rows of a table, such as all collections that a record may have been added to. */
export type Doubted = readonly [table: string, pk?: string];

/**
 * Returns the requests that show rows in doubt, and makes these rows stale. Of the requests on the screen, only those count that show a record
 * most directly: a list of the records rather than a page that shows one of them inside another record.
 */
export function doubtsOf(store: Store, doubted: readonly Doubted[], onScreen: readonly ShownRequest[]): Doubts {
  const showing = new Showing(store.writer.core, doubted);
  showing.expire();
  const others = new Set(Array.from(store.results(), ([key]) => key));
  for (const { key } of onScreen) others.delete(key);
  const nearest = showing.nearest(onScreen.map(({ key }) => key));
  const stale = [...others].filter((key) => showing.distance(key) !== undefined);
  const ofRows = [...showing.observed()].filter((key) => store.result(key) === undefined);
  return { stale: new Set([...stale, ...nearest]), shown: onScreen.filter(({ key }) => nearest.has(key)), ofRows };
}

/** Notifies the observers of these requests, in every controller, that their data is stale. */
export function notifyStale(store: Store, keys: readonly string[]): void {
  store.batch(() => keys.forEach((key) => store.touch(key)));
}
