/** Code that is written by hand for this data, without identity, memo or staleness. It is the floor of each row. */
import { engine } from './hand-engine.mjs';
import { liveTop } from './hand-top.mjs';

export const peer = {
  engine,
  liveTop,
  manyStreams: true,

  /** A map from id to callbacks. */
  readers(rows) {
    const table = new Map(rows.map((row) => [row.id, row]));
    const shown = [];
    const listeners = new Map(
      rows.map((row, index) => {
        const read = () => void (shown[index] = table.get(row.id));
        read();
        return [row.id, new Set([read])];
      }),
    );
    return {
      write(id, title) {
        table.set(id, { ...table.get(id), title });
        for (const read of listeners.get(id)) read();
      },
      seen: (index) => shown[index].title,
    };
  },

  /** Each change copies the array. */
  list(rows) {
    let list = rows;
    return {
      push(row) {
        list = list.slice();
        list.push(row);
      },
      remove(id, at) {
        list = list.slice();
        list.splice(at, 1);
      },
      read: () => list,
    };
  },
};
