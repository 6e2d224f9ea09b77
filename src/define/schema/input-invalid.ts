import { DataError } from '../../std/data-error.ts';

/** The error for a response that is not of the shape that its schema says. */
export function inputInvalid(expected: string, input: unknown, entity?: string): DataError {
  const found = input === null ? 'null' : Array.isArray(input) ? 'a list' : `a value of type ${typeof input}`;
  return new DataError(
    'input-invalid',
    `${expected} was expected, but the response has ${found}. Correct the schema, or process() of the endpoint.`,
    { entity },
  );
}
