import { warn } from '../../std/warn.ts';
import { isEntity } from './entity.ts';
import { assertSchema, type SchemaGiven } from './assert-schema.ts';
import { isObject } from './fields.ts';
import type { SchemaAttribute } from './infer-schema.ts';
import { isEmptyRef, pkIfAny, pkOfPart } from './pk.ts';
import type { Choice } from './schema.ts';
import type { DenormalizeDelegate, NormalizeDelegate } from './delegate.ts';
import type { TableRef } from './row.ts';

/** The stored form of a record that may be of several classes. Fixed format: rows on disks contain it. */
export interface MemberRef {
  readonly id: unknown;
  readonly schema: string;
}

/** How records of several classes are distinguished: a field with the name, or a function that returns it. */
export type Attribute = string | ((value: unknown, parent: unknown, key: string | undefined) => unknown);

/** The members of a Union that another schema takes over. */
export interface UnionLike {
  readonly isUnion: true;
  readonly schema: unknown;
  readonly attribute: Attribute;
}

export function isUnion(schema: unknown): schema is UnionLike {
  return isObject(schema) && schema['isUnion'] === true;
}

/**
 * The content of a schema: one schema, or several by name. If the content is a Union, its map is taken over, so that its records are stored
 * in the same form as by the Union.
 */
export class Kinds implements Choice {
  readonly isChoice: true = true;
  /** The only schema, or the map of schemas by name. */
  readonly schema: unknown;
  readonly attribute: Attribute | undefined;

  constructor(schema: unknown, attribute?: Attribute) {
    const adopted = attribute === undefined && isUnion(schema) ? schema : { schema, attribute };
    assertSchema(adopted.schema);
    this.schema = adopted.schema;
    this.attribute = adopted.attribute;
  }

  get isPolymorphic(): boolean {
    return this.attribute !== undefined;
  }

  /** Returns each schema with its name. An only schema has no name. */
  entries(): readonly (readonly [name: string | undefined, schema: unknown])[] {
    return this.attribute === undefined ? [[undefined, this.schema]] : Object.entries(this.schema as object);
  }

  /**
   * Returns the name of the schema for `value`, which is a record or a pk. For a pk, only a function can tell, by the parent. `undefined`
   * if the name is not in the map.
   */
  nameOf(value: unknown, parent: unknown, key: string | undefined): string | undefined {
    const { attribute } = this;
    if (attribute === undefined) return undefined;
    if (!isObject(value)) return this.#kindOfPk(attribute, value, parent, key);
    const name: unknown = typeof attribute === 'function' ? attribute(value, parent, key) : value[attribute];
    if (this.has(name)) return String(name);
    warn(this, 'kind-unknown', () => {
      const by =
        typeof attribute === 'function' ? 'the function that tells them apart returned' : `its ${attribute} is`;
      return (
        `A record is of none of the classes ${Object.keys(this.schema as object).join(', ')}: ${by} ${JSON.stringify(name)}. ` +
        'It is stored as it came. Add the name to the map, or correct the field or function.'
      );
    });
    return undefined;
  }

  /** As `nameOf`. A part of a record that does not tell its class is of the class that has a record with its pk, if only one has. */
  nameOfPart(
    delegate: NormalizeDelegate,
    value: unknown,
    parent: unknown,
    key: string | undefined,
  ): string | undefined {
    if (!isObject(value) || !this.isPolymorphic) return this.nameOf(value, parent, key);
    const named = this.#ownName(value, parent, key);
    // Most records name their class. The function of the application is called once for them.
    if (this.has(named)) return String(named);
    const stored = named === undefined ? this.#storedNames(delegate, value) : [];
    return stored.length === 1 ? stored[0] : this.nameOf(value, parent, key);
  }

  /** Returns the classes that have a record with the pk in a value. `undefined` if the value names its class itself. */
  storedNames(
    delegate: NormalizeDelegate,
    value: unknown,
    parent: unknown,
    key: string | undefined,
  ): readonly string[] | undefined {
    const isTelling = !this.isPolymorphic || this.#ownName(value, parent, key) !== undefined;
    return isTelling ? undefined : this.#storedNames(delegate, value);
  }

  #storedNames(delegate: NormalizeDelegate, value: unknown): readonly string[] {
    // Several names can be of one class.
    const names = new Map<string, string>();
    for (const [name, entity] of Object.entries(this.schema as object)) {
      if (!isEntity(entity)) continue;
      const pk = isObject(value) ? pkOfPart(entity, value, delegate.args) : pkIfAny(value);
      // The row of a deleted record counts too.
      if (pk !== undefined && delegate.getEntity(entity.key, pk) !== undefined) names.set(entity.key, name);
    }
    return [...names.values()];
  }

  /** Returns whether a value names its class, even if the class is not known. */
  isNamedIn(value: object): boolean {
    return this.isPolymorphic && this.#ownName(value, undefined, undefined) !== undefined;
  }

  /** Returns the name that a value has itself, if any. */
  #ownName(value: unknown, parent: unknown, key: string | undefined): unknown {
    const { attribute } = this;
    return typeof attribute === 'function'
      ? kindNameFor(attribute, value, parent, key)
      : (Object(value) as Readonly<Record<string, unknown>>)[String(attribute)];
  }

  #kindOfPk(attribute: Attribute, pk: unknown, parent: unknown, key: string | undefined): string | undefined {
    if (isEmptyRef(pk) || (typeof pk !== 'string' && typeof pk !== 'number')) return undefined;
    const name = typeof attribute === 'function' ? kindNameFor(attribute, pk, parent, key) : undefined;
    if (this.has(name)) return String(name);
    warn(
      this,
      'kind-unknown',
      () =>
        `The response has the pk ${JSON.stringify(pk)} in place of a record of ${Object.keys(this.schema as object).join(' or ')}, and its class is unknown. ` +
        'It is stored as it came. Have the server send the record, or give the schema a function that finds the class by ' +
        'the parent: (value, parent) => parent.kind.',
    );
    return undefined;
  }

  /** Returns the name that the arguments of a read contain, if any. */
  kindNameIn(arg: unknown): string | undefined {
    const { attribute } = this;
    if (!isObject(arg)) return undefined;
    const name: unknown =
      typeof attribute === 'function' ? kindNameFor(attribute, arg, undefined, undefined) : arg[String(attribute)];
    return this.has(name) ? String(name) : undefined;
  }

  has(name: unknown): name is string | number {
    return (typeof name === 'string' || typeof name === 'number') && Object.hasOwn(this.schema as object, name);
  }

  schemaOf(name: string | undefined): unknown {
    return name === undefined ? this.schema : (this.schema as Readonly<Record<string, unknown>>)[name];
  }

  /** Normalizes one record. A record with an unknown name is stored as it came. */
  normalize(
    delegate: NormalizeDelegate,
    value: unknown,
    parent: unknown,
    key: string | undefined,
    method: 'visit' | 'create' = 'visit',
  ): unknown {
    const name = this.nameOfPart(delegate, value, parent, key);
    if (name === undefined && this.isPolymorphic) return value;
    const id = delegate[method](this.schemaOf(name), value, parent, key);
    return id === undefined ? undefined : this.ref(name, id);
  }

  /** Returns the stored form of a record. */
  ref(name: string | undefined, id: unknown): unknown {
    return name === undefined ? id : ({ id, schema: name } satisfies MemberRef);
  }

  /** Returns the value for a stored form. */
  read(stored: unknown, delegate: DenormalizeDelegate): unknown {
    if (!this.isPolymorphic) return delegate.unvisit(this.schema, stored);
    return this.isRef(stored) ? delegate.unvisit(this.schemaOf(stored.schema), stored.id) : stored;
  }

  /** Returns the table and pk for a stored form, if its schema is an entity. */
  refOf(stored: unknown): TableRef | undefined {
    const isRef = this.isPolymorphic && this.isRef(stored);
    const entity = isRef ? this.schemaOf(stored.schema) : this.schema;
    const pk = isRef ? stored.id : stored;
    return isEntity(entity) && typeof pk === 'string' ? { table: entity.key, pk } : undefined;
  }

  /** Returns the pk in a stored form, if it is of the schema with this name. */
  pkOf(stored: unknown, name: string): unknown {
    return this.isRef(stored) && stored.schema === name ? stored.id : undefined;
  }

  isRef(stored: unknown): stored is MemberRef {
    return isObject(stored) && this.has(stored['schema']);
  }
}

/** A schema whose content is one schema, or several by name. */
export abstract class PolymorphicSchema<S> {
  readonly kinds: Kinds;

  constructor(schema: S & SchemaGiven<S>, schemaAttribute?: SchemaAttribute<S>) {
    this.kinds = new Kinds(schema, schemaAttribute as Attribute | undefined);
  }

  /** The schema of the members, or the map of schemas by name. */
  get schema(): unknown {
    return this.kinds.schema;
  }

  get isPolymorphic(): boolean {
    return this.kinds.isPolymorphic;
  }
}

function kindNameFor(
  tell: Exclude<Attribute, string>,
  value: unknown,
  parent: unknown,
  key: string | undefined,
): unknown {
  try {
    return tell(value, parent, key);
  } catch {
    // The function was written for records, and may throw for a pk or for arguments.
    return undefined;
  }
}
