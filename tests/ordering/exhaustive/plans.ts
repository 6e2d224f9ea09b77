/**
 * What a mutation changes: a field of record 1 or of record 2, a field of record 1 that is nested in its body, a field of the board that contains
 * record 1, both records, nothing (a search by POST), or it deletes record 1.
 */
export type Kind = 'title' | 'done' | 'title of 2' | 'nested' | 'title of board' | 'bulk' | 'search' | 'delete';
/** `lost`: the server made the change, but its answer did not arrive. */
export type Outcome = 'answered' | 'refused' | 'lost';

/** What the answer contains: the whole record, the fields of the body, or nothing. */
export type Content = 'all' | 'part' | 'nothing';

export interface MutationPlan {
  readonly kind: Kind;
  readonly outcome: Outcome;
  readonly content: Content;
}

/** What the mutations of a history do, and how the application shows the records. */
export interface Plan {
  readonly mutations: readonly MutationPlan[];
  /** Whether mutations have optimistic updates. */
  readonly hasGuess: boolean;
  /** Whether a list and a record are watched. */
  readonly isShown: boolean;
}

const KINDS: readonly Kind[] = ['title', 'done', 'title of 2', 'nested', 'title of board', 'bulk', 'search', 'delete'];
const OUTCOMES: readonly Outcome[] = ['answered', 'refused', 'lost'];

/** All plans for one mutation. */
export const EACH: readonly MutationPlan[] = product(KINDS, OUTCOMES, ['all', 'part', 'nothing'] as const).map(
  ([kind, outcome, content]) => ({ kind, outcome, content }),
);

/** Returns all plans for this number of mutations. */
export function plans(count: number): Plan[] {
  const lists = Array.from({ length: count }).reduce<MutationPlan[][]>(
    (before) => before.flatMap((list) => EACH.map((one) => [...list, one])),
    [[]],
  );
  return product(lists.filter(isTested), [true, false], [true, false]).map(([mutations, hasGuess, isShown]) => ({
    mutations,
    hasGuess,
    isShown,
  }));
}

/**
 * Returns whether a plan is tested. Of two plans that differ only in the names of the two fields, one is tested. A bulk edit together with a
 * deletion is not tested, because its records would depend on the screen.
 */
function isTested(mutations: readonly MutationPlan[]): boolean {
  const kinds = mutations.map(({ kind }) => kind);
  if (kinds.includes('delete') && kinds.includes('bulk')) return false;
  const named = mutations.find(({ kind }) => kind === 'title' || kind === 'done');
  return named?.kind !== 'done' || mutations.some(({ kind }) => ['bulk', 'title of 2', 'nested'].includes(kind));
}

function product<A, B, C>(first: readonly A[], second: readonly B[], third: readonly C[]): [A, B, C][] {
  return first.flatMap((a) => second.flatMap((b) => third.map((c): [A, B, C] => [a, b, c])));
}
