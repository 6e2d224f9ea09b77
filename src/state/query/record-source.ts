import type { NamedArgs } from '../../define/query/argument.ts';
import { type Condition, type ReadField, type Test } from '../../define/query/condition.ts';
import type { Description, OwnerKey } from '../../define/query/description.ts';
import type { EntityInterface } from '../../define/schema/entity.ts';
import { warn } from '../../std/warn.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { queryFailed } from './query-failed.ts';
import { pathIn } from './relation-path.ts';
import { renamesOf } from './renames.ts';
import { isAlwaysValid, isStored, rowConditions, type RowConditions, storedField } from './row-conditions.ts';
import { type SortedRows, sortedRows } from './sorted-rows.ts';
import type { Passes, SourceCell } from './source-cell.ts';
import { rowsOf, sourceFor } from './sources.ts';

/** The cells and arguments with which a query is read. */
export interface Reading {
  readonly cells: Cells;
  /** For a query of a collection: the pk of the collection. */
  readonly stored: unknown;
  /** For a relation: the values of the owner that decide which records belong to it. */
  readonly owner: OwnerKey;
  readonly named: NamedArgs;
}

/** The items of a query before they are sorted, with the conditions that are still to be checked. */
export interface Stage {
  /** The name of the items in errors. */
  readonly name: string;
  readonly source: SourceCell;
  readonly passes: Passes;
  /** How fields of its values are read, where these are rows. */
  readonly read?: ReadField;
  /** An index with all items of the source, in the order of the query. */
  readonly index?: SortedRows | undefined;
}

/** How a query finds the records with which it begins. */
export interface RecordSearch extends RowConditions {
  readonly plan: EntityPlan;
  /** Whether rows decide about everything, so that only shown records are built. */
  readonly isOnRows: boolean;
  /** An index with all of these records, in the order of the query. */
  readonly index: SortedRows | undefined;
}

/** Returns how a query finds the records with which it begins: the indexes that lead to them, and the conditions that are left to check. */
export function recordSearchFor(entity: EntityInterface, description: Description, reading: Reading): RecordSearch {
  const { cells, named, owner } = reading;
  const { conditions, limit, order, result } = description;
  const path = pathIn(description);
  const plan = cells.space.planOf(entity) as EntityPlan;
  const found = rowConditions(
    plan,
    conditions,
    named,
    path?.indexed?.(owner) ?? [],
    path?.records !== undefined,
    cells,
  );
  const isFew = limit !== undefined || result !== 'list';
  const isOnRows =
    isFew &&
    found.rest.length === 0 &&
    isAlwaysValid(plan) &&
    path?.records === undefined &&
    path?.test === undefined &&
    order.every(({ by }) => typeof by === 'string' && isStored(plan, by));
  const [step, ...others] = order;
  const isListed = result === 'list' || result === 'one';
  const isWhole = isOnRows && isListed && found.indexed.length + found.tests.length + others.length === 0;
  const byName = [...found.byName, ...(path?.test === undefined ? [] : [''])];
  return { ...found, plan, byName, isOnRows, index: step && isWhole ? sortedRows(cells, plan, step) : undefined };
}

/** Returns the records that a query begins with: those that indexes find, or all of them. */
export function recordsOf(entity: EntityInterface, description: Description, reading: Reading): Stage {
  const { cells, owner } = reading;
  const name = entity.key;
  const path = pathIn(description);
  const search = recordSearchFor(entity, description, reading);
  const { between, index, indexed, byName, isOnRows, plan, rest, tests } = search;
  warnOfConditions(description.conditions, search, description, reading);
  const found = path?.records?.(cells, plan, owner, indexed);
  const ofMembers = isOnRows ? [] : tests;
  const key = ofMembers.length > 0 ? undefined : JSON.stringify([isOnRows, byName, indexed, between]);
  return {
    name,
    source: found ?? sourceFor(cells, plan, key, isOnRows, () => rowsOf(cells, plan, search, ofMembers)),
    passes: passing(name, [
      ...(isOnRows ? tests : []),
      ...(path?.test ? [path.test(owner, renamesOf(cells))] : []),
      ...rest,
    ]),
    ...(isOnRows && { read: storedField(plan), index }),
  };
}

/** A query that has searched more rows than this, more often than this, causes a warning. */
const MAX_ROWS = 5000;
const MAX_SCANS = 3;
const scans = /* #__PURE__ */ new WeakMap<readonly Condition[], number>();

/** Warns of mistakes in the conditions of a query. A production bundle does not contain the checks. */
function warnOfConditions(
  conditions: readonly Condition[],
  search: RecordSearch,
  description: Description,
  reading: Reading,
): void {
  // If a query has searched a large table several times, the warning names the index that would find its rows.
  warn(conditions, 'query-scans', () => {
    const { between, index, indexed, plan } = search;
    const { cells, named } = reading;
    if (indexed.length > 0 || index || between || pathIn(description) || !cells.space.isBase) return undefined;
    const times = (scans.get(conditions) ?? 0) + 1;
    scans.set(conditions, times);
    const { key } = plan.entity;
    if (times <= MAX_SCANS || cells.space.table(key).size <= MAX_ROWS) return undefined;
    const fields = conditions.flatMap((condition) => (typeof condition === 'function' ? [] : Object.keys(condition)));
    const names = Object.keys(named);
    if (fields.length + names.length === 0) return undefined;
    const cure =
      fields.length > 0
        ? `Add static indexes = [${fields.map((field) => `'${field}'`).join(', ')}] to the class`
        : `Use where({ field: arg('${names[0]}') }) in place of the function`;
    return `A query has searched more than ${MAX_ROWS} ${key} rows again and again: once for each reader, or for each of their arguments. ${cure}.`;
  });
  // Warns of a field that neither the class nor a stored row has. Checks only the store itself, because a snapshot may not have copied its rows yet, and
  // only tables with rows.
  warn(conditions, 'field-unknown', () => {
    const { entity, table } = search.plan;
    if (!reading.cells.space.isBase || table.size === 0) return undefined;
    const fields = [
      ...conditions.flatMap((condition) => (typeof condition === 'function' ? [] : Object.keys(condition))),
      ...description.order.flatMap(({ by }) => (typeof by === 'string' ? [by] : [])),
    ];
    const isUnknown = (field: string): boolean => {
      const has = (one: unknown): boolean => field in Object(one);
      if (has(entity.defaults) || has(entity.schema)) return false;
      for (const { row } of table.cells.values()) if (has(row)) return false;
      return true;
    };
    const unknown = fields.find(isUnknown);
    if (unknown === undefined) return undefined;
    return `A query of ${entity.key} names the field ${unknown}, which no ${entity.key} has. Correct its name, or give it a default.`;
  });
}

/** Returns a function that tests whether an item passes all tests. */
export function passing(name: string, tests: readonly Test[], before?: Passes): Passes {
  return (value, item) => {
    if (value === undefined || before?.(value, item) === false) return false;
    try {
      // A loop and not `every`, because this runs for every record.
      for (const test of tests) if (!test(value)) return false;
      return true;
    } catch (error) {
      throw queryFailed('where()', name, error, item.pk);
    }
  };
}
