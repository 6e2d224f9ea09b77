import { memo } from '../../std/memo.ts';
import { convertOf } from '../../define/schema/convert.ts';
import { checkClass } from '../../define/schema/check-class.ts';
import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import type { CollectionQuery } from '../../define/schema/delegate.ts';
import type { Choice, RowSchema, SchemaSimple } from '../../define/schema/schema.ts';
import type { RowEdit } from '../../define/schema/row.ts';
import { checkMinified } from '../../define/schema/check-key.ts';
import { onlyItem, schemaOf } from '../../define/schema/shorthand.ts';
import { isDevelopment } from '../../std/development.ts';
import type { ToNotify } from '../graph/mark.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import { Followers } from './followers.ts';
import { Leaving } from './leaving.ts';
import { PlanNames } from './plan-names.ts';
import { nestedTooDeep } from './plan-parts.ts';
import {
  type AllPlan,
  EntityPlan,
  type ListPlan,
  MAX_NESTING,
  type Plan,
  type Planner,
  type PlainPlan,
  type RowsPlan,
} from './plan.ts';
import { type Relation, Relations } from './relations.ts';
import { rebuildRows } from './row-variants.ts';
import { type Below, type RowCell, type RowReader, Table } from './table.ts';

/** Makes the reader of a table. Passed in, so that tables do not import the code that reads. */
export type ReaderOf = (plan: EntityPlan | RowsPlan) => RowReader;

const PLAIN: PlainPlan = { kind: 'plain' };

/** A set of tables with the plans bound to them: those of the store, of an optimistic layer, or of a snapshot. */
export class Space implements Planner {
  readonly tables: Map<string, Table> = new Map();
  /** Collections whose row has changed since their parts were linked. */
  readonly unlinked: Set<RowCell> = new Set();
  readonly leaving: Leaving = new Leaving();
  /** A signal for temporary pks that have become aliases, or are none any more. */
  readonly renamed: SignalCell = new SignalCell();
  /** Tables with rows that were stored before all relations of their classes were known. */
  readonly unadopted: Set<Table> = new Set();
  /** The declared fields by table. */
  readonly relations: Map<string, Relations> = new Map();
  readonly followers: Followers;
  /** Counts how many times plans have changed. */
  revision = 0;
  /** Whether restored lists have got a schema since guesses were made. */
  hasNewLists = false;
  /** Notifies observers of values that must be rebuilt. Set by the store. */
  onRebuilt: (rebuilt: ToNotify) => void = () => {};
  readonly #plans = new WeakMap<object, Plan>();
  readonly #entityPlans: EntityPlan[] = [];
  /** The class whose values the cells of a table hold. */
  readonly #entities = new Map<Table, EntityInterface>();
  readonly #lists = new WeakMap<Plan, ListPlan>();
  readonly #allPlans = new WeakMap<ListPlan, AllPlan>();
  readonly #readerOf: ReaderOf;
  readonly #below: Below | undefined;
  #names: PlanNames | undefined = undefined;

  constructor(readerOf: ReaderOf, below?: Below) {
    this.#readerOf = readerOf;
    this.#below = below;
    this.followers = below?.followers ?? new Followers();
  }

  table(name: string): Table {
    const found = this.tables.get(name);
    if (found !== undefined) return found;
    const made = new Table(name, this.#below, this.serverPk);
    this.tables.set(name, made);
    return made;
  }

  /** Returns the pk of the server for a temporary pk of any table. An arrow function, so that it can be passed on. */
  readonly serverPk = (temporary: string): string => {
    // On top of other rows, tables are made when they are read.
    for (const name of this.#below?.names() ?? this.tables.keys()) {
      const server = this.table(name).aliases.get(temporary);
      if (server !== undefined) return server;
    }
    return temporary;
  };

  /** Returns the cell of a row, if there ever was one. */
  find(name: string, pk: string): RowCell | undefined {
    return this.#below === undefined ? this.tables.get(name)?.find(pk) : this.table(name).cellOf(pk);
  }

  /** Returns the table with all of its rows, including those below a layer. */
  wholeTable(name: string): Table {
    const table = this.table(name);
    this.#below?.copyAll(table);
    return table;
  }

  /** Returns the table with all collections that match, including those below a layer. */
  someOf(name: string, query: CollectionQuery): Table {
    const table = this.table(name);
    if (this.#below?.copySome === undefined) return this.wholeTable(name);
    this.#below.copySome(table, query);
    return table;
  }

  /** Notes that the content of a row was read, and not only that there is a row. */
  noteRead(cell: RowCell): void {
    this.#below?.noteRead?.(cell);
  }

  /** Edits a row of a guess, now or when it is read. */
  edit(cell: RowCell, edit: RowEdit): void {
    this.#below?.edit?.(cell, edit);
  }

  /** Returns the names in the keys of the collections of a table below. `undefined` if there is nothing below. */
  namesBelow(table: string): ReadonlySet<string> | undefined {
    return this.#below?.argumentNames?.(table);
  }

  /** Whether this is the store itself, with nothing below. */
  get isBase(): boolean {
    return this.#below === undefined;
  }

  /** Called when classes have declared something new of a table. */
  rebuild(table: Table, fields?: readonly string[]): void {
    this.revision++;
    this.unadopted.add(table);
    this.#rebuild(table, fields);
  }

  /** Updates the plans of classes whose `static schema` was assigned again. */
  refresh(): void {
    for (const plan of this.#entityPlans) plan.refresh();
  }

  /** Marks the rows of a table for rebuilding. */
  #rebuild(table: Table, fields: readonly string[] | undefined): void {
    const toNotify: ToNotify = new Map();
    rebuildRows(table, toNotify, fields);
    this.onRebuilt(toNotify);
  }

  /** An arrow function, so that it can be passed on. */
  readonly planOf = (schema: unknown): Plan => this.#planAt(schema, 0);

  /** As `planOf`, for a schema inside of `depth` lists. */
  #planAt(schema: unknown, depth: number): Plan {
    if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return PLAIN;
    const found = this.#plans.get(schema);
    if (found !== undefined) return found;
    const made = this.#plan(schema, depth);
    this.#plans.set(schema, made);
    return made;
  }

  /** The names of plans. Schemas that read and store the same have the same name. */
  get names(): PlanNames {
    return (this.#names ??= new PlanNames(this.planOf));
  }

  /** Returns whether two schemas read and store the same. An arrow function, so that it can be passed on. */
  readonly isSame = (one: unknown, other: unknown): boolean =>
    one === other || this.names.of(this.planOf(one)) === this.names.of(this.planOf(other));

  #plan(given: object, depth: number): Plan {
    if (typeof given === 'function')
      return isEntity(given) ? this.#entity(given) : { kind: 'convert', convert: convertOf(given) };
    // An empty list as a schema has no effect.
    if (Array.isArray(given)) return given.length === 0 ? PLAIN : this.#list(onlyItem(given), depth);
    if (isChoice(given)) return { kind: 'choice', choice: given };
    const schema = schemaOf(given);
    if (schema.listOf !== undefined) return this.#list(schema.listOf, depth);
    if (schema.allOf !== undefined) return this.#all(schema, schema.allOf);
    return isRowSchema(schema) ? this.#rows(schema, depth) : { kind: 'structure', schema };
  }

  /** Returns one plan for all lists with the same schema. */
  #list(schema: unknown, depth: number): ListPlan {
    if (depth > MAX_NESTING) throw nestedTooDeep();
    const item = this.#planAt(schema, depth + 1);
    const found = this.#lists.get(item);
    if (found !== undefined) return found;
    const made: ListPlan = { kind: 'list', item };
    this.#lists.set(item, made);
    return made;
  }

  /** Returns one plan for all lists of every record of an entity. */
  #all(schema: SchemaSimple, entities: readonly unknown[]): AllPlan {
    const lists = entities.map((entity) => this.#list(entity, 0));
    const tables = entities.map((entity) => (entity as { readonly key: string }).key);
    const made: AllPlan = { kind: 'all', schema, tables, lists };
    const [only] = lists;
    if (only === undefined || lists.length > 1) return made;
    return memo(this.#allPlans, only, () => made);
  }

  #entity(entity: EntityInterface): EntityPlan {
    const table = this.table(entity.key);
    const isHome = !table.hasReader;
    if (!isHome && !isDevelopment()) checkMinified(entity, this.entityOf(table));
    const relations = this.relationsOf(table.name);
    const plan = new EntityPlan(entity, table, relations, isHome, this);
    this.#entityPlans.push(plan);
    if (isHome) {
      table.reader = this.#readerOf(plan);
      this.#entities.set(table, entity);
    }
    if (isDevelopment()) checkClass(entity, () => this.entityOf(table));
    return plan;
  }

  /** Returns the class whose values the cells of the table hold. */
  entityOf(table: Table): EntityInterface {
    // Called only for tables of records.
    return this.#entities.get(table) as EntityInterface;
  }

  /** Returns the declared fields of a table. A space on top of the store begins with those of the store. */
  relationsOf(table: string): Relations {
    const relations = this.relations.get(table) ?? this.#below?.relations(table) ?? new Relations();
    this.relations.set(table, relations);
    return relations;
  }

  /** Sets whether responses have nested records in these fields. Classes that do not declare the fields read them accordingly. */
  nest(found: Iterable<readonly [relation: Relation, table: string]>, isNested: boolean): void {
    for (const [relation, table] of found) {
      const relations = this.relationsOf(table);
      relations.nest(relation, isNested);
      if (relations.isShared) this.#rebuild(this.table(table), [relation.name]);
    }
  }

  #rows(schema: RowSchema, depth: number): RowsPlan {
    const table = this.table(schema.key);
    const inner = this.#planAt(schema.schema, depth);
    const isHome =
      table.collection === undefined || this.names.of(this.planOf(table.collection.schema)) === this.names.of(inner);
    const plan: RowsPlan = { kind: 'rows', schema, table, inner, isHome };
    this.followers.add(schema);
    if (!table.hasReader) {
      table.reader = this.#readerOf(plan);
      table.collection = schema;
      for (const cell of table.cells.values()) this.unlinked.add(cell);
      this.hasNewLists ||= table.cells.size > 0;
    }
    return plan;
  }
}

function isChoice(schema: object): schema is Choice {
  return 'isChoice' in schema && schema.isChoice === true;
}

export function isRowSchema(schema: object): schema is RowSchema {
  return 'keepsRows' in schema && schema.keepsRows === true;
}
