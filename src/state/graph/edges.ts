/**
 * The cells that are built from one cell. Most cells have one parent, some have a few, and a shared record has thousands. Each form is the
 * smallest one that is fast at its size. A parent that uses a part twice has one edge.
 */
export type Parents<C extends object> = undefined | C | C[] | Set<C>;

/** With more parents than this, a set is faster than an array. */
const MAX_PARENTS_IN_ARRAY = 16;

export function withParent<C extends object>(parents: Parents<C>, parent: C): Parents<C> {
  if (parents === undefined || parents === parent) return parent;
  if (parents instanceof Set) return parents.add(parent);
  if (!Array.isArray(parents)) return [parents, parent];
  if (parents.includes(parent)) return parents;
  if (parents.length === MAX_PARENTS_IN_ARRAY) return new Set(parents).add(parent);
  parents.push(parent);
  return parents;
}

export function withoutParent<C extends object>(parents: Parents<C>, parent: C): Parents<C> {
  if (parents === parent) return undefined;
  if (parents instanceof Set) {
    parents.delete(parent);
    return parents.size === 0 ? undefined : parents;
  }
  if (!Array.isArray(parents)) return parents;
  const at = parents.indexOf(parent);
  if (at < 0) return parents;
  if (parents.length === 1) return undefined;
  parents[at] = parents[parents.length - 1] as C;
  parents.pop();
  return parents;
}

export function isParent<C extends object>(parents: Parents<C>, parent: C): boolean {
  if (parents instanceof Set) return parents.has(parent);
  return Array.isArray(parents) ? parents.includes(parent) : parents === parent;
}

const NONE: readonly never[] = [];

export function parentsOf<C extends object>(parents: Parents<C>): Iterable<C> {
  if (parents === undefined) return NONE;
  return parents instanceof Set || Array.isArray(parents) ? parents : [parents];
}
