import { Entity, type EntityInterface } from '../../define/schema/entity.ts';
import type { Row } from '../../define/schema/row.ts';

/**
 * How well a row from another request answers a request. `none`: it does not. `part`: it is shown and also fetched, because it lacks fields of
 * its class, or parameters of the path. `whole`: no request is needed.
 */
export type Fit = 'none' | 'part' | 'whole';

/** Returns how well a row of an entity answers a request with these arguments. `pkOf` returns the pk of the server for a temporary one. */
export function fitOf(
  entity: EntityInterface,
  row: Row,
  args: readonly unknown[],
  { needs = entity.needs ?? [], path }: { readonly needs?: readonly string[] | undefined; readonly path?: unknown },
  pkOf: (pk: string) => string,
): Fit {
  const isThere = (field: string): boolean => Object.hasOwn(row, field);
  const named = fitOfArgs(entity, row, args, String(path), pkOf);
  if (named === 'none' || !needs.every(isThere)) return 'none';
  const defaults = entity.defaults as Readonly<Record<string, unknown>>;
  for (const field of Object.keys(defaults)) if (defaults[field] !== undefined && !isThere(field)) return 'part';
  return named;
}

/**
 * `whole` if the arguments only identify the record. Other arguments, such as which relations to include, change the answer in ways that a
 * row cannot show. A parameter of the path that is not a field of the record, such as the project of a task, may not fit
 * the record: `part`.
 */
function fitOfArgs(
  entity: EntityInterface,
  row: Row,
  [arg, ...others]: readonly unknown[],
  path: string,
  pkOf: (pk: string) => string,
): Fit {
  if (others.some((other) => other !== undefined)) return 'none';
  // A class with a `queryKey` of its own knows what its arguments mean.
  if (typeof arg !== 'object' || arg === null || entity.queryKey !== Entity.queryKey) return 'whole';
  const fields = row as Readonly<Record<string, unknown>>;
  let fit: Fit = 'whole';
  for (const [name, value] of Object.entries(arg)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(row, name)) {
      if (!path.split(/[^\w:]/).includes(`:${name}`)) return 'none';
      fit = 'part';
    } else if (typeof value === 'object' || String(fields[name]) !== pkOf(String(value))) return 'none'; // URLs have strings for numbers.
  }
  return fit;
}
