import type { Invalid, Row } from '../../define/schema/schema.ts';
import type { Space } from '../tables/space.ts';
import type { RowCell } from '../tables/table.ts';
import type { StateSource } from './request-cells.ts';
import type { RequestState } from './request-state.ts';
import type { RequestStates } from './request-states.ts';

/** Rows that differ from those in the store, by table and pk. */
export type KeptRows = Map<string, Map<string, Row | Invalid | undefined>>;
/** Requests that differ from those in the store, by request key. */
export type KeptRequests = Map<string, RequestState | undefined>;

/** Sets the row of a cell to the kept row, or else to that of the store. */
export function fetchRow(cell: RowCell, kept: KeptRows, store: Space): void {
  const { pk, table } = cell;
  const rows = kept.get(table.name);
  cell.row = rows?.has(pk) === true ? rows.get(pk) : store.tables.get(table.name)?.cells.get(pk)?.row;
  if (cell.row !== undefined) table.remember();
}

/** Returns a source that reads kept requests, and all others from the store. */
export function keptStates(kept: KeptRequests, states: RequestStates): StateSource {
  return {
    get: (key) => (kept.has(key) ? kept.get(key) : states.get(key)),
    readable: (state, schema) => states.readable(state, schema),
  };
}
