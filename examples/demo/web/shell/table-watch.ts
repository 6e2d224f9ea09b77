import type { Store } from 'rejoin';

export interface WatchedRow {
  readonly pk: string;
  readonly row: Readonly<Record<string, unknown>>;
  /** Which look it changed in: the newest ones are lit. */
  readonly changedAt: number;
}

export interface WatchedTable {
  readonly name: string;
  readonly size: number;
  /** The first rows, those that changed last on top. */
  readonly rows: readonly WatchedRow[];
}

const SHOWN = 12;
const PAUSE = 200;

/** The tables of a store, looked at again at most five times a second, however much changes. */
export class TableWatch {
  readonly #store: Store;
  #tables: readonly WatchedTable[] = [];
  #changed = new Map<string, number>();
  #look = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  readonly current = (): readonly WatchedTable[] => this.#tables;

  readonly subscribe = (listener: () => void): (() => void) => {
    const look = (): void => {
      this.#timer = undefined;
      this.#tables = this.#read();
      listener();
    };
    const stop = this.#store.onCommit(({ shown }) => {
      for (const { table, pk } of shown) this.#changed.set(`${table} ${pk}`, this.#look + 1);
      this.#timer ??= setTimeout(look, PAUSE);
    });
    look();
    return () => {
      stop();
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  };

  #read(): WatchedTable[] {
    this.#look++;
    const tables = new Map<string, WatchedRow[]>();
    for (const { table, pk, row } of this.#store.rows()) {
      if (typeof row !== 'object') continue;
      const rows = tables.get(table) ?? [];
      rows.push({ pk, row: row as WatchedRow['row'], changedAt: this.#changed.get(`${table} ${pk}`) ?? 0 });
      tables.set(table, rows);
    }
    this.#changed = new Map([...this.#changed].filter(([, at]) => at >= this.#look));
    return [...tables].map(([name, rows]) => ({
      name,
      size: rows.length,
      rows: rows.toSorted((a, b) => b.changedAt - a.changedAt).slice(0, SHOWN),
    }));
  }
}
