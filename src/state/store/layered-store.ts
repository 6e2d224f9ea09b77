import type { RowState } from '../../define/schema/row.ts';
import type { Covered, Covers } from '../normalize/write-log.ts';
import type { RowCell } from '../tables/table.ts';
import type { TemporaryPkMaker } from './temporary-pk-maker.ts';

/** What optimistic layers need of the store below them. */
export interface LayeredStore {
  /** The confirmed rows below the layers. */
  readonly covered: Covers;
  readonly temporaryPks: TemporaryPkMaker;
  confirmed(cell: RowCell): Covered;
  now(): number;
  /** Called for each row that readers now see differently. */
  show(cell: RowCell, before: RowState): void;
  /** Called for each request key whose result guesses now update differently. */
  showRequest(key: string): void;
}
