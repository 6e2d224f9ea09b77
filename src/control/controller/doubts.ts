import type { Store } from '../../state/store/store.ts';
import type { ShownRequest } from '../view/responses.ts';
import { DataError } from '../../std/data-error.ts';

/** What is stale because records are in doubt. */
export interface Doubts {
  /** The request keys. */
  readonly stale: ReadonlySet<string>;
  /** The requests among them that are shown. */
  readonly shown: readonly ShownRequest[];
  /** The keys of those that somebody observes, and that have no result that could be stale: they show rows alone. */
  readonly ofRows: readonly string[];
}

/**
 * Finds the requests that show rows which are in doubt. Of those on the screen only the ones count that show the rows of
 * a group most directly: a list of records rather than the page that shows one of them inside another.
 */
export function doubtsOf(
  store: Store,
  groups: readonly (readonly (readonly [table: string, pk?: string])[])[],
  onScreen: readonly ShownRequest[],
): Doubts {
  const all = store.showing(groups.flat());
  all.expire();
  const others = new Set(Array.from(store.results(), ([key]) => key));
  for (const { key } of onScreen) others.delete(key);
  const stale = [...others].filter((key) => all.distance(key) !== undefined);
  const shown = groups.flatMap((group) => nearest(groups.length === 1 ? all : store.showing(group), onScreen));
  const ofRows = [...all.observed()].filter((key) => store.result(key) === undefined);
  return { stale: new Set([...stale, ...shown.map(({ key }) => key)]), shown, ofRows };
}

function nearest(showing: ReturnType<Store['showing']>, onScreen: readonly ShownRequest[]): readonly ShownRequest[] {
  const distances = onScreen.map(({ key }) => showing.distance(key) ?? Number.POSITIVE_INFINITY);
  const least = Math.min(...distances);
  return onScreen.filter((_request, at) => distances[at] === least && least < Number.POSITIVE_INFINITY);
}

/** Tells those who observe these requests, whichever controller they have, that what they show is stale. */
export function tell(store: Store, keys: readonly string[]): void {
  store.batch(() => keys.forEach((key) => store.touch(key)));
}

/**
 * Whether the server refused a mutation, which then changed nothing of what is known. After any other failure it may have been carried out; it
 * has been where an answer came that cannot be read, or filed. What is not there any more, is known wrongly.
 */
export function isRefusal(error: unknown): boolean {
  const { response, status } = Object(error) as { readonly response?: unknown; readonly status?: unknown };
  const { ok } = Object(response) as { readonly ok?: unknown };
  // An answer that was judged here, and not by the server.
  const isAnswer = ok === true || (ok === undefined && error instanceof DataError && status === 400);
  return !isAnswer && typeof status === 'number' && status >= 400 && status < 500 && !NO_REFUSALS.has(status);
}

/** Nothing was found, it took too long, or it is gone. */
const NO_REFUSALS: ReadonlySet<number> = new Set([404, 408, 410]);
