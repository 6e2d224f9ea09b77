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
import type { DenormalizeDelegate, NormalizeDelegate, QueryDelegate, Unvisit } from './delegate.ts';
import { INVALID } from './row.ts';
import type { SchemaSimple } from './schema.ts';

/** An object without an identity, with a schema for each member. `{…}` is the short form. */
export class ObjectSchema<Map extends Fields = Fields> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<
    DenormalizeObject<Map>,
    DenormalizeNullableObject<Map>,
    { readonly [field in keyof Map]: Normalize<Map[field]> },
    ObjectArgs<Map>
  >;
  /** The schemas of the members. */
  schema: Map;

  constructor(schema: Map) {
    this.schema = withBeside(schema) as Map;
  }

  /** @internal */
  get composes(): 'object' | undefined {
    return this.constructor === ObjectSchema ? 'object' : undefined;
  }

  /** Adds schemas of members, or replaces them. */
  define(schema: Fields): void {
    this.schema = withBeside({ ...this.schema, ...schema }) as Map;
  }

  /** Normalizes the members that have a schema. Other fields stay as they are. */
  normalize(input: unknown, _parent: unknown, _key: string | undefined, delegate: NormalizeDelegate): unknown {
    if (!isObject(input) || Array.isArray(input)) throw inputInvalid('An object', input);
    const stored: Record<string, unknown> = { ...input };
    for (const [schema, value, parent, name] of this.partsOf(input)) {
      const part = delegate.visit(schema, value, parent, name);
      if (part === undefined) Reflect.deleteProperty(stored, name);
      else setOwn(stored, name, part);
    }
    return stored;
  }

  /** @internal */
  partsOf(input: Fields): readonly (readonly [schema: unknown, value: unknown, parent: Fields, key: string])[] {
    const named = Object.entries(this.schema).filter(([name]) => Object.hasOwn(input, name));
    return named.map(([name, schema]) => [schema, input[name], input, name]);
  }

  /** An invalid member makes the whole object invalid. A missing member is `undefined`. */
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

  /** Reads each member with the same arguments, as a join. */
  queryKey(args: readonly unknown[], unvisit: Unvisit, _delegate: QueryDelegate): unknown {
    const found: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(this.schema)) {
      // A member may be an example value, such as `''`. Its type is used, and it is the default.
      setOwn(found, name, Object(schema) === schema ? unvisit(schema, args) : schema);
    }
    return found;
  }
}

/** A member with fields beside it, as a list has its total. */
interface Accompanied {
  readonly beside?: Readonly<Record<string, (example: unknown) => unknown>>;
  isAccompanied?: boolean;
}

/** Returns the schema with the fields that its members require beside them, such as the total of a list. Tells the members whether it has others. */
function withBeside(schema: Fields): Fields {
  const found: Record<string, unknown> = {};
  for (const member of Object.values(schema)) {
    const accompanied = Object(member) as Accompanied;
    const { beside } = accompanied;
    if (beside === undefined) continue;
    for (const [name, make] of Object.entries(beside)) found[name] = make(schema[name]);
    if (Object.keys(schema).some((name) => schema[name] !== member && !(name in beside)))
      accompanied.isAccompanied = true;
  }
  return Object.keys(found).length === 0 ? schema : { ...schema, ...found };
}
