import { createCollection } from '@tanstack/db';

/** A collection of TanStack DB that a server fills: rows and changes arrive as sync messages, without optimistic transactions. */
export function synced(id, rows, options) {
  let apply;
  const collection = createCollection({
    id,
    getKey: (row) => row.id,
    startSync: true,
    gcTime: 0,
    ...options,
    sync: {
      sync({ begin, write, commit, markReady }) {
        apply = (type, values) => {
          begin();
          for (const value of values) write({ type, value });
          void commit();
        };
        apply('insert', rows);
        markReady();
      },
    },
  });
  return { collection, apply: (type, values) => apply(type, values) };
}
