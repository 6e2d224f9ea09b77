import { isComparison, listOf, operandOf, type Test, testOf } from '../../define/query/condition.ts';
import { type Description, entityOf } from '../../define/query/description.ts';
import { compareBy } from '../../define/query/order.ts';
import { Argument, type NamedArgs } from '../../define/query/argument.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import type { SchemaSimple } from '../../define/schema/schema.ts';
import { DataError } from '../../std/data-error.ts';
import { guarded, queryFailed } from './query-failed.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { Cell } from '../graph/cell.ts';
import { nameOf } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { GroupCell } from './group-cell.ts';
import { type Addition, CountCell, ListResultCell } from './result-cell.ts';
import type { Item, SourceCell } from './source-cell.ts';
import { allRecords, type Indexed, recordsWith } from './sources.ts';
import type { WindowOptions } from './window.ts';

/** What a query is read with. */
export interface Reading {
  readonly cells: Cells;
  /** Of a relation: the pk of the record that it is read for, and the pk under which that was created, if it was here. */
  readonly owner: readonly string[];
  readonly named: NamedArgs;
}

/** Makes the cell of what a query reads as. */
export function resultCell(description: Description, reading: Reading): Cell {
  const { entity, source, tests } = beginningOf(description, reading);
  const { cells, named } = reading;
  const { group, having, result, order } = description;
  const where = passing('where()', entity, tests);
  const from = group === undefined ? source : new GroupCell(source, where, group, entity, cells.frozen);
  const passes =
    group === undefined
      ? where
      : passing(
          'where()',
          entity,
          having.map((condition) => testOf(condition, named)),
        );
  const offset = countOf(description.offset, 'offset', named);
  const limit = description.limit === undefined ? Number.POSITIVE_INFINITY : countOf(description.limit, 'limit', named);
  if (result === 'count') return new CountCell(from, passes, (all) => Math.min(Math.max(all - offset, 0), limit));
  if (result === 'exists') return new CountCell(from, passes, (all) => all > offset && limit > 0);
  const compareItems = order.length > 0 && group === undefined ? byPk : from.compareItems.bind(from);
  const options = {
    passes,
    compare: guarded('orderBy()', entity, compareBy(order)),
    compareItems,
    offset,
    limit: result === 'one' ? Math.min(limit, 1) : limit,
    select: description.select && guarded('select()', entity, description.select as (record: unknown) => unknown),
    isFrozen: cells.frozen,
    isOne: result === 'one',
  };
  return new ListResultCell(from, options, additionsOf(description, reading));
}

/** The entity, the records to begin with (those that indexes find, or all of them), and what is still to be asked of each. */
interface Beginning {
  readonly entity: string;
  readonly source: SourceCell;
  readonly tests: readonly Test[];
}

function beginningOf(description: Description, { cells, named, owner }: Reading): Beginning {
  const { conditions, ownedBy } = description;
  const plan = cells.space.planOf(entityOf(description)) as EntityPlan;
  const indexed: Indexed[] = ownedBy === undefined ? [] : [[ownedBy, owner]];
  const tests = conditions.map((condition) => {
    if (typeof condition === 'function') return testOf(condition, named);
    const rest = Object.entries(condition).filter(([field, operand]) => {
      const isRef = isReference(plan, field);
      if (!isRef && !isIndexed(plan, field, operand)) return true;
      const values = namesOf(operand, named);
      if (values !== undefined) indexed.push([field, values]);
      return !isRef || values === undefined;
    });
    return testOf(Object.fromEntries(rest), named);
  });
  const records = indexed.length === 0 ? allRecords(cells, plan) : recordsWith(cells, plan, indexed);
  return { entity: plan.entity.key, source: records, tests };
}

/** Whether a field refers to a record: it is looked up by the pk in the row, whether or not that record is there. */
function isReference({ current: { refs } }: EntityPlan, field: string): boolean {
  return refs.some(({ name, plan, isForeign }) => name === field && plan.kind === 'entity' && !isForeign);
}

/** Whether an index answers a condition: the class names the field, or each reader asks for another value. */
function isIndexed({ converts, entity, hooks }: EntityPlan, field: string, operand: unknown): boolean {
  const isAsked = operand instanceof Argument || entity.indexes?.includes(field) === true;
  // Only of a field of which the record has what the row has.
  const isAsStored = !hooks.create && !hooks.fromJS && !converts.some(({ name }) => name === field);
  return isAsked && isAsStored && !(field in entity.prototype);
}

/** The names under which an index has what a field has to be; `undefined` where an index cannot tell. */
function namesOf(operand: unknown, named: NamedArgs): string[] | undefined {
  const among = isComparison(operand) ? operand['in'] : undefined;
  if (isComparison(operand) && (among === undefined || Object.keys(operand).length > 1)) return undefined;
  const values = among === undefined ? [operandOf(operand, named)] : listOf(operandOf(among, named));
  const names = values.map((value) => (hasPk(value) ? String(value.pk()) : nameOf(value)));
  return names.includes(undefined) ? undefined : (names as string[]);
}

function byPk(one: Item, other: Item): number {
  return one.pk < other.pk ? -1 : one.pk > other.pk ? 1 : 0;
}

function countOf(operand: unknown, what: string, named: NamedArgs): number {
  const number = operandOf(operand, named);
  if (typeof number === 'number' && number >= 0 && (Number.isInteger(number) || number === Number.POSITIVE_INFINITY))
    return number;
  throw new DataError(
    'query-invalid',
    `${what}() of a query was given ${String(number)}, and takes a whole number that is not below 0.`,
  );
}

function passing(what: string, entity: string, tests: readonly Test[]): WindowOptions['passes'] {
  return (value, item) => {
    try {
      return tests.every((test) => test(value));
    } catch (error) {
      throw queryFailed(what, entity, error, item.pk);
    }
  };
}

function additionsOf({ added }: Description, { cells, named }: Reading): Addition[] {
  return Object.entries(added).map(([name, given]) => {
    const relation = given as Required<Pick<SchemaSimple, 'cell' | 'keptBy'>>;
    return {
      name,
      cellFor(record, old) {
        const args = relation.keptBy([record, named]);
        // Where a relation leads to one record, that is what is stored.
        return relation.cell(cells, args[0], args, old) as Cell | undefined;
      },
    };
  });
}
