import type { Invalid, Row } from '../../define/schema/schema.ts';
import type { Aliases } from '../tables/aliases.ts';
import type { Relations } from '../tables/relations.ts';
import type { RowCell } from '../tables/table.ts';
import type { KeptRequests, KeptRows } from './kept.ts';
import type { RequestState } from './request-state.ts';

/** The former state of everything that has changed since a snapshot was taken. */
export class Past {
  readonly rows: KeptRows = new Map();
  readonly requests: KeptRequests = new Map();
  /** The places of these rows in the order of arrival, by table and pk. */
  readonly arrivals: Map<string, Map<string, number>> = new Map();
  /** The pks that had replaced temporary pks, by table. */
  readonly aliases: Map<string, Aliases> = new Map();
  /** The tables that counted as known without rows. */
  readonly remembered: Set<string> = new Set();
  /** The declared fields of classes, by table. */
  readonly relations: Map<string, Relations> = new Map();
  /** Counts the changes. */
  version = 0;

  keepRow({ table, pk, arrival }: RowCell, before: Row | Invalid | undefined): void {
    const rows = this.rows.get(table.name) ?? new Map<string, Row | Invalid | undefined>();
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
