import { Controller, dehydrate, Entity, resource } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { PersistManager } from 'rejoin/persist';
import type { FoundAtStart } from './kills.ts';

class Row extends Entity {
  id = '';
  round = 0;
  static override key = 'Row';
}
class Edit extends Entity {
  id = '';
  title = '';
  static override key = 'Edit';
}
// No server answers, so the edits wait.
const edits = resource({ urlPrefix: 'http://127.0.0.1:1', path: '/edits/:id', schema: Edit, offline: true });

const events: string[] = [];
const persist = new PersistManager({ name: 'killed', onEvent: ({ type }) => events.push(`persist ${type}`) });
const outbox = new OutboxManager({
  name: 'killed',
  endpoints: [edits],
  onEvent: ({ type }) => events.push(`outbox ${type}`),
});
const controller = new Controller({ managers: [persist, outbox] });
const { store } = controller;

/** The entries in the copy of the outbox, before this start compares it. */
const copied = (async () => {
  const cache = await caches.open('rejoin copy killed outbox');
  return Promise.all((await cache.matchAll()).map((response) => response.text()));
})();

async function found(): Promise<FoundAtStart> {
  const copies = (await copied).join();
  await controller.ready;
  const rows = dehydrate(store).tables.flatMap(([, restored]) => restored.map(([, row]) => (row as Row).round));
  const titles = outbox.entries().map(({ args }) => (args.at(-1) as Edit).title);
  return { rounds: [...new Set(rows)], count: rows.length, edits: titles, copies, events };
}

/** Discards the edits of earlier starts. Writes rounds of rows, each with an edit, and reports each that is saved, until the browser is killed. */
async function write(from: number): Promise<void> {
  for (const { id } of outbox.entries()) outbox.discard(id);
  /* oxlint-disable no-await-in-loop -- one after another */
  for (let round = from; ; round++) {
    const title = `${round}-${Math.random()}`;
    controller.fetch(edits.create, { title }).catch(() => {});
    store.write([Row], Array.from({ length: 300 }, (_, id) => ({ id: String(id), round }))); // prettier-ignore
    if (await outbox.flush()) await fetch(`/api/edit/${title}`);
    await persist.flush();
    await fetch(`/api/round/${round}`);
  }
  /* oxlint-enable no-await-in-loop */
}

Object.assign(globalThis, { found, write });
