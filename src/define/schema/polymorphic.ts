import { DataError } from '../../std/data-error.ts';
import { warn } from '../../std/warn.ts';
import { isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import { isEmptyRef } from './pk.ts';
import type { Choice, DenormalizeDelegate, NormalizeDelegate, TableRef } from './schema.ts';

/** What stays in the place of a record that may be of several kinds. */
export interface MemberRef {
  readonly id: unknown;
  readonly schema: string;
}

/** How records of several kinds are told apart: the field that names the kind, or a function that does. */
export type Attribute = string | ((value: unknown, parent: unknown, key: string | undefined) => unknown);

/** What a Union offers to a schema that adopts its map. */
interface Hoistable {
  readonly isUnion: true;
  readonly schema: unknown;
  readonly attribute: Attribute;
}

function isHoistable(schema: unknown): schema is Hoistable {
  return isObject(schema) && schema['isUnion'] === true;
}

/**
 * What a schema holds one or many of: records of one kind, or of several kinds in a map. A Union given in the place of
 * the map is adopted, so that its records are stored as they would be by the Union alone.
 */
export class Kinds implements Choice {
  readonly isChoice: true = true;
  /** The schema of the only kind, or the map of kinds. */
  readonly schema: unknown;
  readonly attribute: Attribute | undefined;

  constructor(schema: unknown, attribute?: Attribute) {
    const adopted = attribute === undefined && isHoistable(schema) ? schema : { schema, attribute };
    if (adopted.schema === undefined || adopted.schema === null) throw schemaMissing();
    this.schema = adopted.schema;
    this.attribute = adopted.attribute;
  }

  get isPolymorphic(): boolean {
    return this.attribute !== undefined;
  }

  /** Each kind with its name; the only kind has none. */
  entries(): readonly (readonly [name: string | undefined, schema: unknown])[] {
    return this.attribute === undefined ? [[undefined, this.schema]] : Object.entries(this.schema as object);
  }

  /** The name of the kind of `value`, a record or its pk, if it is one of the map. A pk says it where a function knows it by the parent. */
  nameOf(value: unknown, parent: unknown, key: string | undefined): string | undefined {
    const { attribute } = this;
    if (attribute === undefined) return undefined;
    if (!isObject(value)) return this.#kindOfPk(attribute, value, parent, key);
    const name: unknown = typeof attribute === 'function' ? attribute(value, parent, key) : value[attribute];
    if (this.has(name)) return String(name);
    warn(this, 'kind-unknown', () => {
      const by = typeof attribute === 'function' ? 'What tells its kind' : `Its ${attribute}`;
      return (
        `A record is of none of the kinds ${Object.keys(this.schema as object).join(', ')}, and stays as it came. ${by} says ` +
        `${JSON.stringify(name) ?? 'nothing'}. Add that kind to the map, or correct what tells them apart.`
      );
    });
    return undefined;
  }

  #kindOfPk(attribute: Attribute, pk: unknown, parent: unknown, key: string | undefined): string | undefined {
    if (isEmptyRef(pk) || (typeof pk !== 'string' && typeof pk !== 'number')) return undefined;
    const name = typeof attribute === 'function' ? toldBy(attribute, pk, parent, key) : undefined;
    if (this.has(name)) return String(name);
    warn(
      this,
      'kind-unknown',
      () =>
        `A pk alone, ${JSON.stringify(pk)}, stands where a record of one of the kinds ${Object.keys(this.schema as object).join(', ')} is due, and stays as it came: ` +
        'nothing says of which kind it is. Have the server send the record, or give the schema a function that knows it by the ' +
        'parent: (value, parent) => parent.kind.',
    );
    return undefined;
  }

  /** The name that arguments give, if they do. */
  askedOf(asked: unknown): string | undefined {
    const { attribute } = this;
    if (!isObject(asked)) return undefined;
    const name: unknown =
      typeof attribute === 'function' ? attribute(asked, undefined, undefined) : asked[String(attribute)];
    return this.has(name) ? String(name) : undefined;
  }

  has(name: unknown): name is string | number {
    return (typeof name === 'string' || typeof name === 'number') && Object.hasOwn(this.schema as object, name);
  }

  schemaOf(name: string | undefined): unknown {
    return name === undefined ? this.schema : (this.schema as Readonly<Record<string, unknown>>)[name];
  }

  /** Files one record. A record of a kind that the map does not know stays as it is. */
  file(
    delegate: NormalizeDelegate,
    value: unknown,
    parent: unknown,
    key: string | undefined,
    how: 'visit' | 'create' = 'visit',
  ): unknown {
    const name = this.nameOf(value, parent, key);
    if (name === undefined && this.isPolymorphic) return value;
    const id = delegate[how](this.schemaOf(name), value, parent, key);
    return id === undefined ? undefined : this.ref(name, id);
  }

  /** What is stored for a record of that kind. */
  ref(name: string | undefined, id: unknown): unknown {
    return name === undefined ? id : ({ id, schema: name } satisfies MemberRef);
  }

  /** The record that `stored` stands for. */
  read(stored: unknown, delegate: DenormalizeDelegate): unknown {
    if (!this.isPolymorphic) return delegate.unvisit(this.schema, stored);
    return this.isRef(stored) ? delegate.unvisit(this.schemaOf(stored.schema), stored.id) : stored;
  }

  /** The record that `stored` refers to, if it is an entity's. */
  refOf(stored: unknown): TableRef | undefined {
    const isRef = this.isPolymorphic && this.isRef(stored);
    const entity = isRef ? this.schemaOf(stored.schema) : this.schema;
    const pk = isRef ? stored.id : stored;
    return isEntity(entity) && typeof pk === 'string' ? { table: entity.key, pk } : undefined;
  }

  /** The pk that is stored of a record of the kind with that name. */
  pkOf(stored: unknown, name: string): unknown {
    return this.isRef(stored) && stored.schema === name ? stored.id : undefined;
  }

  isRef(stored: unknown): stored is MemberRef {
    return isObject(stored) && this.has(stored['schema']);
  }
}

function toldBy(tell: Exclude<Attribute, string>, pk: unknown, parent: unknown, key: string | undefined): unknown {
  try {
    return tell(pk, parent, key);
  } catch {
    // It was written for records.
    return undefined;
  }
}

function schemaMissing(): DataError {
  return new DataError(
    'schema-missing',
    'A schema was made of undefined. Where modules import each other, assign it after both classes are defined.',
  );
}
