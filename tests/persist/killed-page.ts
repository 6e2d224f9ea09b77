import { Controller, dehydrate, Entity } from 'rejoin';
import { type PersistEvent, PersistManager } from 'rejoin/persist';

class Row extends Entity {
  id = '';
  round = 0;
  static override key = 'Row';
}

const events: PersistEvent[] = [];
const persist = new PersistManager({ name: 'killed', onEvent: (event) => events.push(event) });
const { store } = new Controller({ managers: [persist] });

/** The rounds of the rows that were restored: of a whole one, a single number. */
async function restored(): Promise<{ rounds: number[]; count: number; events: PersistEvent[] }> {
  await persist.restored;
  const rows = dehydrate(store).tables.flatMap(([, found]) => found.map(([, row]) => (row as Row).round));
  return { rounds: [...new Set(rows)], count: rows.length, events };
}

/** Writes rounds of rows, and reports each that is kept, until the browser is killed. */
async function write(from: number): Promise<void> {
  for (let round = from; ; round++) {
    store.write([Row], Array.from({ length: 300 }, (_, id) => ({ id: String(id), round }))); // prettier-ignore
    await persist.flush(); // oxlint-disable-line no-await-in-loop -- one after another
    await fetch(`/kept/${round}`); // oxlint-disable-line no-await-in-loop -- one after another
  }
}

Object.assign(globalThis, { restored, write });
