import type { StoreCore } from './store-core.ts';

/** How much a store contains, for tests and developer tools. */
export interface StoreStats {
  readonly rows: number;
  readonly tables: number;
  readonly results: number;
  readonly queries: number;
  readonly layers: number;
}

export function statsOf({ layers, queries, reading, states }: StoreCore): StoreStats {
  let rows = 0;
  for (const table of reading.space.tables.values()) rows += table.size;
  return {
    rows,
    tables: reading.space.tables.size,
    results: Array.from(states.results()).length,
    queries: Array.from(queries).length,
    layers: layers?.size ?? 0,
  };
}
