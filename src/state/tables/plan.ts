import type { EntityInterface } from '../../define/schema/entity.ts';
import { Entity } from '../../define/schema/entity.ts';
import type { Choice, RowSchema, SchemaSimple } from '../../define/schema/schema.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';
import { warn } from '../../std/warn.ts';
import type { Relation, Relations } from './relations.ts';
import type { Table } from './table.ts';

/** What the walks need to know of a schema, worked out once. */
export type Plan = EntityPlan | RowsPlan | ListPlan | ChoicePlan | AllPlan | ConvertPlan | StructurePlan | PlainPlan;

/** No schema, or one that says nothing: the value stays what it is. */
export interface PlainPlan {
  readonly kind: 'plain';
}

/** A function that makes a richer value of a stored one, on read. */
export interface ConvertPlan {
  readonly kind: 'convert';
  readonly convert: (stored: unknown) => unknown;
}

/** An array of one schema: the walks treat it themselves, so that a long one can be patched. */
export interface ListPlan {
  readonly kind: 'list';
  readonly item: Plan;
}

/** The members of a list of several kinds. */
export interface ChoicePlan {
  readonly kind: 'choice';
  readonly choice: Choice;
}

/** Every record of some tables. */
export interface AllPlan {
  readonly kind: 'all';
  /** Reads a selection of them. */
  readonly schema: SchemaSimple;
  readonly tables: readonly string[];
  readonly lists: readonly ListPlan[];
}

/** A schema that says itself how it is filed and rebuilt. */
export interface StructurePlan {
  readonly kind: 'structure';
  readonly schema: SchemaSimple;
}

/** A schema with a table of its own that is not an entity: a collection. */
export interface RowsPlan {
  readonly kind: 'rows';
  readonly schema: RowSchema;
  readonly table: Table;
  /** What a row is made of. */
  readonly inner: Plan;
  /** Whether the values that it reads are the ones that the table's own cells hold. */
  readonly isHome: boolean;
}

/** A field that stands for other cells. */
export interface FieldPlan {
  readonly name: string;
  readonly plan: Plan;
  readonly relation: Relation;
  /** Whether another class of the table says what stands here, and this class says nothing. */
  readonly isForeign: boolean;
  /** Every object inherits a member of this name, so that having the field is not the same as finding a value. */
  readonly isInherited: boolean;
}

/** Has the value of a row show in a field what is read for it. */
export type ShowField = (row: unknown, cells: unknown) => void;

export interface ConvertField {
  readonly name: string;
  readonly convert: (stored: unknown) => unknown;
}

/** Which hooks of an entity class are its own, and what checks its records. */
export interface EntityHooks {
  /** Whether filing a record runs no code of the class. */
  readonly areInherited: boolean;
  readonly process: boolean;
  /** Whether a record may be another once it has been processed and validated. */
  readonly isProcessing: boolean;
  readonly pk: boolean;
  readonly validate: boolean;
  readonly merge: boolean;
  readonly create: boolean;
  readonly fromJS: boolean;
  readonly denormalize: boolean;
  readonly validator: StandardSchema | undefined;
}

const MERGE_HOOKS = ['merge', 'mergeWithStore', 'shouldUpdate', 'shouldReorder', 'mergeMetaWithStore'] as const;

/** Makes plans. */
export interface Planner {
  readonly planOf: (schema: unknown) => Plan;
  /** Whether two schemas read the same. */
  readonly isSame: (one: unknown, other: unknown) => boolean;
  /**
   * A schema was assigned anew: what is in a table is read differently from now on. With `fields`, only these are, because
   * a class says now what stands behind them.
   */
  rebuild(table: Table, fields?: readonly string[]): void;
}

/** An entity class, worked out once for each store and again when its `schema` is assigned anew. */
export class EntityPlan {
  readonly kind = 'entity';
  readonly entity: EntityInterface;
  readonly table: Table;
  /** Whether the values of this class are the ones that the table's own cells hold. */
  readonly isHome: boolean;
  readonly hooks: EntityHooks;
  refs: readonly FieldPlan[] = [];
  refNames: ReadonlySet<string> = new Set();
  converts: readonly ConvertField[] = [];
  /** Of relations, which stand among `refs` too, so that what is nested in the field is filed. */
  shows: readonly ShowField[] = [];
  readonly #relations: Relations;
  readonly #planner: Planner;
  #schema: unknown = undefined;
  /** What the classes of the table had said when this was worked out. */
  #version = 0;

  constructor(entity: EntityInterface, table: Table, relations: Relations, isHome: boolean, planner: Planner) {
    this.entity = entity;
    this.table = table;
    this.isHome = isHome;
    this.#relations = relations;
    relations.add(entity);
    this.hooks = hooksOf(entity);
    this.#planner = planner;
  }

  /** The plan, brought in line with `static schema`. */
  get current(): this {
    if (this.entity.schema !== this.#schema || this.#relations.version !== this.#version) this.#bringInLine();
    return this;
  }

  #bringInLine(): void {
    const isFirst = this.#schema === undefined;
    const isSchemaNew = this.entity.schema !== this.#schema;
    const { version } = this.#relations;
    this.#compile();
    this.#version = this.#relations.version;
    // What was built by the former schema, or by classes that did not know this, is built anew when it is read.
    if (isSchemaNew && !isFirst) this.#planner.rebuild(this.table);
    else if (this.#version > version && this.table.isKnown)
      this.#planner.rebuild(this.table, this.#relations.namesSince(version));
  }

  #compile(): void {
    const given = this.entity.schema;
    this.#schema = given;
    const refs: FieldPlan[] = [];
    const refNames = new Set<string>();
    const converts: ConvertField[] = [];
    const shows: ShowField[] = [];
    const isNews = this.#relations.isNews(this.entity);
    for (const name of Object.keys(given)) {
      const schema = given[name];
      if (schema === undefined) warnMissing(this.entity, name);
      const plan = this.#planner.planOf(schema);
      if (plan.kind === 'convert') converts.push({ name, convert: plan.convert });
      else if (plan.kind !== 'plain') {
        const known = isNews ? undefined : this.#relations.find(name);
        const relation = known ?? this.#relations.relate(name, schema, this.#planner.isSame);
        refs.push({ name, plan, relation, isForeign: false, isInherited: name in Object.prototype });
        refNames.add(name);
        if (plan.kind === 'structure' && plan.schema.showIn !== undefined)
          shows.push(plan.schema.showIn(name) as ShowField);
      }
    }
    this.shows = shows;
    this.refs = refs;
    this.refNames = refNames;
    this.converts = converts;
    if (this.#relations.size > refs.length) this.#addForeign(refs, refNames);
  }

  /** What other classes say of fields that this one says nothing of. */
  #addForeign(refs: FieldPlan[], refNames: Set<string>): void {
    for (const relation of this.#relations) {
      const { name, schema } = relation;
      if (Object.hasOwn(this.entity.schema, name) || !this.#canHold(name)) continue;
      const plan = this.#planner.planOf(schema);
      refs.push({ name, plan, relation, isForeign: true, isInherited: name in Object.prototype });
      refNames.add(name);
    }
  }

  /** Whether an entity with this field invalid is invalid itself: its class gives it a truthy default. */
  requires({ name, isForeign }: FieldPlan): boolean {
    return !isForeign && Boolean((this.entity.defaults as Record<string, unknown>)[name]);
  }

  /** Whether this class says nothing of one of these fields, and another class does. */
  isForeign(fields: readonly string[]): boolean {
    return this.current.refs.some(({ name, isForeign }) => isForeign && fields.includes(name));
  }

  /** A field with a text or a number as its default is no place for records. */
  #canHold(name: string): boolean {
    const given = (this.entity.defaults as Record<string, unknown>)[name];
    return given === undefined || (typeof given === 'object' && given !== null);
  }
}

function warnMissing(entity: EntityInterface, field: string): void {
  warn(
    entity,
    'field-schema-missing',
    () =>
      `The schema of ${entity.key} has undefined for ${field}, so records in it are filed nowhere. Where modules import each other, assign ` +
      `it after both classes are defined: ${entity.key}.schema = { ${field}: … }.`,
  );
}

function hooksOf(entity: EntityInterface): EntityHooks {
  const own = (hook: Exclude<keyof EntityInterface, 'prototype' | 'name' | 'key' | 'schema' | 'defaults'>): boolean =>
    entity[hook] !== Entity[hook];
  const process = own('process');
  const isProcessing = process || entity.validator !== undefined;
  const pk = own('pk') || (entity.prototype as { pk?: unknown }).pk !== Entity.prototype.pk;
  const validate = own('validate');
  const merge = MERGE_HOOKS.some(own);
  return {
    areInherited: !(isProcessing || pk || validate || merge),
    process,
    isProcessing,
    pk,
    validate,
    merge,
    create: own('createIfValid'),
    fromJS: own('fromJS'),
    denormalize: 'denormalize' in entity,
    validator: entity.validator,
  };
}
