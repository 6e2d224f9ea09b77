import type { EntityInterface } from '../../define/schema/entity.ts';
import { Entity } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import type { Choice, RowSchema, SchemaSimple } from '../../define/schema/schema.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';
import { warn } from '../../std/warn.ts';
import type { Relation, Relations } from './relations.ts';
import type { Table } from './table.ts';

/** How deep schemas other than entities may be nested in each other. */
export const MAX_NESTING = 400;

/** A schema in the form that the walks use, computed once. */
export type Plan = EntityPlan | RowsPlan | ListPlan | ChoicePlan | AllPlan | ConvertPlan | StructurePlan | PlainPlan;

/** No schema, or one without effect: the value stays as it is. */
export interface PlainPlan {
  readonly kind: 'plain';
}

/** A function that converts a stored value when it is read. */
export interface ConvertPlan {
  readonly kind: 'convert';
  readonly convert: (stored: unknown) => unknown;
}

/** An array of one schema. The walks process it themselves, so that long arrays can be patched. */
export interface ListPlan {
  readonly kind: 'list';
  readonly item: Plan;
}

/** The members of a list with several schemas. */
export interface ChoicePlan {
  readonly kind: 'choice';
  readonly choice: Choice;
}

/** Every record of some tables. */
export interface AllPlan {
  readonly kind: 'all';
  /** Reads a selection of the records. */
  readonly schema: SchemaSimple;
  readonly tables: readonly string[];
  readonly lists: readonly ListPlan[];
}

/** A schema that normalizes and denormalizes itself. */
export interface StructurePlan {
  readonly kind: 'structure';
  readonly schema: SchemaSimple;
}

/** A schema other than an entity that has a table of its own: a collection. */
export interface RowsPlan {
  readonly kind: 'rows';
  readonly schema: RowSchema;
  readonly table: Table;
  /** The plan of the row. */
  readonly inner: Plan;
  /** Whether the cells of the table hold the values of this plan. Otherwise its values are in variant cells. */
  readonly isHome: boolean;
}

/** A field with a relation. */
export interface FieldPlan {
  readonly name: string;
  readonly plan: Plan;
  readonly relation: Relation;
  /** Whether another class of the table declares the field, and this class does not. */
  readonly isForeign: boolean;
  /** Whether every object inherits a property of this name, so that reading it does not tell whether the field is there. */
  readonly isInherited: boolean;
}

/** Makes the value of a row show a relation in one of its fields. */
export type ShowField = (row: unknown, cells: unknown) => void;

export interface ConvertField {
  readonly name: string;
  readonly convert: (stored: unknown) => unknown;
}

/** Which hooks of an entity class are overridden, and its validator. */
export interface EntityHooks {
  /** Whether storing a record runs no code of the class. */
  readonly areInherited: boolean;
  readonly process: boolean;
  /** Whether `process` or the validator may change a record. */
  readonly isProcessing: boolean;
  readonly pk: boolean;
  readonly validate: boolean;
  readonly merge: boolean;
  readonly create: boolean;
  readonly fromJS: boolean;
  readonly denormalize: boolean;
  readonly validator: StandardSchema | undefined;
}

/** Makes plans. */
export interface Planner {
  readonly planOf: (schema: unknown) => Plan;
  /** Returns whether two schemas read the same value. */
  readonly isSame: (one: unknown, other: unknown) => boolean;
  /**
   * Called when a schema was assigned again: the rows of a table must be rebuilt. With `fields`, only rows with these fields, because a
   * class has now declared them.
   */
  rebuild(table: Table, fields?: readonly string[]): void;
}

/** The plan of an entity class. Computed once for each store, and again when `static schema` is assigned. */
export class EntityPlan {
  readonly kind = 'entity';
  readonly entity: EntityInterface;
  readonly table: Table;
  /** Whether the cells of the table hold the values of this class. Otherwise its values are in variant cells. */
  readonly isHome: boolean;
  readonly hooks: EntityHooks;
  refs: readonly FieldPlan[] = [];
  refNames: ReadonlySet<string> = new Set();
  converts: readonly ConvertField[] = [];
  /** The relations that the value shows. They are among `refs` too, so that nested records in their fields are normalized. */
  shows: readonly ShowField[] = [];
  readonly #relations: Relations;
  readonly #planner: Planner;
  #schema: unknown = undefined;
  /** The version of the relations with which this plan was computed. */
  #version = 0;

  constructor(entity: EntityInterface, table: Table, relations: Relations, isHome: boolean, planner: Planner) {
    this.entity = entity;
    this.table = table;
    this.isHome = isHome;
    this.#relations = relations;
    this.hooks = hooksOf(entity);
    this.#planner = planner;
  }

  /** Whether the value of a row, read by itself, is always that of its cell. */
  get isOfCells(): boolean {
    return this.isHome && this.entity.maxEntityDepth === undefined;
  }

  /** Returns the plan, updated to `static schema` and to the relations of the table. */
  get current(): this {
    if (this.entity.schema !== this.#schema || this.#relations.version !== this.#version) this.#compile();
    return this;
  }

  /** Updates a plan that is in use if `static schema` was assigned again. */
  refresh(): void {
    if (this.#schema === undefined || this.entity.schema === this.#schema) return;
    try {
      this.#compile();
    } catch {
      // The schema is invalid. The next use of the class throws.
    }
  }

  #compile(): void {
    const given = keptSchema(this.entity);
    const isFirst = this.#schema === undefined;
    const isSchemaNew = given !== this.#schema;
    const relations = this.#relations;
    const { version } = relations;
    const refs: FieldPlan[] = [];
    const refNames = new Set<string>();
    const converts: ConvertField[] = [];
    const shows: ShowField[] = [];
    const hasNewSchema = relations.hasNewSchema(this.entity);
    for (const name of Object.keys(given)) {
      const schema = given[name];
      if (Object(schema) !== schema) warnMissing(this.entity, name, schema);
      const plan = this.#planner.planOf(schema);
      if (plan.kind === 'convert') converts.push({ name, convert: plan.convert });
      else if (plan.kind !== 'plain') {
        const known = hasNewSchema ? undefined : relations.get(name);
        const relation = known ?? relations.relate(name, schema, this.#planner.isSame);
        refs.push({ name, plan, relation, isForeign: false, isInherited: name in Object.prototype });
        refNames.add(name);
        if (plan.kind === 'structure' && plan.schema.showIn !== undefined)
          shows.push(plan.schema.showIn(name) as ShowField);
      }
    }
    // Set only now, so that an invalid schema throws at each use.
    this.#schema = given;
    this.shows = shows;
    this.refs = refs;
    this.refNames = refNames;
    this.converts = converts;
    if (relations.size > refs.length) this.#addForeign(refs, refNames);
    this.#version = relations.version;
    // Values that were built with the former schema, or by classes that did not know this one, are rebuilt when they are read.
    if (isSchemaNew && !isFirst) this.#planner.rebuild(this.table);
    else if (relations.version > version && this.table.isKnown)
      this.#planner.rebuild(this.table, relations.namesSince(version));
  }

  /** Adds the fields that other classes of the table declare, and this one does not. */
  #addForeign(refs: FieldPlan[], refNames: Set<string>): void {
    for (const relation of this.#relations.values()) {
      const { name, schema } = relation;
      if (Object.hasOwn(this.entity.schema, name) || !this.#canHold(name)) continue;
      const plan = this.#planner.planOf(schema);
      refs.push({ name, plan, relation, isForeign: true, isInherited: name in Object.prototype });
      refNames.add(name);
    }
  }

  /** Returns whether an entity is invalid if this field is: its class has a truthy default for it. */
  requires({ name, isForeign }: FieldPlan): boolean {
    return !isForeign && Boolean((this.entity.defaults as Record<string, unknown>)[name]);
  }

  /** Returns whether another class declares one of these fields, and this class does not. */
  isForeign(fields: readonly string[]): boolean {
    return this.current.refs.some(({ name, isForeign }) => isForeign && fields.includes(name));
  }

  /** Returns false for a field whose default is a text, a number or a boolean: it holds no records. `null` and `undefined` tell nothing. */
  #canHold(name: string): boolean {
    const given: unknown = (this.entity.defaults as Record<string, unknown>)[name];
    return isObject(given ?? {});
  }
}

/**
 * Returns the schema of a class. Another object counts as a new schema. So a getter that returns another object each time is replaced by its value,
 * except in a frozen class.
 */
function keptSchema(entity: EntityInterface): EntityInterface['schema'] {
  const value = entity.schema;
  if (entity.schema !== value) Reflect.defineProperty(entity, 'schema', { value, writable: true });
  return value;
}

function warnMissing(entity: EntityInterface, field: string, given: unknown): void {
  warn(entity, 'field-schema-missing', () => {
    const { key } = entity;
    const what = `The schema of ${key} has ${typeof given === 'string' ? JSON.stringify(given) : String(given)} for ${field}`;
    return given === undefined
      ? `${what}, so records in it are not normalized. If modules import each other, assign it after both classes are defined: ${key}.schema = { ${field}: … }.`
      : `${what}, which is no schema. Name there only fields that hold records, with their classes, or that are converted, such as dates.`;
  });
}

function hooksOf(entity: EntityInterface): EntityHooks {
  const process = entity.process !== Entity.process;
  const isProcessing = process || entity.validator !== undefined;
  const pk = entity.pk !== Entity.pk || (entity.prototype as { pk?: unknown }).pk !== Entity.prototype.pk;
  const validate = entity.validate !== Entity.validate;
  const merge =
    entity.merge !== Entity.merge ||
    entity.mergeWithStore !== Entity.mergeWithStore ||
    entity.shouldUpdate !== Entity.shouldUpdate ||
    entity.shouldReorder !== Entity.shouldReorder ||
    entity.mergeMetaWithStore !== Entity.mergeMetaWithStore;
  return {
    areInherited: !(isProcessing || pk || validate || merge),
    process,
    isProcessing,
    pk,
    validate,
    merge,
    create: entity.createIfValid !== Entity.createIfValid,
    fromJS: entity.fromJS !== Entity.fromJS,
    denormalize: 'denormalize' in entity,
    validator: entity.validator,
  };
}
