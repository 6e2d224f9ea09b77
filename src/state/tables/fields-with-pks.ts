import { memo } from '../../std/memo.ts';
import type { Space } from './space.ts';

/** A relation, as far as it tells which field of which class has the pk of a record. */
interface RelationByField {
  /** Of a relation to one record: the field, and the class that it leads to. */
  readonly by?: string;
  readonly targets?: ReadonlyMap<unknown, { readonly source: () => unknown }>;
  /** Of a relation to many: their class, and the field that refers to the owner. */
  readonly description?: { readonly source: () => unknown; readonly path?: { readonly ownedBy?: string | undefined } };
}

/** Returns the fields that have pks of the records of a table although no record is nested in them, because a relation finds records by them. */
export function fieldsWithPks(space: Space, table: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const isOf = (source: () => unknown): boolean => keyOf(source) === table;
  for (const one of space.tables.values()) {
    if (!one.hasReader || one.collection !== undefined) continue;
    const entity = space.entityOf(one);
    for (const relation of [...Object.values(entity), ...Object.values(entity.schema)]) {
      const { by, description, targets } = Object(relation) as RelationByField;
      const [target, ...others] = targets?.values() ?? [];
      if (by !== undefined && target !== undefined && others.length === 0 && isOf(target.source))
        memo(found, one.name, () => []).push(by);
      const field = description?.path?.ownedBy;
      const source = description?.source;
      if (one.name === table && field !== undefined && source !== undefined)
        memo(found, String(keyOf(source)), () => []).push(field);
    }
  }
  return found;
}

function keyOf(source: () => unknown): unknown {
  try {
    return (Object(source()) as { readonly key?: unknown }).key;
  } catch {
    // The class is declared later, so no record of it has been read.
    return undefined;
  }
}
