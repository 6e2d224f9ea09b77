import { DataError } from '../../std/data-error.ts';

/** Creates the error for an argument that a method of queries cannot take. */
export function queryInvalid(method: string, given: unknown, takes: string): DataError {
  return new DataError('query-invalid', `${method} of a query was given ${textOf(given)}. Pass ${takes}.`);
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
