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
  const wrong =
    schema === undefined || schema === null
      ? 'undefined'
      : inDevelopment(() => {
          const { key } = Object(schema) as { readonly key?: unknown };
          if (typeof schema === 'function' && typeof key === 'function') return ENDPOINT;
          return Object(schema) === schema ? undefined : String(Object(schema));
        });
  if (wrong === undefined) return;
  throw new DataError('schema-missing', `A schema was made of ${wrong}.`, {
    cure: inDevelopment(() =>
      wrong === 'undefined'
        ? 'Pass a class or another schema. If modules import each other, assign it after both classes are defined.'
        : wrong === ENDPOINT
          ? 'Pass the schema of the endpoint: its member schema.'
          : 'Pass a class or another schema, such as [Post].',
    ),
  });
}

const ENDPOINT = 'an endpoint';
