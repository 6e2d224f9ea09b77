import type {
  DenormalizeNullableObject,
  DenormalizeObject,
  Normalize,
  ObjectArgs,
  SchemaTypes,
} from './infer-schema.ts';
import { isObject } from './fields.ts';
import { setOwn, type Fields } from '../../std/plain.ts';
import { inputInvalid } from './input-invalid.ts';
import {
  type DenormalizeDelegate,
  INVALID,
  type NormalizeDelegate,
  type QueryDelegate,
  type SchemaSimple,
  type Unvisit,
} from './schema.ts';

/** A record without an identity, made of known members. `{…}` is short for it. */
export class ObjectSchema<Map extends Fields = Fields> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<
    DenormalizeObject<Map>,
    DenormalizeNullableObject<Map>,
    { readonly [field in keyof Map]: Normalize<Map[field]> },
    ObjectArgs<Map>
  >;
  /** What stands behind each member. */
  schema: Map;

  constructor(schema: Map) {
    this.schema = withBeside(schema) as Map;
  }

  /** @internal */
  get composes(): 'object' | undefined {
    return this.constructor === ObjectSchema ? 'object' : undefined;
  }

  /** Adds members, or replaces what stands behind them. */
  define(schema: Fields): void {
    this.schema = withBeside({ ...this.schema, ...schema }) as Map;
  }

  /** Fields that the schema does not name are kept as they are. */
  normalize(input: unknown, _parent: unknown, _key: string | undefined, delegate: NormalizeDelegate): unknown {
    if (!isObject(input) || Array.isArray(input)) throw inputInvalid('An object', input);
    const stored: Record<string, unknown> = { ...input };
    for (const [schema, value, parent, name] of this.partsOf(input)) {
      const filed = delegate.visit(schema, value, parent, name);
      if (filed === undefined) Reflect.deleteProperty(stored, name);
      else setOwn(stored, name, filed);
    }
    return stored;
  }

  /** @internal */
  partsOf(input: Fields): readonly (readonly [schema: unknown, value: unknown, parent: Fields, key: string])[] {
    const named = Object.entries(this.schema).filter(([name]) => Object.hasOwn(input, name));
    return named.map(([name, schema]) => [schema, input[name], input, name]);
  }

  /** An invalid member makes the whole invalid; a missing one is `undefined`. */
  denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown {
    if (!isObject(stored)) return stored;
    const value: Record<string, unknown> = { ...stored };
    let isInvalid = false;
    for (const [name, schema] of Object.entries(this.schema)) {
      if (!Object.hasOwn(value, name)) continue;
      const part = delegate.unvisit(schema, value[name]);
      if (part === INVALID) isInvalid = true;
      else setOwn(value, name, part);
    }
    return isInvalid ? INVALID : value;
  }

  /** A join: each member is asked for with the same arguments. */
  queryKey(args: readonly unknown[], unvisit: Unvisit, _delegate: QueryDelegate): unknown {
    const found: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(this.schema)) {
      // A member may be given as an example, such as `''`: for the compiler, and for a default.
      setOwn(found, name, Object(schema) === schema ? unvisit(schema, args) : schema);
    }
    return found;
  }
}

/** Fields, and what some of them have beside themselves, as a list has its total. */
function withBeside(schema: Fields): Fields {
  const found: Record<string, unknown> = {};
  for (const member of Object.values(schema)) {
    const { beside } = Object(member) as { readonly beside?: Readonly<Record<string, (example: unknown) => unknown>> };
    for (const [name, make] of Object.entries(beside ?? {})) found[name] = make(schema[name]);
  }
  return Object.keys(found).length === 0 ? schema : { ...schema, ...found };
}
