import { DataError } from '../../std/data-error.ts';

/** The error for code of the application that a query was given, and that threw. */
export function queryFailed(what: string, entity: string, error: unknown, pk?: string): DataError {
  if (error instanceof DataError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const which = pk === undefined ? '' : ` for ${entity} ${pk}`;
  return new DataError('query-failed', `${what} of a query of ${entity} threw${which}: ${said}.`, {
    entity,
    cause: error,
  });
}

/** A function of the application whose errors say where they come from. */
export function guarded<Args extends unknown[], Value>(
  what: string,
  entity: string,
  run: (...args: Args) => Value,
): (...args: Args) => Value {
  return (...args) => {
    try {
      return run(...args);
    } catch (error) {
      throw queryFailed(what, entity, error);
    }
  };
}
