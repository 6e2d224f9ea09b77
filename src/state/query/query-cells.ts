import { Argument, type NamedArgs } from '../../define/query/argument.ts';
import { checkArgument } from '../../define/query/check-argument.ts';
import { comparisonsFor, operandOf } from '../../define/query/condition.ts';
import {
  baseOf,
  type Description,
  isOwned,
  isUnordered,
  sourceName,
  sourceOf,
} from '../../define/query/description.ts';
import { compareOrderKeys, orderKeyOf } from '../../define/query/order.ts';
import { hasPk, recordExpected } from '../../define/schema/key-of.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { USUAL } from '../denormalize/variant.ts';
import type { Cell } from '../graph/cell.ts';
import { withServerPk } from '../tables/temporary-names.ts';
import { ListedCell } from './listed-cell.ts';
import { operatorIn } from './operator.ts';
import { guarded } from './query-failed.ts';
import { passing, type Reading, recordsOf, type Stage } from './record-source.ts';
import { type RecordRelation, relatedCell } from './relation-cell.ts';
import { renamesOf } from './renames.ts';
import { isComparedByName, itemTest } from './row-conditions.ts';
import { CountCell, ListResultCell } from './result-cell.ts';
import { Window, type WindowOptions } from './window.ts';

/** Makes the cell of the value of a query. */
export function resultCell(description: Description, reading: Reading): Cell {
  const { name, source, passes, read, index } = stageOf(description, reading);
  const { cells, named } = reading;
  const { added, order, result, select } = description;
  const keyOf = orderKeyOf(order, read);
  const after = afterOf(description, reading, guarded('orderBy()', name, keyOf));
  const offset = countOf(description.offset, 'offset', named);
  const limit = countOf(description.limit ?? Number.POSITIVE_INFINITY, 'limit', named);
  if (result === 'count' || result === 'exists')
    return new CountCell(source, passes, (all) => {
      const shown = Math.min(Math.max(all - offset, 0), limit);
      return result === 'count' ? shown : shown > 0;
    });
  const isOne = result === 'one';
  const options = {
    name,
    passes,
    keyOf,
    compareKeys: compareOrderKeys(order),
    compareItems: (order.length > 0 ? source.compareTies : source.compareItems).bind(source),
    after,
    offset,
    limit: isOne ? Math.min(limit, 1) : limit,
    select: select && guarded('select()', name, select as (record: unknown) => unknown),
    isFrozen: cells.isFrozen,
    isOne,
  };
  const additions = Object.entries(added).map(([field, relation]) => {
    const beside = (relation as { readonly description?: Description }).description;
    const hasOwner = beside === undefined || isOwned(beside);
    checkArgument(
      'with()',
      field,
      () =>
        beside !== undefined &&
        sourceOf(baseOf(beside)).collection !== undefined &&
        `a relation: ${field} is a query of the collection ${sourceName(baseOf(beside))}, which only an endpoint can load`,
    );
    return {
      name: field,
      cellFor: (record: unknown, old: Cell | undefined): Cell | undefined =>
        relatedCell(relation as RecordRelation, cells, hasOwner ? [record, named] : [named], old),
    };
  });
  return new ListResultCell(source, new Window(options, index), options, additions);
}

/** Returns the items of a query before they are sorted. */
export function stageOf(description: Description, reading: Reading): Stage {
  const { conditions } = description;
  const { entity, query } = sourceOf(description);
  if (entity !== undefined) return recordsOf(entity, description, reading);
  const name = sourceName(description);
  const operator = operatorIn(description);
  const inner = query?.description;
  const begin =
    inner !== undefined && isUnordered(inner)
      ? stageOf(inner, reading)
      : {
          name,
          source: new ListedCell(
            inner === undefined ? collectionCell(description, reading) : resultCell(inner, reading),
          ),
          passes: passing(name, []),
        };
  const source = operator?.cellOf(begin, reading) ?? begin.source;
  const comparisons = comparisonsFor(conditions, reading.named);
  const tests = comparisons.map((comparison) => itemTest(comparison, reading.cells));
  const byName = comparisons.filter((one) => typeof one !== 'function').filter(isComparedByName);
  source.signals = source.signals.concat(byName.map(({ field }) => renamesOf(reading.cells, field)));
  return { name, source, passes: passing(name, tests, operator === undefined ? begin.passes : undefined) };
}

function collectionCell(description: Description, { cells, stored }: Reading): Cell {
  const list = cells.find(cells.space.planOf(description.source()), stored, USUAL, undefined);
  checkArgument(
    'loadedBy()',
    stored,
    () => list === undefined && `an endpoint whose schema is the collection ${sourceName(description)}`,
  );
  return list as Cell;
}

/** Returns the place after which a list begins: the sort key of a record as it was, even if the record is not in the list any more. */
function afterOf(
  description: Description,
  { cells, named }: Reading,
  keyOf: WindowOptions['keyOf'],
): WindowOptions['after'] {
  const { after, order, result } = description;
  if (after === undefined) return undefined;
  const record = after instanceof Argument ? named[after.name] : after;
  checkArgument('after()', record, () => {
    const isOfRecords = sourceOf(description).entity !== undefined && (result === 'list' || result === 'one');
    return (
      (!isOfRecords || order.length === 0) && 'a record to a query with orderBy() and without groups, joins or counts'
    );
  });
  if (record === undefined || record === null) return undefined;
  if (!hasPk(record))
    throw recordExpected(
      'after() of a query',
      record,
      inDevelopment(() => 'query.after(page.at(-1))'),
    );
  const key = keyOf(record);
  const pk = String(record.pk());
  // A temporary pk has been replaced when its record is in the list by that of the server.
  return () => [key, { pk: withServerPk(pk, cells.space.serverPk), arrival: 0 }];
}

function countOf(operand: unknown, what: string, named: NamedArgs): number {
  const number = operandOf(operand, named) as number;
  if (number >= 0 && (Number.isInteger(number) || number === Number.POSITIVE_INFINITY)) return number;
  throw new DataError('query-invalid', `${what}() of a query was given ${String(number)}.`, {
    cure: inDevelopment(() => 'Pass a whole number that is not below 0.'),
  });
}
