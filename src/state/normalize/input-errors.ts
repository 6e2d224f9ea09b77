import { describePk } from '../../define/schema/pk.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { MAX_DEPTH, TooDeep } from '../../std/plain.ts';
import type { Plan } from '../tables/plan.ts';
import { sentenceOf } from '../../std/thrown.ts';

/** Returns the error of a write as a DataError with the path in the input. */
export function withInputPath(error: unknown, hookName: string, path: string): DataError {
  const found = hookFailed(error, hookName);
  // The input is wrong, as in a request that a server refuses with 400.
  found.status ??= 400;
  return found.at(path);
}

/** Returns what code of the application threw as a DataError. `hookName` is the name of that code. */
export function hookFailed(error: unknown, hookName: string): DataError {
  if (error instanceof DataError) return error;
  if (error instanceof TooDeep) return tooDeep(undefined, undefined);
  const what = hookName === '' ? 'A schema' : hookName;
  return new DataError('hook-failed', `${what} threw: ${sentenceOf(error)}`, {
    entity: hookName === '' ? undefined : hookName.split('.')[0],
    cause: error,
  });
}

/** Creates the error for plain data that is nested too deep. */
export function tooDeep(entity: string | undefined, field: string | undefined): DataError {
  return new DataError('too-deep', `Plain data is nested deeper than ${MAX_DEPTH} levels.`, {
    entity,
    path: field,
    cure: inDevelopment(() => 'Flatten it, or give the records in it a schema.'),
  });
}

/** Creates the error for a value in place of a record that is not a reference. */
export function refInvalid(entity: string, value: unknown): DataError {
  return new DataError(
    'ref-invalid',
    `A record of ${entity} or its pk was expected, but the response has ${describePk(value)}.`,
    { entity, cure: inDevelopment(() => 'A pk is a string or an exact number.') },
  );
}

/** Returns the name of a list with these items, for errors. */
export function listName(item: Plan): string | undefined {
  return item.kind === 'entity' ? `[${item.entity.key}]` : undefined;
}
