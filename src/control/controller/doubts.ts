import { Showing } from '../../state/store/showing.ts';
import type { Store } from '../../state/store/store.ts';
import type { ShownRequest } from '../view/responses.ts';
import { DataError } from '../../std/data-error.ts';
import { thrown } from '../../std/thrown.ts';

/** What is stale because records are in doubt. */
export interface Doubts {
  /** The request keys. */
  readonly stale: ReadonlySet<string>;
  /** The requests among them that are shown. */
  readonly shown: readonly ShownRequest[];
  /** The keys of observed requests without a result that could be stale: they show rows alone. */
  readonly ofRows: readonly string[];
}

/** A record, or all rows of a table, such as the collections that a record may have been added to. */
export type Doubted = readonly [table: string, pk?: string];

/**
 * Finds the requests that show rows which are in doubt. Of those on the screen only the ones count, for each record, that show it most
 * directly: a list of records rather than the page that shows one of them inside another.
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

/** Tells the observers of these requests, of whichever controller, that what they show is stale. */
export function tell(store: Store, keys: readonly string[]): void {
  store.batch(() => keys.forEach((key) => store.touch(key)));
}

/**
 * Whether the server refused a mutation, which then changed nothing of what is known. After any other failure it may have been carried out; it
 * has been where an answer came that cannot be read, or filed. What is not there any more, is known wrongly.
 */
export function isRefusal(error: unknown): boolean {
  const { response, status } = thrown(error);
  const { ok } = Object(response) as { readonly ok?: unknown };
  // An answer that was judged here, and not by the server.
  const isAnswer = ok === true || (ok === undefined && error instanceof DataError && status === 400);
  return !isAnswer && typeof status === 'number' && status >= 400 && status < 500 && !NO_REFUSALS.has(status);
}

/** Nothing was found, it took too long, or it is gone. */
const NO_REFUSALS: ReadonlySet<number> = new Set([404, 408, 410]);
