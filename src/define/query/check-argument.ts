import { DataError } from '../../std/data-error.ts';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * Throws if a method of queries cannot take an argument, in development only: a production bundle contains neither `takes` nor this
 * function. `takes` checks the argument, and returns what the method takes instead.
 */
export function checkArgument(method: string, given: unknown, takes: () => string | false): void {
  try {
    // Bundlers replace the expression by its value.
    if (process.env.NODE_ENV !== 'production') {
      const expected = takes();
      if (expected !== false)
        throw new DataError('query-invalid', `${method} of a query was given ${textOf(given)}. Pass ${expected}.`);
    }
  } catch (error) {
    // A page that was not bundled has no `process`.
    if (error instanceof DataError) throw error;
  }
}

/** Checks the name of a field, or a function. */
export function checkField(method: string, by: unknown): void {
  checkArgument(
    method,
    by,
    () => typeof by !== 'string' && typeof by !== 'function' && 'the name of a field, or a function',
  );
}

function textOf(given: unknown): string {
  if (typeof given === 'function') return given.name || 'a function';
  if (typeof given === 'string') return `'${given}'`;
  if (Array.isArray(given)) return 'a list';
  if (typeof given !== 'object' || given === null) return String(given);
  return `{ ${Object.entries(given)
    .map(([name, value]) => `${name}: ${typeof value}`)
    .join(', ')} }`;
}
