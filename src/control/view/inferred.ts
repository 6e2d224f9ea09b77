import { Entity, type EntityInterface } from '../../define/schema/entity.ts';
import type { Row } from '../../define/schema/schema.ts';

/**
 * How well a row from another request answers a request. `none`: it does not. `part`: it lacks fields of its class, so it is
 * shown and fetched. `whole`: it has all fields.
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

/** Whether the arguments only identify the record. Other arguments, such as which relations to include, change the answer in ways that a row cannot show. */
function isNamed(entity: EntityInterface, row: Row, [asked, ...others]: readonly unknown[]): boolean {
  if (others.some((other) => other !== undefined)) return false;
  // A class with a `queryKey` of its own knows what its arguments mean.
  if (typeof asked !== 'object' || asked === null || entity.queryKey !== Entity.queryKey) return true;
  const fields = row as Readonly<Record<string, unknown>>;
  // Arguments from URLs are strings where the row has numbers.
  return Object.entries(asked).every(
    ([name, value]) =>
      value === undefined ||
      (Object.hasOwn(row, name) && typeof value !== 'object' && String(fields[name]) === String(value)),
  );
}
