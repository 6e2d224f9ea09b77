import { describePk } from '../../define/schema/pk.ts';
import { DataError } from '../../std/data-error.ts';
import { DEEPEST, TooDeep } from '../../std/plain.ts';
import type { Plan } from '../tables/plan.ts';
import { messageOf } from '../../std/thrown.ts';

/** What went wrong while an input was filed away, as one of our errors that says where. */
export function placed(error: unknown, running: string, path: string): DataError {
  const found = hookFailed(error, running);
  // It is the input that is wrong, as in a request that a server refuses with 400.
  found.status ??= 400;
  return found.at(path);
}

/** What code of the application threw, `running` being its name; an error of ours as it is. */
export function hookFailed(error: unknown, running: string): DataError {
  if (error instanceof DataError) return error;
  if (error instanceof TooDeep) return tooDeep(undefined, undefined);
  const what = running === '' ? 'A schema' : running;
  return new DataError('hook-failed', `${what} threw: ${messageOf(error)}.`, {
    entity: running === '' ? undefined : running.split('.')[0],
    cause: error,
  });
}

/** The error for plain data that is nested too deep to be kept. */
export function tooDeep(entity: string | undefined, field: string | undefined): DataError {
  return new DataError(
    'too-deep',
    `Plain data is nested deeper than ${DEEPEST} levels. Flatten it, or give the records in it a schema.`,
    { entity, path: field },
  );
}

/** The error for something in the place of a record that refers to none. */
export function refInvalid(entity: string, value: unknown): DataError {
  return new DataError(
    'ref-invalid',
    `Where a record of ${entity} or its pk was expected, there is ${describePk(value)}. A pk is a string, or a number that ` +
      'JavaScript holds exactly.',
    { entity },
  );
}

/** What a list of these is called. */
export function nameOf(item: Plan): string | undefined {
  return item.kind === 'entity' ? `[${item.entity.key}]` : undefined;
}
