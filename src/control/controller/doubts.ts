import { Showing } from '../../state/store/showing.ts';
import type { Store } from '../../state/store/store.ts';
import type { ShownRequest } from '../view/responses.ts';
import { DataError } from '../../std/data-error.ts';
import { thrown } from '../../std/thrown.ts';

/** The requests that are stale because they show records in doubt. */
export interface Doubts {
  /** The request keys. */
  readonly stale: ReadonlySet<string>;
  /** The requests among them that are shown. */
  readonly shown: readonly ShownRequest[];
  /** The keys of observed requests without a result of their own: they show rows only, so there is no result to make stale. */
  readonly ofRows: readonly string[];
}

/** A record in doubt, or all rows of a table, such as all collections that a record may have been added to. */
export type Doubted = readonly [table: string, pk?: string];

/**
 * Finds the requests that show rows in doubt. Of the requests on the screen, only those count that show a record most
 * directly: a list of the records rather than a page that shows one of them inside another record.
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

/**
 * Whether the server refused a mutation, so that it changed nothing. After any other failure the server may have carried it out. It
 * did so if an answer came that cannot be parsed or stored. Answers such as 404 are not refusals: they say that the server has no such record.
 */
export function isRefusal(error: unknown): boolean {
  const { response, status } = thrown(error);
  const { ok } = Object(response) as { readonly ok?: unknown };
  // The client rejected the answer, not the server.
  const isAnswer = ok === true || (ok === undefined && error instanceof DataError && status === 400);
  return !isAnswer && typeof status === 'number' && status >= 400 && status < 500 && !NO_REFUSALS.has(status);
}

/** Not Found, Request Timeout, Gone. */
const NO_REFUSALS: ReadonlySet<number> = new Set([404, 408, 410]);
