import type { Row, RowState, TableSchema } from '../../define/schema/schema.ts';
import type { RowSink } from '../normalize/row-writer.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';

/** What was filed in a cell, and how it is filed in another. */
export interface Filing {
  readonly cell: RowCell;
  readonly again: (sink: RowSink, cell: RowCell) => void;
}

/** Puts rows where another sink does, and remembers what it put. */
export class RowRecorder implements RowSink {
  /** In order. */
  readonly filings: Filing[] = [];
  /** The cells whose rows decided what was filed, or by hooks what became of it: nothing of that can be filed again. */
  readonly asked: Set<RowCell | undefined> = new Set();
  readonly #sink: RowSink;

  constructor(sink: RowSink) {
    this.#sink = sink;
  }

  rowOf(cell: RowCell): RowState {
    this.asked.add(cell);
    return this.#sink.rowOf(cell);
  }

  touch(cell: RowCell): void {
    this.#sink.touch(cell);
  }

  /** What is known already may be another when it is written. */
  isKnown(): boolean {
    return false;
  }

  refresh(cell: RowCell): void {
    this.#sink.refresh(cell);
  }

  put(plan: EntityPlan, cell: RowCell, row: Record<string, unknown>, isWhole: boolean): void {
    if (plan.hooks.merge) this.asked.add(cell);
    this.filings.push({ cell, again: (sink, home) => sink.put(plan, home, row, isWhole) });
    this.#sink.put(plan, cell, row, isWhole);
  }

  merge(schema: TableSchema, cell: RowCell, row: Row): void {
    this.filings.push({ cell, again: (sink, home) => sink.merge(schema, home, row) });
    this.#sink.merge(schema, cell, row);
  }

  replace(cell: RowCell, row: Row): void {
    this.filings.push({ cell, again: (sink, home) => sink.replace(home, row) });
    this.#sink.replace(cell, row);
  }

  /** Which lists a record leaves is known by the edges of the graph, and those are the store's. */
  remove(): never {
    return cannot();
  }

  finish(): void {
    this.#sink.finish();
  }
}

/** Ends a walk that comes upon what only the write itself can do. */
export function cannot(): never {
  throw new Error('This cannot be done ahead.');
}
