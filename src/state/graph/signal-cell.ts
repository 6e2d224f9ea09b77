import { Cell } from './cell.ts';
import { mark, type ToNotify } from './mark.ts';

/** A cell without a value: other cells depend on it to hear that something happened. */
export class SignalCell extends Cell {
  /** The table of whose rows it follows those with one value in a field. */
  readonly partOf: string | undefined;
  /** Counts what happened. */
  version = 0;
  /** While it tells its parents: the cell that it happened to; `undefined` where it happened to many. */
  cause: Cell | undefined = undefined;

  constructor(partOf?: string) {
    super();
    this.partOf = partOf;
  }

  happened(toNotify: ToNotify, cause?: Cell): void {
    this.version++;
    if (this.parents === undefined) return;
    this.cause = cause;
    mark(this, toNotify);
    this.cause = undefined;
  }
}
