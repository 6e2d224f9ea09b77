import { Controller, Entity, Store } from 'rejoin';
import { PersistManager } from 'rejoin/persist';
import { models } from './models.mjs';

const { Row } = models(Entity);

/** The simulated disk as a storage of Rejoin. */
const storageOf = (disk) => ({
  open: async () => ({
    read: async () => ({ entries: disk.texts }),
    write: async (changes) => {
      for (const [key, text] of changes) await (text === undefined ? disk.removeItem(key) : disk.setItem(key, text));
    },
    clear: async () => disk.texts.clear(),
    close: async () => {},
  }),
});

async function start(disk) {
  const persist = new PersistManager({ name: 'rows', storage: storageOf(disk) });
  const store = new Store();
  const controller = new Controller({ store, managers: [persist] });
  await persist.restored;
  return { controller, persist, store };
}

export const saving = {
  async saved(rows, disk) {
    const { controller, persist, store } = await start(disk);
    store.write([Row], rows, { resultKey: 'GET /rows', expiresAt: Infinity });
    await persist.flush();
    return {
      async change(id, title) {
        store.write(Row, { id, title });
        await persist.flush();
      },
      end: () => controller.dispose(),
    };
  },

  async restored(disk) {
    const { store } = await start(disk);
    return { read: (id) => store.get(Row, { id })?.title };
  },
};
