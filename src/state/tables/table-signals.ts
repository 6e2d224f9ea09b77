import type { Cell } from '../graph/cell.ts';
import type { ToNotify } from '../graph/mark.ts';
import { SignalCell } from '../graph/signal-cell.ts';

/** The signals of a table. Each is made when something depends on it for the first time. */
export class TableSignals {
  #members: SignalCell | undefined = undefined;
  #rows: SignalCell | undefined = undefined;
  #known: SignalCell | undefined = undefined;

  /** A signal for every row that is added or removed. */
  get members(): SignalCell {
    return (this.#members ??= new SignalCell());
  }

  /** A signal for the first row, and for a reset. */
  get known(): SignalCell {
    return (this.#known ??= new SignalCell());
  }

  /** A signal for every row that is added, removed or changed. */
  get rows(): SignalCell {
    return (this.#rows ??= new SignalCell());
  }

  noteMember(toNotify: ToNotify, cell?: Cell): void {
    this.#members?.emit(toNotify, cell);
  }

  noteKnown(toNotify: ToNotify): void {
    this.#known?.emit(toNotify);
  }

  noteRow(toNotify: ToNotify, cell?: Cell, before?: unknown): void {
    this.#rows?.emit(toNotify, cell, before);
  }

  /** Forgets the signals of a table without observers. */
  clear(): void {
    this.#members = undefined;
    this.#known = undefined;
    this.#rows = undefined;
  }
}
