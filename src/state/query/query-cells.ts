import { Argument, type NamedArgs } from '../../define/query/argument.ts';
import { operandOf } from '../../define/query/condition.ts';
import {
  describe,
  type Description,
  isOwned,
  isUnordered,
  type Joining,
  sourceName,
  sourceOf,
} from '../../define/query/description.ts';
import { compareOrderKeys, orderKeyOf } from '../../define/query/order.ts';
import { queryInvalid } from '../../define/query/query-invalid.ts';
import { hasPk, recordExpected } from '../../define/schema/key-of.ts';
import { DataError } from '../../std/data-error.ts';
import { USUAL } from '../denormalize/variant.ts';
import type { Cell } from '../graph/cell.ts';
import { GroupCell } from './group-cell.ts';
import { JoinCell } from './join-cell.ts';
import { ListedCell } from './listed-cell.ts';
import { guarded } from './query-failed.ts';
import { passing, type Reading, recordsOf, type Stage } from './record-source.ts';
import { type RecordRelation, relatedCell } from './relation-cell.ts';
import { type Addition, CountCell, ListResultCell } from './result-cell.ts';
import { IndexWindow } from './sorted-rows.ts';
import { Window, type WindowOptions } from './window.ts';

/** Makes the cell of the value of a query. */
export function resultCell(description: Description, reading: Reading): Cell {
  const { name, source, passes, read, index } = stageOf(description, reading);
  const { cells, named } = reading;
  const { result, order } = description;
  const keyOf = guarded('orderBy()', name, orderKeyOf(order, read));
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
  const window = index === undefined ? new Window(options) : new IndexWindow(index, options);
  return new ListResultCell(source, window, options, additionsOf(description, reading));
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
          `A query of the collection ${name} is loaded by an endpoint with another schema. Use an endpoint whose schema is this collection.`,
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
    throw invalid('join() of a query was given a relation. Pass an entity class, or a query without an owner.');
  return beginningOf(description, { cells, named, owner: [], stored: undefined });
}

/** Returns the place after which a list begins: the sort key of a record as it was, even if the record is not in the list any more. */
function afterOf(description: Description, named: NamedArgs, keyOf: WindowOptions['keyOf']): WindowOptions['after'] {
  const { after, group, join, order, result } = description;
  if (after === undefined) return undefined;
  const isOfRecords = group === undefined && join === undefined && sourceOf(description).kind === 'entity';
  if (!isOfRecords || order.length === 0 || (result !== 'list' && result !== 'one'))
    throw invalid(
      'after() of a query needs orderBy() and a list of records. Add orderBy(), and use no groups, joins or counts.',
    );
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

function additionsOf({ added }: Description, { cells, named }: Reading): Addition[] {
  return Object.entries(added).map(([name, given]) => {
    const relation = given as RecordRelation;
    return { name, cellFor: (record, old) => relatedCell(relation, cells, [record, named], old) };
  });
}
