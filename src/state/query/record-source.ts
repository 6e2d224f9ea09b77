import type { NamedArgs } from '../../define/query/argument.ts';
import { type Condition, type ReadField, testOf } from '../../define/query/condition.ts';
import type { Description, OwnerKey } from '../../define/query/description.ts';
import type { EntityInterface } from '../../define/schema/entity.ts';
import { warn } from '../../std/warn.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { queryFailed } from './query-failed.ts';
import { pathIn } from './relation-path.ts';
import { isAlwaysValid, isStored, rowConditions, type RowConditions, storedField } from './row-conditions.ts';
import { type SortedRows, sortedRows } from './sorted-rows.ts';
import type { SourceCell } from './source-cell.ts';
import { allRecords, recordsWith, rowsWith, testedRecords } from './sources.ts';
import type { WindowOptions } from './window.ts';

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
  readonly passes: WindowOptions['passes'];
  /** Reads a field of an item, if the items are rows. */
  readonly read?: ReadField;
  /** An index that has the items in the order of the query. */
  readonly index?: SortedRows | undefined;
}

/** How a query finds its records. */
export interface RecordsAsked extends RowConditions {
  readonly plan: EntityPlan;
  /** Whether rows suffice to find and sort the records, so that only the shown records are built. */
  readonly isOnRows: boolean;
  /** An index that has the records in the order of the query. */
  readonly index: SortedRows | undefined;
}

export function recordsAsked(entity: EntityInterface, description: Description, reading: Reading): RecordsAsked {
  const { cells, named, owner } = reading;
  const { conditions, order } = description;
  const path = pathIn(description);
  const plan = cells.space.planOf(entity) as EntityPlan;
  const asked = rowConditions(plan, conditions, named, path?.indexed?.(owner) ?? []);
  const isFound = path?.records !== undefined || path?.test !== undefined;
  const { tests } = asked;
  const isOnRows = tests !== undefined && !isFound && isFewOfRows(plan, description);
  const [step, ...others] = order;
  const isWhole = isOnRows && tests.length + others.length === 0;
  return { ...asked, plan, isOnRows, index: step && isWhole ? sortedRows(cells, plan, step) : undefined };
}

/** Returns whether a query sorts by fields of rows and shows only few records. */
function isFewOfRows(plan: EntityPlan, { group, join, limit, order, result }: Description): boolean {
  const isOfRecords = group === undefined && join === undefined && isAlwaysValid(plan);
  const isFew = limit !== undefined || result !== 'list';
  return isOfRecords && isFew && order.every(({ by }) => typeof by === 'string' && isStored(plan, by));
}

/** Returns the source of a query of an entity: the records that indexes find, or all records. */
export function recordsOf(entity: EntityInterface, description: Description, reading: Reading): Stage {
  const { cells, named, owner } = reading;
  const name = entity.key;
  const path = pathIn(description);
  const { between, index, indexed, isOnRows, plan, rest, stored, tests } = recordsAsked(entity, description, reading);
  const isScan = index === undefined && indexed.length === 0 && between === undefined && path === undefined;
  if (isScan && cells.space.isBase) warnOfScans(entity, description, reading);
  if (isOnRows && tests !== undefined)
    return {
      name,
      source: rowsWith(cells, plan, indexed, between),
      passes: passing(name, tests, [], named),
      read: storedField(plan),
      index,
    };
  const source =
    path?.records?.(cells, plan, owner, indexed) ??
    (indexed.length > 0
      ? recordsWith(cells, plan, indexed)
      : stored === undefined
        ? allRecords(cells, plan)
        : testedRecords(cells, plan, ...stored, between));
  const belongs = path?.test?.(owner);
  return { name, source, passes: passing(name, belongs ? [belongs] : [], rest, named) };
}

const MOST_ROWS = 5000;
const MOST_SCANS = 3;
const scans = /* #__PURE__ */ new WeakMap<readonly Condition[], number>();

/** Warns of conditions for which a large table is searched again and again. Names the index that would find the rows. */
function warnOfScans({ key }: EntityInterface, { conditions }: Description, { cells, named }: Reading): void {
  warn(conditions, 'query-scans', () => {
    const times = (scans.get(conditions) ?? 0) + 1;
    scans.set(conditions, times);
    if (times <= MOST_SCANS || cells.space.table(key).size <= MOST_ROWS) return undefined;
    const fields = conditions.flatMap((condition) => (typeof condition === 'function' ? [] : Object.keys(condition)));
    const names = Object.keys(named);
    if (fields.length + names.length === 0) return undefined;
    const cure =
      fields.length > 0
        ? `Add static indexes = [${fields.map((field) => `'${field}'`).join(', ')}] to the class`
        : `Use where({ field: arg('${names[0]}') }) in place of the function`;
    return `A query has searched more than ${MOST_ROWS} ${key} rows again and again: once for each reader, or for each of their arguments. ${cure}.`;
  });
}

/** Returns a function that tests whether an item passes all conditions. */
export function passing(
  name: string,
  before: readonly WindowOptions['passes'][],
  conditions: readonly Condition[],
  named: NamedArgs,
): WindowOptions['passes'] {
  const tests = conditions.map((condition) => testOf(condition, named));
  return (value, item) => {
    try {
      // Loops and not `every`, because this runs for every record.
      for (const passes of before) if (!passes(value, item)) return false;
      for (const test of tests) if (!test(value)) return false;
      return true;
    } catch (error) {
      throw queryFailed('where()', name, error, item.pk);
    }
  };
}
