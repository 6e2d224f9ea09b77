import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';
import { type EntityIndex, indexFields } from './indexes.ts';
import { assignFields, isObject } from './fields.ts';
import type { AbstractInstanceType, AnyClass, Loose } from './infer-schema.ts';
import { mergeVersions } from './merge-rules.ts';
import { isUnclear, pkInText } from './own-pk.ts';
import { isNoPk, pkIfAny, pkOfPart } from './pk.ts';
import { warn } from '../../std/warn.ts';
import type { QueryDelegate, Unvisit } from './delegate.ts';
import type { Stamp } from './stamp.ts';

/** An entity class: `Entity`, a class from `EntityMixin`, or a subclass of one. */
export interface EntityInterface<Instance = unknown> {
  readonly prototype: Instance & Pick<Entity, 'pk'>;
  readonly name: string;
  readonly key: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly indexes?: readonly EntityIndex[] | undefined;
  readonly maxEntityDepth?: number | undefined;
  readonly needs?: readonly string[] | undefined;
  readonly validator?: StandardSchema | undefined;
  readonly defaults: Loose;
  pk(value: Loose, parent?: Loose, key?: string, args?: readonly Loose[]): string | number | undefined;
  process(input: Loose, parent: Loose, key: string | undefined, args: readonly Loose[]): Loose;
  validate(processed: Loose): string | undefined;
  createIfValid(props: Loose): Loose;
  fromJS(props?: Loose): Loose;
  merge(existing: Loose, incoming: Loose): Loose;
  mergeWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): Loose;
  shouldUpdate(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): boolean;
  shouldReorder(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): boolean;
  mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): Stamp;
  queryKey(args: readonly Loose[], unvisit: Unvisit, delegate: QueryDelegate): string | undefined;
}

const defaultsOf = new WeakMap<object, object>();

/**
 * A class that models a record. Its fields are the defaults, `schema` has the schemas of its fields, and `pk()` returns its primary key.
 */
export abstract class Entity {
  /** The schemas of fields: another entity, a list of entities, or a function that converts the stored value. */
  static schema: Record<string, Loose> = Object.freeze({});
  /**
   * The fields by which records are looked up: a field, several fields together, `['status', 'assigneeId']`, or either with one record for
   * each value, `{ unique: 'email' }`. Live queries use indexes to find and sort records.
   */
  declare static indexes?: readonly EntityIndex[] | undefined;
  /** How many levels of nested entities are read below this one. Default: all. */
  declare static maxEntityDepth?: number | undefined;

  /**
   * Fields that a record must have to answer a request for it, if it was stored from another response, such as a list. If it lacks other
   * fields that have a default, it is shown, and fetched.
   */
  declare static needs?: readonly string[] | undefined;

  /**
   * Validates every record that is written, after `process`: a zod, valibot or other Standard Schema validator. Its result is stored. If it
   * rejects a record, the write fails. Optimistic updates are not validated.
   */
  declare static validator?: StandardSchema | undefined;

  /** The name of the table. Default: the name of the class. Set it if your code is minified. */
  static get key(): string {
    if (this.name === '') throw keyMissing();
    return this.name;
  }

  // Called by compilers that assign static fields instead of defining them.
  static set key(name: string) {
    Object.defineProperty(this, 'key', { value: name, writable: true, enumerable: true, configurable: true });
  }

  /** An instance with only the defaults. There is one for each class. */
  static get defaults(): Loose {
    const known = defaultsOf.get(this);
    if (known !== undefined) return known;
    const made: object = Reflect.construct(this, []);
    defaultsOf.set(this, made);
    return made;
  }

  /** Returns the primary key. Default: the field `id`. */
  pk(_parent?: Loose, _key?: string, _args?: readonly Loose[]): string | number | undefined {
    return pkOfField(this, 'id');
  }

  /** Returns the primary key of a plain record. */
  static pk(value: Loose, parent?: Loose, key?: string, args?: readonly Loose[]): string | undefined {
    const raw: unknown = this.prototype.pk.call(value, parent, key, args);
    if (isNoPk(raw)) return undefined;
    if (isUnclear(raw)) return pkInText(raw, this, value, [parent, key, args]);
    // An invalid value is returned as it is, so that the write can report it.
    return (pkIfAny(raw) ?? raw) as string | undefined;
  }

  /** Returns the record to store for `input`. `undefined` makes the stored record invalid. Default: a shallow copy. */
  static process(input: Loose, _parent: Loose, _key: string | undefined, _args: readonly Loose[]): Loose {
    if (Array.isArray(input)) throw arrayForEntity(this.key);
    return { ...input };
  }

  /** Returns what is wrong with a record, if anything. A write then fails, and a read returns an invalid value. */
  static validate(_processed: Loose): string | undefined {
    return undefined;
  }

  /** Returns an instance, or `undefined` if the record is not valid. */
  static createIfValid(props: Loose): Loose {
    return this.validate(props) ? undefined : this.fromJS(props);
  }

  /** Returns an instance with the defaults and `props`. A prop with the name of a method is ignored. */
  static fromJS<Class extends AnyClass>(
    this: Class,
    props?: Partial<AbstractInstanceType<Class>>,
  ): AbstractInstanceType<Class>;
  // Declared twice, because an override with `this: typeof Entity` is not assignable to a single generic signature.
  static fromJS<Class extends AnyClass>(
    this: Class,
    props?: Partial<AbstractInstanceType<Class>>,
  ): AbstractInstanceType<Class>;
  static fromJS<Class extends AnyClass>(
    this: Class,
    props?: Partial<AbstractInstanceType<Class>>,
  ): AbstractInstanceType<Class> {
    // The props are checked first: this runs for each record, and `warn` takes longer, even to find out that this is a production build.
    if (props !== undefined && (!isObject(props) || Array.isArray(props)))
      warn(this, 'props-expected', () => {
        const found = Array.isArray(props) ? 'a list' : JSON.stringify(props);
        return `${this.name}.fromJS() was given ${found}. Pass an object with fields, such as ${this.name}.fromJS({ id: '1' }).`;
      });
    const made = new (this as unknown as new (props: object) => AbstractInstanceType<Class>)(props ?? {});
    return props === undefined ? made : assignFields(made, props);
  }

  /** Merges two versions of a record. Default: fields of `incoming` replace those of `existing`. */
  static merge(existing: Loose, incoming: Loose): Loose {
    return { ...existing, ...incoming };
  }

  /** As `merge`, for a stored version and an incoming one. */
  static mergeWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): Loose {
    return mergeVersions(this, existingMeta, incomingMeta, existing, incoming);
  }

  /** Returns whether to use the incoming version at all. */
  static shouldUpdate(_existingMeta: Stamp, _incomingMeta: Stamp, _existing: Loose, _incoming: Loose): boolean {
    return true;
  }

  /** Returns whether the incoming version is older than the stored one. Default: if its request was issued earlier. */
  static shouldReorder(existingMeta: Stamp, incomingMeta: Stamp, _existing: Loose, _incoming: Loose): boolean {
    return incomingMeta.issue < existingMeta.issue;
  }

  /** Returns the stamp of the merged version: that of the newer one. */
  static mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): Stamp {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta;
  }

  /** Returns the pk for `args`: a pk itself, an object with the fields of the pk, or an object with an indexed field. */
  static queryKey(args: readonly Loose[], _unvisit: Unvisit, delegate: QueryDelegate): string | undefined {
    const pk = pkFromArgs(this, args, delegate);
    return pk !== undefined && delegate.hasEntity(this.key, pk) ? pk : undefined;
  }
}

function pkFromArgs(entity: typeof Entity, args: readonly unknown[], delegate: QueryDelegate): string | undefined {
  const [asked] = args;
  if (!isObject(asked)) return pkIfAny(asked);
  const pk = pkOfPart(entity, asked, args);
  if (pk !== undefined) return pk;
  const fields = entity.indexes?.map(indexFields).find((some) => some.every((field) => Object.hasOwn(asked, field)));
  if (fields === undefined) return undefined;
  const [field, ...others] = fields as [string, ...string[]];
  if (others.length === 0) return delegate.getIndex(entity.key, field, asked[field]);
  return delegate.getIndex(
    entity.key,
    fields,
    fields.map((each) => asked[each]),
  );
}

/** Returns the value of a pk field: a string, or an invalid value that the write reports. */
export function pkOfField(value: unknown, field: string): string | undefined {
  const raw = (value as Readonly<Record<string, unknown>>)[field];
  return (pkIfAny(raw) ?? raw) as string | undefined;
}

/** Returns whether a schema is an entity class. */
export function isEntity(schema: unknown): schema is EntityInterface {
  if (typeof schema !== 'function') return false;
  const { pk, process } = schema as { readonly pk?: unknown; readonly process?: unknown };
  return typeof pk === 'function' && typeof process === 'function' && 'key' in schema;
}

function keyMissing(): DataError {
  return new DataError('key-missing', 'An entity class without a name has no table.', {
    cure: inDevelopment(() => 'Set static key.'),
  });
}

/** Creates the error for a list in place of one record. */
export function arrayForEntity(entity: string): DataError {
  return new DataError('input-invalid', `${entity} is one record, but the response has a list.`, {
    entity,
    cure: inDevelopment(() => `Use [${entity}] or a Collection.`),
  });
}
