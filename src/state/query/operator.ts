import type { Description, OperatorStart } from '../../define/query/description.ts';
import type { OrderStep } from '../../define/query/order.ts';
import type { Reading, Stage } from './record-source.ts';
import type { SourceCell } from './source-cell.ts';

/** Makes other items of those of a query: groups, or pairs. Only the functions that make one, such as `on()` and `count()`, import it, so that other applications do not load it. */
export interface Operator extends OperatorStart {
  cellOf(begin: Stage, reading: Reading): SourceCell;
  /** The key of the groups, or the value that a join compares. */
  readonly by: OrderStep['by'];
  /** Only for a join: the value that it compares in the other source. */
  readonly theirs?: OrderStep['by'];
  /** The field of an item that holds the key of its group, or the joined record. */
  readonly name: string | undefined;
}

export function operatorIn({ operator }: Description): Operator | undefined {
  return operator as Operator | undefined;
}
