import { Cell } from './cell.ts';
import { mark, type ToNotify } from './mark.ts';

/** A cell without a value: other cells depend on it to hear that something happened. */
export class SignalCell extends Cell {
  /** Counts what happened. */
  version = 0;

  happened(toNotify: ToNotify): void {
    this.version++;
    if (this.parents !== undefined) mark(this, toNotify);
  }
}
