import type { Invalid, Row } from '../../define/schema/schema.ts';
import type { RowCell } from '../tables/table.ts';
import type { RequestState } from './request-state.ts';

type Shown = Row | Invalid | undefined;

/** What is to be read otherwise than it is in the store: rows by table and pk, and requests by key. */
export interface Changed {
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, Shown>>;
  readonly requests: ReadonlyMap<string, RequestState | undefined>;
}

/** What has changed since a snapshot was taken, as it was then. */
export class Past implements Changed {
  readonly rows: Map<string, Map<string, Shown>> = new Map();
  readonly requests: Map<string, RequestState | undefined> = new Map();
  /** When the rows had arrived, by table and pk: the place that they had among the others. */
  readonly arrivals: Map<string, Map<string, number>> = new Map();
  /** The pks that temporary ones stood for, by table. */
  readonly aliases: Map<string, Map<string, string>> = new Map();
  /** Counts the changes. */
  version = 0;

  constructor(changed?: Changed) {
    for (const [table, rows] of changed?.rows ?? []) this.rows.set(table, new Map(rows));
    for (const [key, state] of changed?.requests ?? []) this.requests.set(key, state);
  }

  get isEmpty(): boolean {
    return this.rows.size === 0 && this.requests.size === 0;
  }

  keepRow({ table, pk, arrival }: RowCell, before: Shown): void {
    const rows = this.rows.get(table.name) ?? new Map<string, Shown>();
    if (rows.has(pk)) return;
    const arrivals = this.arrivals.get(table.name) ?? new Map<string, number>();
    this.rows.set(table.name, rows.set(pk, before));
    this.arrivals.set(table.name, arrivals.set(pk, arrival));
    this.version++;
  }

  keepRequest(key: string, before: RequestState | undefined): void {
    if (this.requests.has(key)) return;
    this.requests.set(key, before);
    this.version++;
  }
}
