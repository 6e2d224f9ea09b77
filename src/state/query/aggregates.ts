import { SortedList } from '../../std/sorted-list.ts';
import { type Accumulator, Aggregate, type RecordOfGroup } from '../../define/query/aggregate.ts';
import { compareValues, isLacking } from '../../define/query/compare.ts';
import { ExactSum } from '../../define/query/exact-sum.ts';
import { keyBy } from '../../define/query/order.ts';
import type { Judgement, SortKey } from '../../define/query/infer-condition.ts';
import { Grouping } from './group-cell.ts';

function aggregate<Row, Value>(start: Aggregate['start']): Aggregate<Row, Value> {
  return new Aggregate(start, (...grouping) => new Grouping(...grouping));
}

/** Counts the records; with `test`, those for which it returns true. */
export function count<Row, Counted = unknown>(
  test?: (row: Row) => Counted & Judgement<Counted>,
): Aggregate<Row, number> {
  return aggregate(() => {
    let records = 0;
    const isCounted = test as ((record: unknown) => unknown) | undefined;
    return {
      add: (record) => void (records += isCounted === undefined || isCounted(record) ? 1 : 0),
      remove: (record) => void (records -= isCounted === undefined || isCounted(record) ? 1 : 0),
      value: () => records,
    };
  });
}

/** Adds up what `by` returns for each record, exact to the last digit. A value that is not a number counts as 0. */
export function sum<Row>(by: (row: Row) => number | null | undefined): Aggregate<Row, number> {
  return aggregate(() => numbersOf(by, (total) => total.value));
}

/** The mean of what `by` returns; `undefined` if it returns no number for any record. */
export function avg<Row>(by: (row: Row) => number | null | undefined): Aggregate<Row, number | undefined> {
  return aggregate(() => numbersOf(by, (total, numbers) => (numbers === 0 ? undefined : total.value / numbers)));
}

/** The smallest value that `by` returns; `undefined` if it returns none for any record. */
export function min<Row, Value>(
  by: (row: Row) => Value & SortKey<Value>,
): Aggregate<Row, NonNullable<Value> | undefined> {
  return aggregate((compareTags) => extremeOf(by, compareTags, () => 0));
}

/** The largest value that `by` returns; `undefined` if it returns none for any record. */
export function max<Row, Value>(
  by: (row: Row) => Value & SortKey<Value>,
): Aggregate<Row, NonNullable<Value> | undefined> {
  return aggregate((compareTags) => extremeOf(by, compareTags, (size) => size - 1));
}

function numbersOf<Tag>(
  by: (row: never) => unknown,
  valueOf: (total: ExactSum, numbers: number) => unknown,
): Accumulator<Tag> {
  const keyOf = keyBy(by);
  const total = new ExactSum();
  let numbers = 0;
  const numberIn = (record: unknown): number | undefined => {
    const number = keyOf(record);
    return typeof number === 'number' ? number : undefined;
  };
  return {
    add(record) {
      const number = numberIn(record);
      if (number === undefined) return;
      total.add(number);
      numbers++;
    },
    remove(record) {
      const number = numberIn(record);
      if (number === undefined) return;
      total.subtract(number);
      numbers--;
    },
    value: () => valueOf(total, numbers),
  };
}

function extremeOf<Tag>(
  by: (row: never) => unknown,
  compareTags: (one: Tag, other: Tag) => number,
  indexIn: (size: number) => number,
): Accumulator<Tag> {
  const keyOf = keyBy(by);
  const keys = new SortedList<Tag>(compareValues, compareTags);
  return {
    add(record, tag) {
      const key = keyOf(record);
      if (!isLacking(key)) keys.insert(key, tag);
    },
    remove(record, tag) {
      keys.remove(keyOf(record), tag);
    },
    value() {
      const at = indexIn(keys.size);
      return keys.values(at, at + 1)[0];
    },
  };
}

/** The records of a group in the order of the source, or what `by` returns for each. */
export function collect(): Aggregate<unknown, readonly RecordOfGroup[]>;
export function collect<Row, Value>(by: (row: Row) => Value): Aggregate<Row, readonly Value[]>;
export function collect(by?: (row: never) => unknown): unknown {
  return aggregate((compareTags) => inOrder(by, compareTags, (all) => all.values(0, all.size)));
}

/** The first record of a group in the order of the source, or what `by` returns for it. */
export function first(): Aggregate<unknown, RecordOfGroup>;
export function first<Row, Value>(by: (row: Row) => Value): Aggregate<Row, Value>;
export function first(by?: (row: never) => unknown): unknown {
  return aggregate((compareTags) => inOrder(by, compareTags, (all) => all.values(0, 1)[0]));
}

/** The last record of a group in the order of the source, or what `by` returns for it. */
export function last(): Aggregate<unknown, RecordOfGroup>;
export function last<Row, Value>(by: (row: Row) => Value): Aggregate<Row, Value>;
export function last(by?: (row: never) => unknown): unknown {
  return aggregate((compareTags) => inOrder(by, compareTags, (all) => all.values(all.size - 1, all.size)[0]));
}

function inOrder<Tag>(
  by: ((row: never) => unknown) | undefined,
  compareTags: (one: Tag, other: Tag) => number,
  valueOf: (all: SortedList<Tag>) => unknown,
): Accumulator<Tag> {
  const valueIn = by === undefined ? (record: unknown): unknown => record : keyBy(by);
  const all = new SortedList<Tag>(() => 0, compareTags);
  return {
    add: (record, tag) => void all.insert(valueIn(record), tag),
    remove: (_record, tag) => void all.remove(undefined, tag),
    value: () => valueOf(all),
  };
}
