/** What a mutation does, by the record and the field that it is about. */
export type Kind = 'title' | 'done' | 'title of 2' | 'bulk' | 'search' | 'delete';
/** `lost`: the server did it, and its answer did not arrive. */
export type Outcome = 'answered' | 'refused' | 'lost';

/** What the answer says: the whole record, the fields of the body, or nothing but yes. */
export type Says = 'all' | 'part' | 'nothing';

export interface MutationPlan {
  readonly kind: Kind;
  readonly outcome: Outcome;
  readonly says: Says;
}

/** What the requests of a history are. */
export interface Plan {
  readonly mutations: readonly MutationPlan[];
  readonly hasGuess: boolean;
  readonly isShown: boolean;
}

const KINDS: readonly Kind[] = ['title', 'done', 'title of 2', 'bulk', 'search', 'delete'];
const OUTCOMES: readonly Outcome[] = ['answered', 'refused', 'lost'];

/** Every mutation. */
export const EACH: readonly MutationPlan[] = product(KINDS, OUTCOMES, ['all', 'part', 'nothing'] as const).map(
  ([kind, outcome, says]) => ({ kind, outcome, says }),
);

/** Every plan for so many mutations. */
export function plans(count: number): Plan[] {
  const lists = Array.from({ length: count }).reduce<MutationPlan[][]>(
    (before) => before.flatMap((list) => EACH.map((one) => [...list, one])),
    [[]],
  );
  return product(lists.filter(isNamed), [true, false], [true, false]).map(([mutations, hasGuess, isShown]) => ({
    mutations,
    hasGuess,
    isShown,
  }));
}

/**
 * Two plans are one where they differ in the names of the two fields. A bulk edit beside a deletion is left out: which
 * records it is about depends on what is on the screen.
 */
function isNamed(mutations: readonly MutationPlan[]): boolean {
  const kinds = mutations.map(({ kind }) => kind);
  if (kinds.includes('delete') && kinds.includes('bulk')) return false;
  const named = mutations.find(({ kind }) => kind === 'title' || kind === 'done');
  return named?.kind !== 'done' || mutations.some(({ kind }) => kind === 'bulk' || kind === 'title of 2');
}

function product<A, B, C>(first: readonly A[], second: readonly B[], third: readonly C[]): [A, B, C][] {
  return first.flatMap((a) => second.flatMap((b) => third.map((c): [A, B, C] => [a, b, c])));
}
