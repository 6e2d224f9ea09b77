import { Cell } from './cell.ts';
import { mark, type ToNotify } from './mark.ts';

/** A cell without a value. It notifies the cells that depend on it of an event, such as a new row of a table. */
export class SignalCell extends Cell {
  /** The name of the table, if the signal is for rows with one value of a field of this table. */
  readonly partOf: string | undefined;
  /** How many events there were. */
  version = 0;
  /** Set while parents are marked: the changed cell. `undefined` if many cells have changed. */
  cause: Cell | undefined = undefined;
  /** Set at the same time: the former row of that cell, and whether it has got or lost the value of a lookup. */
  before: unknown = undefined;
  isMove: boolean | undefined = undefined;

  constructor(partOf?: string) {
    super();
    this.partOf = partOf;
  }

  emit(toNotify: ToNotify, cause?: Cell, before?: unknown, isMove?: boolean): void {
    this.version++;
    this.cause = cause;
    this.before = before;
    this.isMove = isMove;
    mark(this, toNotify);
    this.cause = undefined;
    this.before = undefined;
  }
}
