import type { Row, RowState, TableSchema } from '../../define/schema/row.ts';
import type { RowSink } from '../normalize/row-writer.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';

/** A write of a row to a cell, and a function that repeats the write for another cell. */
export interface RecordedWrite {
  readonly cell: RowCell;
  readonly repeat: (sink: RowSink, cell: RowCell) => void;
}

/** A sink that passes rows to another sink, and records them. */
export class RowRecorder implements RowSink {
  /** In the order in which they were stored. */
  readonly recordedWrites: RecordedWrite[] = [];
  /** Cells whose rows decided what was stored, or were merged by hooks. Their records cannot be stored again separately. */
  readonly readCells: Set<RowCell | undefined> = new Set();
  readonly #sink: RowSink;

  constructor(sink: RowSink) {
    this.#sink = sink;
  }

  rowOf(cell: RowCell): RowState {
    this.readCells.add(cell);
    return this.#sink.rowOf(cell);
  }

  touch(cell: RowCell): void {
    this.#sink.touch(cell);
  }

  /** Always false, because the row may have changed by the time of the write. */
  isKnown(): boolean {
    return false;
  }

  refresh(cell: RowCell): void {
    this.#sink.refresh(cell);
  }

  put(plan: EntityPlan, cell: RowCell, row: Record<string, unknown>, isWhole: boolean): void {
    if (plan.hooks.merge) this.readCells.add(cell);
    this.recordedWrites.push({ cell, repeat: (sink, home) => sink.put(plan, home, row, isWhole) });
    this.#sink.put(plan, cell, row, isWhole);
  }

  merge(schema: TableSchema, cell: RowCell, row: Row): void {
    this.recordedWrites.push({ cell, repeat: (sink, home) => sink.merge(schema, home, row) });
    this.#sink.merge(schema, cell, row);
  }

  replace(cell: RowCell, row: Row): void {
    this.recordedWrites.push({ cell, repeat: (sink, home) => sink.replace(home, row) });
    this.#sink.replace(cell, row);
  }

  /** Throws, because only the graph of the store knows from which lists a deleted record must be removed. */
  remove(): never {
    return abandonWalk();
  }

  finish(): void {
    this.#sink.finish();
  }
}

/** Throws to end a walk that needs something that only the write itself can do. */
export function abandonWalk(): never {
  throw new Error('This walk cannot be prepared.');
}
