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

/**
 * The values of an object in the place of a list of records, such as `[Post]`: it is as good as the list. An object that holds the list is an error
 * that says which schema it would fit.
 */
export function valuesOf(input: object, schema: string | undefined): readonly unknown[] {
  const members = Object.entries(input);
  const [list] = members.find(([, value]) => Array.isArray(value)) ?? [];
  if (list === undefined || schema === undefined) return members.map(([, value]) => value as unknown);
  throw new DataError(
    'input-invalid',
    `A list was expected, but the response has an object with ${members.map(([name]) => name).join(', ')}. Use ` +
      `{ ${list}: ${schema} } as the schema.`,
    { entity: schema },
  );
}
