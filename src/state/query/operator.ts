import type { Description, OperatorStart } from '../../define/query/description.ts';
import type { Reading, Stage } from './record-source.ts';
import type { SourceCell } from './source-cell.ts';

/** Makes other items of those of a query: groups, or pairs. It comes with the functions by which an application asks for it. */
export interface Operator extends OperatorStart {
  cellOf(begin: Stage, reading: Reading): SourceCell;
  /** Says what it does, and the cost of a change. */
  explained(): string;
}

export function operatorIn({ operator }: Description): Operator | undefined {
  return operator as Operator | undefined;
}
