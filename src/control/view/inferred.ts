import { Entity, type EntityInterface } from '../../define/schema/entity.ts';
import type { Row } from '../../define/schema/schema.ts';

/**
 * How far a row answers a request that it was not sent for. `none`: not at all. `part`: it lacks fields that its class has, so it is
 * shown, and asked for.
 */
export type Fit = 'none' | 'part' | 'whole';

export function fitOf(
  entity: EntityInterface,
  row: Row,
  args: readonly unknown[],
  needs: readonly string[] = entity.needs ?? [],
): Fit {
  const isThere = (field: string): boolean => Object.hasOwn(row, field);
  if (!isNamed(entity, row, args) || !needs.every(isThere)) return 'none';
  const defaults = Object.entries(entity.defaults as object);
  return defaults.every(([field, value]) => value === undefined || isThere(field)) ? 'whole' : 'part';
}

/** Whether arguments say nothing but which record is meant: whatever else they ask for, such as what to include, a row cannot tell. */
function isNamed(entity: EntityInterface, row: Row, [asked, ...others]: readonly unknown[]): boolean {
  if (others.some((other) => other !== undefined)) return false;
  // A class that finds its records by itself knows what its arguments mean.
  if (typeof asked !== 'object' || asked === null || entity.queryKey !== Entity.queryKey) return true;
  const fields = row as Readonly<Record<string, unknown>>;
  // Arguments come as text as often as they come as numbers.
  return Object.entries(asked).every(
    ([name, value]) =>
      value === undefined ||
      (Object.hasOwn(row, name) && typeof value !== 'object' && String(fields[name]) === String(value)),
  );
}
