import type { RowState } from '../../define/schema/row.ts';
import type { Space } from '../tables/space.ts';
import type { RowCell } from '../tables/table.ts';
import type { StateSource } from './request-cells.ts';
import type { RequestState } from './request-state.ts';
import type { RequestStates } from './request-states.ts';

/** Rows that differ from those in the store, by table and pk. */
export type KeptRows = Map<string, Map<string, RowState>>;
/** Requests that differ from those in the store, by request key. */
export type KeptRequests = Map<string, RequestState | undefined>;

/** States that differ from those in the store, to be read: rows of one table by pk, or requests by request key. */
export interface KeptStates<State> {
  has(key: string): boolean;
  get(key: string): State | undefined;
}

/** Sets the row of a cell to the kept row, or else to that of the store. `kept`: the rows of its table. */
export function copyKeptRow(cell: RowCell, kept: KeptStates<RowState> | undefined, store: Space): void {
  const { pk, table } = cell;
  cell.row = kept?.has(pk) === true ? kept.get(pk) : store.tables.get(table.name)?.cells.get(pk)?.row;
  if (cell.row !== undefined) table.remember();
}

/** Returns a source that reads kept requests, and all others from the store. */
export function keptOrPresent(kept: KeptStates<RequestState | undefined>, states: RequestStates): StateSource {
  return {
    get: (key) => (kept.has(key) ? kept.get(key) : states.get(key)),
    readable: (state, schema) => states.readable(state, schema),
  };
}
