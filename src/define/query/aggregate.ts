import type { OrderStep } from './order.ts';
import type { OperatorStart } from './description.ts';

/**
 * Keeps one value of the records of a group up to date while records are added and removed. A `Tag` identifies a record, and orders the
 * records.
 */
export interface Accumulator<Tag> {
  add(record: unknown, tag: Tag): void;
  /** `record` must be the same value that was added. */
  remove(record: unknown, tag: Tag): void;
  /** A method: engines keep an object literal with a getter until the next full garbage collection. */
  value(): unknown;
}

/** Returns a new accumulator for records that `compareTags` compares. */
type Start = <Tag>(compareTags: (one: Tag, other: Tag) => number) => Accumulator<Tag>;

/** Groups the items of a query. It comes with the aggregates, so that a bundle without any has no groups. */
type MakeGroups = (name: string, by: OrderStep['by'], aggregates: Readonly<Record<string, Aggregate>>) => OperatorStart;

/** One value computed from the records of a group, such as their number or the sum of a field. */
export class Aggregate<Row = unknown, Value = unknown> {
  /** Exists only in types. */
  declare readonly '~aggregate': { readonly row: (row: Row) => void; readonly value: Value };
  /** @internal */
  readonly start: Start;
  /** @internal */
  readonly group: MakeGroups;

  constructor(start: Start, group: MakeGroups) {
    this.start = start;
    this.group = group;
  }
}

/** In the type of an aggregate without a class: a placeholder for the class of the records in the group. */
export interface RecordOfGroup {
  readonly '~record': true;
}
