import type { EntityInterface } from '../../define/schema/entity.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { DataError } from '../../std/data-error.ts';
import { sentenceOf } from '../../std/thrown.ts';

/** Creates the error for a function of the application that threw in a query. */
export function queryFailed(what: string, entity: string, error: unknown, pk?: string): DataError {
  if (error instanceof DataError) return error;
  const which = pk === undefined ? '' : ` for ${entity} ${pk}`;
  return new DataError('query-failed', `${what} of a query of ${entity} threw${which}: ${sentenceOf(error)}`, {
    entity,
    cause: error,
  });
}

/** Returns a function that calls `run`, and names the query and the record in its errors. Without `entity`, the class of the record. */
export function guarded<Run extends (one: never, other: never) => unknown>(
  what: string,
  entity: string | undefined,
  run: Run,
): Run {
  const call = run as unknown as (one: unknown, other: unknown) => unknown;
  const guard = (one: unknown, other: unknown): unknown => {
    try {
      return call(one, other);
    } catch (error) {
      const { key } = Object(one).constructor as EntityInterface;
      throw queryFailed(what, entity ?? key, error, hasPk(one) ? String(one.pk()) : undefined);
    }
  };
  return guard as unknown as Run;
}
