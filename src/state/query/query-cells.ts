import { Argument, type NamedArgs } from '../../define/query/argument.ts';
import { type Condition, isComparison, listOf, operandOf, testOf } from '../../define/query/condition.ts';
import {
  describe,
  type Description,
  isOwned,
  isUnordered,
  type Joining,
  type OwnerKey,
  sourceName,
  sourceOf,
} from '../../define/query/description.ts';
import { compareOrderKeys, orderKeyOf } from '../../define/query/order.ts';
import { queryInvalid } from '../../define/query/query-invalid.ts';
import type { EntityInterface } from '../../define/schema/entity.ts';
import { hasPk, recordExpected } from '../../define/schema/key-of.ts';
import { DataError } from '../../std/data-error.ts';
import type { Cells } from '../denormalize/cells.ts';
import { USUAL } from '../denormalize/variant.ts';
import type { Cell } from '../graph/cell.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { GroupCell } from './group-cell.ts';
import { JoinCell } from './join-cell.ts';
import { ListedCell } from './listed-cell.ts';
import { guarded, queryFailed } from './query-failed.ts';
import { pathIn, valueNames } from './relation-path.ts';
import { type RecordRelation, relatedCell } from './relation-cell.ts';
import { type Addition, CountCell, ListResultCell } from './result-cell.ts';
import type { SourceCell } from './source-cell.ts';
import { allRecords, type Indexed, recordsWith } from './sources.ts';
import type { WindowOptions } from './window.ts';

/** What a query is read with. */
export interface Reading {
  readonly cells: Cells;
  /** For a query of a collection: the pk of the collection. */
  readonly stored: unknown;
  /** For a relation: the values of the owner that decide which records belong to it. */
  readonly owner: OwnerKey;
  readonly named: NamedArgs;
}

/** The items of a query before they are sorted, with the conditions that are still to be checked. */
interface Stage {
  /** The name of the items in errors. */
  readonly name: string;
  readonly source: SourceCell;
  readonly passes: WindowOptions['passes'];
}

/** Makes the cell of the value of a query. */
export function resultCell(description: Description, reading: Reading): Cell {
  const { name, source, passes } = stageOf(description, reading);
  const { cells, named } = reading;
  const { result, order } = description;
  const keyOf = guarded('orderBy()', name, orderKeyOf(order));
  const after = afterOf(description, named, keyOf);
  const offset = countOf(description.offset, 'offset', named);
  const limit = description.limit === undefined ? Number.POSITIVE_INFINITY : countOf(description.limit, 'limit', named);
  if (result === 'count') return new CountCell(source, passes, (all) => Math.min(Math.max(all - offset, 0), limit));
  if (result === 'exists') return new CountCell(source, passes, (all) => all > offset && limit > 0);
  const options = {
    passes,
    keyOf,
    compareKeys: guarded('orderBy()', name, compareOrderKeys(order)),
    compareItems: order.length > 0 ? source.compareTies.bind(source) : source.compareItems.bind(source),
    after,
    offset,
    limit: result === 'one' ? Math.min(limit, 1) : limit,
    select: description.select && guarded('select()', name, description.select as (record: unknown) => unknown),
    isFrozen: cells.frozen,
    isOne: result === 'one',
  };
  return new ListResultCell(source, options, additionsOf(description, reading));
}

/** Returns the items of a query before they are sorted. */
function stageOf(description: Description, reading: Reading): Stage {
  const { group, join, having } = description;
  const begin = beginningOf(description, reading);
  if (group === undefined && join === undefined) return begin;
  const { name } = begin;
  const { frozen } = reading.cells;
  const source =
    group === undefined
      ? new JoinCell(begin, otherOf(join as Joining, reading), join as Joining, frozen)
      : new GroupCell(begin.source, begin.passes, group, name, frozen);
  return { name, source, passes: passing(name, [], having, reading.named) };
}

/**
 * Returns the first source of a query: the records that indexes find, all records, the members of a collection, or the result of another
 * query.
 */
function beginningOf(description: Description, reading: Reading): Stage {
  const name = sourceName(description);
  const { cells, named, stored } = reading;
  const { conditions } = description;
  const source = sourceOf(description);
  switch (source.kind) {
    case 'entity':
      return recordsOf(source.entity, description, reading);
    case 'collection': {
      const list = cells.find(cells.space.planOf(source.collection), stored, USUAL, undefined);
      if (list === undefined)
        throw invalid(
          `A query of the collection ${name} is loaded by an endpoint that has this collection as its schema.`,
        );
      return { name, source: new ListedCell(list), passes: passing(name, [], conditions, named) };
    }
    default: {
      const inner = source.query.description;
      if (!isUnordered(inner)) {
        const listed = new ListedCell(resultCell(inner, reading));
        return { name, source: listed, passes: passing(name, [], conditions, named) };
      }
      const stage = stageOf(inner, reading);
      return { ...stage, passes: passing(name, [stage.passes], conditions, named) };
    }
  }
}

/** Returns the other side of a join. */
function otherOf({ other }: Joining, { cells, named }: Reading): Stage {
  const description = describe(other);
  if (isOwned(description))
    throw invalid('join() of a query takes an entity class, or a query that is read for nothing.');
  return beginningOf(description, { cells, named, owner: [], stored: undefined });
}

function recordsOf(entity: EntityInterface, description: Description, { cells, named, owner }: Reading): Stage {
  const { conditions } = description;
  const path = pathIn(description);
  const plan = cells.space.planOf(entity) as EntityPlan;
  const indexed: Indexed[] = [...(path?.indexed?.(owner) ?? [])];
  const rest = conditions.map((condition) => {
    if (typeof condition === 'function') return condition;
    const fields = Object.entries(condition).filter(([field, operand]) => {
      const isRef = isReference(plan, field);
      if (!isRef && !isIndexed(plan, field, operand)) return true;
      const values = namesOf(operand, named);
      if (values !== undefined) indexed.push([field, values]);
      return !isRef || values === undefined;
    });
    return Object.fromEntries(fields);
  });
  const source =
    path?.records?.(cells, plan, owner, indexed) ??
    (indexed.length === 0 ? allRecords(cells, plan) : recordsWith(cells, plan, indexed));
  const belongs = path?.test?.(owner);
  return { name: entity.key, source, passes: passing(entity.key, belongs ? [belongs] : [], rest, named) };
}

/** Returns whether a field holds a pk. It is then looked up by the pk in the row, even if the record is not stored. */
function isReference({ current: { refs } }: EntityPlan, field: string): boolean {
  return refs.some(({ name, plan, isForeign }) => name === field && plan.kind === 'entity' && !isForeign);
}

/** Returns whether to use an index for a condition: if `static indexes` has the field, or if the value is an argument. */
function isIndexed({ converts, entity, hooks }: EntityPlan, field: string, operand: unknown): boolean {
  const isAsked = operand instanceof Argument || entity.indexes?.includes(field) === true;
  // An index has the values of the row, so the record must have the same value in this field.
  const isAsStored = !hooks.create && !hooks.fromJS && !converts.some(({ name }) => name === field);
  return isAsked && isAsStored && !(field in entity.prototype);
}

/** Returns the names that an index has for the wanted values. `undefined` if an index cannot answer the condition. */
function namesOf(operand: unknown, named: NamedArgs): string[] | undefined {
  const among = isComparison(operand) ? operand['in'] : undefined;
  if (isComparison(operand) && (among === undefined || Object.keys(operand).length > 1)) return undefined;
  const values = among === undefined ? [operandOf(operand, named)] : listOf(operandOf(among, named));
  const names = values.map(valueNames);
  return names.some((each) => each.length === 0) ? undefined : names.flat();
}

/** Returns the place after which a list begins: the sort key of a record as it was, even if the record is not in the list any more. */
function afterOf(description: Description, named: NamedArgs, keyOf: WindowOptions['keyOf']): WindowOptions['after'] {
  const { after, group, join, order, result } = description;
  if (after === undefined) return undefined;
  const isOfRecords = group === undefined && join === undefined && sourceOf(description).kind === 'entity';
  if (!isOfRecords || order.length === 0 || (result !== 'list' && result !== 'one'))
    throw invalid('after() of a query goes on behind a record: it takes orderBy(), and a list of records.');
  const record = after instanceof Argument ? named[after.name] : after;
  if (record === undefined || record === null) return undefined;
  if (!hasPk(record)) throw recordExpected('after() of a query', record, 'query.after(page.at(-1))');
  return [keyOf(record), { pk: String(record.pk()), arrival: 0 }];
}

function countOf(operand: unknown, what: string, named: NamedArgs): number {
  const number = operandOf(operand, named);
  if (typeof number === 'number' && number >= 0 && (Number.isInteger(number) || number === Number.POSITIVE_INFINITY))
    return number;
  throw queryInvalid(`${what}()`, number, 'a whole number that is not below 0');
}

function invalid(message: string): DataError {
  return new DataError('query-invalid', message);
}

/** Returns a function that tests whether an item passes all conditions. */
function passing(
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

function additionsOf({ added }: Description, { cells, named }: Reading): Addition[] {
  return Object.entries(added).map(([name, given]) => {
    const relation = given as RecordRelation;
    return { name, cellFor: (record, old) => relatedCell(relation, cells, [record, named], old) };
  });
}
