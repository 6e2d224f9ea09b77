/** Types of the endpoints that load the records of a query. */
import type { ReadEndpoint } from '../endpoint/infer-endpoint.ts';
import type { AnyClass, Denormalize, Loose, SchemaTypes } from '../schema/infer-schema.ts';
import type { InstanceOf } from './infer-source.ts';

/** A function that makes the arguments of a query from those of a request. It is needed unless both are the same. */
export type ArgsMaker<Asked extends readonly unknown[], Args extends readonly unknown[]> = [] extends Args
  ? [argsOf?: (...args: Asked) => Args]
  : Asked extends Args
    ? [argsOf?: (...args: Asked) => Args]
    : [argsOf: (...args: Asked) => Args];

/** An error of the compiler for an endpoint whose answers have no record of the class. Records that are nested more deeply than three levels count. */
export type LoaderOf<Row, Item, Class, Schema> = Class extends AnyClass
  ? [InstanceOf<Class>, Row] extends [Row, Item]
    ? Schema extends undefined
      ? 'This endpoint has no schema, so its answers contain no records.'
      : MayHold<Denormalize<Schema>, Row, [0, 0, 0]> extends true
        ? unknown
        : 'The answers of this endpoint contain no record of the query.'
    : unknown
  : unknown;
type MayHold<Value, Row, Levels extends readonly 0[]> = true extends HoldsIn<Value, Row, Levels> ? true : false;
type HoldsIn<Value, Row, Levels extends readonly 0[]> = unknown extends Value
  ? true
  : Value extends Primitive | null | undefined | Date | ((...args: never[]) => unknown)
    ? false
    : Value extends Row
      ? true
      : Row extends Value
        ? true
        : Levels extends readonly [0, ...infer Deeper extends readonly 0[]]
          ? Value extends readonly (infer Each)[]
            ? HoldsIn<Each, Row, Levels>
            : { [name in keyof Value]-?: HoldsIn<Value[name], Row, Deeper> }[keyof Value]
          : true;

/** An endpoint that loads the records of a query. */
export interface Loader {
  (...args: Loose): Promise<unknown>;
  readonly schema?: unknown;
  readonly sideEffect?: undefined | false;
  extend(options: never): unknown;
}

/** The endpoint of a query whose records another endpoint loads. */
export type LoadedEndpoint<E extends Loader, Value> = ReadEndpoint<
  (...args: Parameters<E>) => Promise<Value>,
  LoadedSchemaOf<Value>
> & { readonly schema: LoadedSchemaOf<Value> };

interface LoadedSchemaOf<Value> {
  readonly '~types': SchemaTypes<Value, Value | undefined, unknown, undefined>;
}

type Primitive = string | number | bigint | boolean | symbol;
