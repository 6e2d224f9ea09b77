import { DataError } from '../../std/data-error.ts';
import { warn } from '../../std/warn.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';
import { assignFields, isObject } from './fields.ts';
import type { AbstractInstanceType, AnyClass, Loose } from './infer-schema.ts';
import { mergeVersions } from './merge-rules.ts';
import { isNoPk, pkIfAny } from './pk.ts';
import type { QueryDelegate, Stamp, Unvisit } from './schema.ts';

/** An entity class, as the rest of the system sees it: `Entity`, a class from `EntityMixin`, or a subclass of one. */
export interface EntityInterface<Instance = unknown> {
  readonly prototype: Instance & Pick<Entity, 'pk'>;
  readonly name: string;
  readonly key: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly indexes?: readonly string[] | undefined;
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
 * A class that models a record. Its fields are the defaults, `schema` says what stands behind a field, and `pk()`
 * which record it is.
 */
export abstract class Entity {
  /** What stands behind a field: another entity, a list of them, or a function that makes a richer value. */
  static schema: Record<string, Loose> = Object.freeze({});
  /** Top-level fields by which a record can be looked up. */
  declare static indexes?: readonly string[] | undefined;
  /** How many levels of nested entities are read below this one. Unset: all. */
  declare static maxEntityDepth?: number | undefined;

  /**
   * Fields without which a record that came with something else, such as a list, does not answer the request for it. Where it lacks others
   * that have a default, it is shown, and asked for.
   */
  declare static needs?: readonly string[] | undefined;

  /**
   * Checks every record that is written, after `process`: a zod, valibot or other Standard Schema validator. What it
   * returns is stored; what it refuses ends the write with an error. Guesses are not checked.
   */
  declare static validator?: StandardSchema | undefined;

  /** The name of the table. Set it where code is minified: the default is the name of the class. */
  static get key(): string {
    if (this.name === '') throw keyMissing();
    return this.name;
  }

  // Compilers that assign static fields instead of defining them come through here.
  static set key(name: string) {
    Object.defineProperty(this, 'key', { value: name, writable: true, enumerable: true, configurable: true });
  }

  /** An instance with nothing but the defaults; one for each class. */
  static get defaults(): Loose {
    const known = defaultsOf.get(this);
    if (known !== undefined) return known;
    const made: object = Reflect.construct(this, []);
    defaultsOf.set(this, made);
    return made;
  }

  /** The primary key. Default: the field `id`. */
  pk(_parent?: Loose, _key?: string, _args?: readonly Loose[]): string | number | undefined {
    return pkOfField(this, 'id');
  }

  /** The primary key of a plain record. */
  static pk(value: Loose, parent?: Loose, key?: string, args?: readonly Loose[]): string | undefined {
    const raw: unknown = this.prototype.pk.call(value, parent, key, args);
    // What is neither a pk nor none is left as it is, for the walk to report.
    return isNoPk(raw) ? undefined : ((pkIfAny(raw) ?? raw) as string | undefined);
  }

  /** The record to store for `input`; `undefined` marks the stored one invalid. Default: a shallow copy. */
  static process(input: Loose, _parent: Loose, _key: string | undefined, _args: readonly Loose[]): Loose {
    if (Array.isArray(input)) throw arrayForEntity(this.key);
    return { ...input };
  }

  /** What is wrong with a record, if anything: an error when it is written, invalid when it is read. */
  static validate(_processed: Loose): string | undefined {
    return undefined;
  }

  /** An instance of a record that is valid, or `undefined`. */
  static createIfValid(props: Loose): Loose {
    return this.validate(props) ? undefined : this.fromJS(props);
  }

  /** An instance with the defaults, overlaid with `props`. Data never takes the place of a method. */
  static fromJS<Class extends AnyClass>(
    this: Class,
    props?: Partial<AbstractInstanceType<Class>>,
  ): AbstractInstanceType<Class>;
  // Twice the same: an override that says `this: typeof Entity` is not assignable to a generic signature that stands alone.
  static fromJS<Class extends AnyClass>(
    this: Class,
    props?: Partial<AbstractInstanceType<Class>>,
  ): AbstractInstanceType<Class>;
  static fromJS<Class extends AnyClass>(
    this: Class,
    props: Partial<AbstractInstanceType<Class>> = {},
  ): AbstractInstanceType<Class> {
    const instance: object = Reflect.construct(this, [props]);
    return assignFields(instance, props) as AbstractInstanceType<Class>;
  }

  /** One record of two versions. Default: the fields of `incoming` over those of `existing`. */
  static merge(existing: Loose, incoming: Loose): Loose {
    return { ...existing, ...incoming };
  }

  /** As `merge`, for a version that is in the store and one that arrives. */
  static mergeWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): Loose {
    return mergeVersions(this, existingMeta, incomingMeta, existing, incoming);
  }

  /** Whether an arriving version counts at all. */
  static shouldUpdate(_existingMeta: Stamp, _incomingMeta: Stamp, _existing: Loose, _incoming: Loose): boolean {
    return true;
  }

  /** Whether the arriving version is the older of the two. Default: its request was issued earlier. */
  static shouldReorder(existingMeta: Stamp, incomingMeta: Stamp, _existing: Loose, _incoming: Loose): boolean {
    return incomingMeta.issue < existingMeta.issue;
  }

  /** The stamp of the merged version: that of the newer one. */
  static mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): Stamp {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta;
  }

  /** The pk that `args` ask for: a pk itself, an object with the fields of the pk, or with an indexed field. */
  static queryKey(args: readonly Loose[], _unvisit: Unvisit, delegate: QueryDelegate): string | undefined {
    const pk = args[0] ? askedPk(this, args, delegate) : undefined;
    return pk !== undefined && delegate.hasEntity(this.key, pk) ? pk : undefined;
  }
}

function askedPk(entity: typeof Entity, args: readonly unknown[], delegate: QueryDelegate): string | undefined {
  const [asked] = args;
  if (!isObject(asked)) return pkIfAny(asked);
  const pk = pkIfAny(entity.pk(asked, undefined, undefined, args));
  if (pk !== undefined) return pk;
  const field = entity.indexes?.find((name) => Object.hasOwn(asked, name));
  return field === undefined ? undefined : delegate.getIndex(entity.key, field, asked[field]);
}

/** What a record has in the field of its pk: a string, or whatever else is there, for the walk to report. */
export function pkOfField(value: unknown, field: string): string | undefined {
  const raw = (value as Readonly<Record<string, unknown>>)[field];
  return (pkIfAny(raw) ?? raw) as string | undefined;
}

/** Whether a schema is an entity class. */
export function isEntity(schema: unknown): schema is EntityInterface {
  if (typeof schema !== 'function') return false;
  const { pk, process } = schema as { readonly pk?: unknown; readonly process?: unknown };
  return typeof pk === 'function' && typeof process === 'function' && 'key' in schema;
}

/**
 * Warns of a hook that nothing calls, and of a class whose table is named after it: minifiers rename classes, and two may then have
 * one name.
 */
export function checkClass(entity: EntityInterface): void {
  warn(entity, 'normalize-uncalled', () =>
    'normalize' in entity
      ? `${entity.key} has a static normalize(), which is not called. Say it in process(), pk(), validate() or merge().`
      : undefined,
  );
  warn(entity, 'key-default', () => {
    let at: object = entity;
    while (!Object.hasOwn(at, 'key')) at = Object.getPrototypeOf(at) as object;
    const get = Object.getOwnPropertyDescriptor(Entity, 'key')?.get;
    return Object.getOwnPropertyDescriptor(at, 'key')?.get === get
      ? `The table of ${entity.key} is named after its class, and minifiers rename classes. Set static key = '${entity.key}'.`
      : undefined;
  });
}

function keyMissing(): DataError {
  return new DataError('key-missing', 'An entity class without a name has no table. Set static key.');
}

/** The error for a list where one record is expected. */
export function arrayForEntity(entity: string): DataError {
  return new DataError(
    'input-invalid',
    `${entity} is one record, but the response has a list. Use [${entity}] or a Collection.`,
    { entity },
  );
}
