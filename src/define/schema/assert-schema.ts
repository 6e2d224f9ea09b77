import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** `never` for what is no schema: a text, a number, or an endpoint. */
export type SchemaGiven<S> = S extends
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  | ((...args: never[]) => Promise<unknown>)
  ? never
  : unknown;

/** Throws for a value that is no schema: nothing, or in development also a text, a number, or an endpoint. */
export function assertSchema(schema: unknown): void {
  const wrong = schema === undefined || schema === null ? 'undefined' : inDevelopment(() => notASchema(schema));
  if (wrong === undefined) return;
  throw new DataError('schema-missing', `A schema was made of ${wrong}.`, {
    cure: inDevelopment(() =>
      wrong === 'undefined'
        ? 'Pass a class or another schema. If modules import each other, assign it after both classes are defined.'
        : isEndpoint(schema)
          ? 'Pass the schema of the endpoint: its member schema.'
          : 'Pass a class or another schema, such as [Post].',
    ),
  });
}

function notASchema(given: unknown): string | undefined {
  if (isEndpoint(given)) return 'an endpoint';
  return Object(given) === given ? undefined : String(given);
}

function isEndpoint(given: unknown): boolean {
  return typeof given === 'function' && typeof (given as { readonly key?: unknown }).key === 'function';
}
