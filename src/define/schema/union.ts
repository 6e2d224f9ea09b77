import type { Member, SchemaArgs, SchemaAttribute, SchemaTypes, StoredMember } from './infer-schema.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isEntity } from './entity.ts';
import { type Attribute, Kinds } from './polymorphic.ts';
import type { DenormalizeDelegate, NormalizeDelegate, Unvisit } from './delegate.ts';
import type { SchemaSimple } from './schema.ts';
import { isEmptyRef } from './pk.ts';

/** One record of several classes, which a field or a function tells apart: `new Union({ cat: Cat, dog: Dog }, 'type')`. */
export class Union<
  Map extends Readonly<Record<string, unknown>> = Readonly<Record<string, unknown>>,
> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<
    Member<Map>,
    Member<Map> | undefined,
    StoredMember<Map>,
    SchemaArgs<Map[keyof Map]>
  >;
  /** Marks a Union, so that a list, map, collection or Invalidate made of it takes over its map. */
  readonly isUnion: true = true;
  readonly schema: Map;
  readonly attribute: Attribute;
  /** @internal */
  readonly kinds: Kinds;

  constructor(schema: Map, schemaAttribute: SchemaAttribute<Map>) {
    if (!schemaAttribute) throw attributeMissing(schema);
    this.schema = schema;
    this.attribute = schemaAttribute as Attribute;
    this.kinds = new Kinds(schema, this.attribute);
  }

  /** @internal */
  get composes(): 'union' | undefined {
    return this.constructor === Union ? 'union' : undefined;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): StoredMember<Map> {
    if (Array.isArray(input) && Object.values(this.schema).every(isEntity)) throw arrayForUnion(this.schema);
    return this.kinds.normalize(delegate, input, parent, key) as StoredMember<Map>;
  }

  denormalize(stored: unknown, delegate: DenormalizeDelegate): Member<Map> {
    return (isEmptyRef(stored) ? undefined : this.kinds.read(stored, delegate)) as Member<Map>;
  }

  /** Reads the class that the arguments name. If they name none, the first class that has such a record. */
  queryKey(args: readonly unknown[], unvisit: Unvisit): unknown {
    const named = this.kinds.kindNameIn(args[0]);
    for (const name of named === undefined ? Object.keys(this.schema) : [named]) {
      const id = unvisit(this.schema[name], args);
      if (id !== undefined) return this.kinds.ref(name, id);
    }
    return undefined;
  }
}

function attributeMissing(schema: object): DataError {
  return new DataError(
    'union-attribute-missing',
    `A Union of ${Object.keys(schema).join(', ')} needs the field that tells them apart, or a function, as its second argument.`,
  );
}

function arrayForUnion(schema: object): DataError {
  return new DataError(
    'input-invalid',
    `A Union of ${Object.keys(schema).join(', ')} is one record, but the response has a list.`,
    { cure: inDevelopment(() => 'Put the Union into [ ], or into a Collection.') },
  );
}
