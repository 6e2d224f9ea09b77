import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import type { EntityLike, Loose, SchemaTypes } from './infer-schema.ts';
import { pkFrom, pkIfAny, pkMissing, pkOf } from './pk.ts';
import { inputInvalid } from './input-invalid.ts';
import { MergeRules } from './merge-rules.ts';
import type { DenormalizeDelegate, NormalizeDelegate, QueryDelegate, Unvisit } from './delegate.ts';
import type { SchemaSimple } from './schema.ts';

export interface ScalarOptions<Argument = Loose> {
  /** Returns the part of the arguments on which the value depends: a portfolio, a currency, a date. */
  readonly lens: (args: readonly Argument[]) => string | number | undefined;
  /** The name of the table for the values. */
  readonly key: string;
  /** The entity of the values, for responses that have the values without the entity. */
  readonly entity?: EntityLike;
}

/**
 * A field that has another value for each `lens`: for example, the share of a company in each portfolio. The values are stored in rows of
 * their own, one for each lens, so that they do not overwrite each other.
 */
export class Scalar<Argument = Loose> extends MergeRules implements SchemaSimple {
  declare readonly '~types': SchemaTypes<Loose, Loose, Loose, readonly Argument[]>;
  override readonly key: string;
  readonly entity: EntityLike | undefined;
  /** The same function for the life of the schema, because `argsKey` makes values depend on a lens by its identity. */
  readonly lens: (args: readonly unknown[]) => string | undefined;

  constructor(options: ScalarOptions<Argument>) {
    super();
    this.key = `Scalar(${options.key})`;
    this.entity = options.entity;
    this.lens = (args) => pkIfAny(options.lens(args as readonly Argument[]));
  }

  /**
   * Returns the pk of the entity for values that come without it. Default: the pk in the values, else their key in a map. A pk of several
   * fields is `undefined|undefined` for values without these fields, so that the key of a map is taken for it.
   */
  entityPk(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    args: readonly unknown[],
  ): string | number | undefined {
    const pk = pkIfAny(this.entity?.pk(input, parent, key, args));
    const isInMap = key !== undefined && isObject(parent) && parent[key] === input;
    return isInMap && (pk?.includes('undefined') ?? true) ? key : pk;
  }

  override merge(existing: object, incoming: object): unknown {
    return { ...existing, ...incoming };
  }

  normalize(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
    parentEntity?: unknown,
  ): unknown {
    const lens = this.lens(delegate.args);
    if (lens === undefined) throw this.#lensMissing();
    if (isEntity(parentEntity) && key !== undefined) {
      const pk = pkOf(parentEntity, parent, undefined, undefined, delegate.args);
      // A record that is being created has no pk yet. The response of the create will have one.
      if (pk === undefined) return undefined;
      delegate.mergeEntity(this, rowPk(parentEntity.key, pk, lens), { [key]: input });
      return [pk, key, parentEntity.key];
    }
    return this.#normalizeRow(input, parent, key, lens, delegate);
  }

  #normalizeRow(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    lens: string,
    delegate: NormalizeDelegate,
  ): string {
    if (this.entity === undefined) throw this.#entityMissing();
    if (!isObject(input)) throw inputInvalid('An object of fields', input, this.key);
    const pk = pkFrom(this.entityPk(input, parent, key, delegate.args), this.entity.key);
    if (pk === undefined) throw pkMissing(this.entity.key, input);
    const row = rowPk(this.entity.key, pk, lens);
    delegate.mergeEntity(this, row, { ...input });
    return row;
  }

  /**
   * Returns the value for the lens of the reader, or `undefined` if the reader has none. Values that were stored without their entity are
   * returned as an object.
   */
  denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown {
    if (typeof stored === 'string') return delegate.getEntity(this.key, stored);
    if (isRows(stored)) return stored.rows.map((pk) => delegate.getEntity(this.key, pk)).filter(isObject);
    if (!Array.isArray(stored)) return stored;
    const [pk, field, entity] = stored as readonly string[];
    const lens = delegate.argsKey(this.lens);
    if (lens === undefined || pk === undefined || field === undefined || entity === undefined) return undefined;
    const row = delegate.getEntity(this.key, rowPk(entity, pk, lens));
    return isObject(row) && Object.hasOwn(row, field) ? row[field] : undefined;
  }

  /** Returns the values of all entities for the lens of the arguments, `undefined` if there are none. */
  queryKey(args: readonly unknown[], _unvisit: Unvisit, delegate: QueryDelegate): unknown {
    const lens = this.lens(args);
    const rows = lens === undefined ? undefined : delegate.getEntities(this.key);
    if (lens === undefined || rows === undefined) return undefined;
    const ending = `|${escapePart(lens)}`;
    const beginning = this.entity === undefined ? '' : `${escapePart(this.entity.key)}|`;
    const found: string[] = [];
    for (const [pk] of rows) if (pk.endsWith(ending) && pk.startsWith(beginning)) found.push(pk);
    return found.length > 0 ? { rows: found } : undefined;
  }

  #lensMissing(): DataError {
    return new DataError('lens-missing', `${this.key} found no lens in the arguments.`, {
      entity: this.key,
      cure: inDevelopment(() => 'Pass the argument that its lens() reads.'),
    });
  }

  #entityMissing(): DataError {
    return new DataError('scalar-entity-missing', `${this.key} is used outside of an entity.`, {
      entity: this.key,
      cure: inDevelopment(() => 'Give it the option entity.'),
    });
  }
}

function rowPk(entity: string, pk: string, lens: string): string {
  return `${escapePart(entity)}|${escapePart(pk)}|${escapePart(lens)}`;
}

/** Escapes `|`, which separates the parts of a pk, so that every pk is unique. */
function escapePart(part: string): string {
  return part.includes('|') || part.includes('%') ? part.replaceAll('%', '%25').replaceAll('|', '%7C') : part;
}

function isRows(stored: unknown): stored is { readonly rows: readonly string[] } {
  return isObject(stored) && Array.isArray(stored['rows']);
}
