import { isEqual } from './equality.ts';
import type { Fields, Shape } from './shape.ts';

/** The row of a collection: a list of refs, or refs by name. */
export type Members = readonly unknown[] | Fields;

export type Edit = 'push' | 'unshift' | 'assign' | 'remove';

function isList(members: Members): members is readonly unknown[] {
  return Array.isArray(members);
}

/** Returns the members after an edit. A member that is already in a list keeps its place. */
export function edited(members: Members, edit: Edit, incoming: Members): Members {
  const theirs = Object.values(incoming);
  if (edit === 'remove') return without(members, (member) => theirs.some((one) => isEqual(one, member)));
  if (!isList(members)) return Object.assign({}, members, incoming);
  const fresh: unknown[] = [];
  for (const one of theirs) if (![...members, ...fresh].some((known) => isEqual(known, one))) fresh.push(one);
  return edit === 'unshift' ? [...fresh, ...members] : [...members, ...fresh];
}

export function without(members: Members, isGone: (member: unknown) => boolean): Members {
  if (isList(members)) return members.filter((member) => !isGone(member));
  return Object.fromEntries(Object.entries(members).filter(([, member]) => !isGone(member)));
}

/** Returns whether a ref of this shape leads to the record. */
export function leadsTo(shape: Shape, ref: unknown, table: string, pk: string): boolean {
  if (shape.kind === 'entity') return shape.table === table && ref === pk;
  if (shape.kind !== 'union' || typeof ref !== 'object' || ref === null) return false;
  const { id, schema } = ref as { id: string; schema: string };
  return shape.tables[schema] === table && id === pk;
}
