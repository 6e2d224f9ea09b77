import type { Description, OperatorStart } from '../../define/query/description.ts';
import type { OrderStep } from '../../define/query/order.ts';
import type { Reading, Stage } from './record-source.ts';
import type { SourceCell } from './source-cell.ts';

/** Makes other items of those of a query: groups, or pairs. It comes with the functions by which an application asks for it. */
export interface Operator extends OperatorStart {
  cellOf(begin: Stage, reading: Reading): SourceCell;
  /** What it groups by, or what a join compares. */
  readonly by: OrderStep['by'];
  /** Only for a join: what it compares of the other source, and the field that holds the joined record. */
  readonly theirs?: OrderStep['by'];
  readonly name: string | undefined;
}

export function operatorIn({ operator }: Description): Operator | undefined {
  return operator as Operator | undefined;
}
