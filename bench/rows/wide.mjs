/** S17: 100,000 records written and read through a collection that is watched. */
import { rowAt } from '../harness/data.mjs';
import { timeFresh } from '../harness/clock.mjs';
import { expect } from '../harness/expect.mjs';
import { heap } from './heap.mjs';
import { atMost, fasterThan } from './targets.mjs';

const MANY = 100_000;
const SOME = 10_000;

const textOf = (size) => JSON.stringify(Array.from({ length: size }, (_, index) => rowAt(index)));

/**
 * Writes a response and reads the collection, which a view watches from then on. A separate function, because a function
 * that is still running may keep the response in memory.
 */
function shown(peer, text, size) {
  const list = peer.list(JSON.parse(text));
  expect(list.read().length === size, 'rows are missing');
  return list;
}

export const S17 = {
  id: 'S17',
  title: 'heap per record: written and read through a collection that is watched',
  unit: 'bytes per record',
  sizes: [MANY],
  peers: ['rejoin', 'data-client', 'hand'],
  targets: [atMost(750, 'B', MANY)],
  async measure({ peer, size }) {
    // The first list adds code and caches that belong to no store.
    shown(peer, textOf(1_000), 1_000);
    const text = textOf(size);
    const before = heap();
    const list = shown(peer, text, size);
    const after = heap();
    expect(list.read()[size - 1].title === rowAt(size - 1).title, 'the last row is another');
    return { '': (after - before) / size };
  },
};

export const S17R = {
  id: 'S17R',
  title: 'write records into a collection that is watched, and read it for the first time',
  unit: 'ns per record',
  sizes: [SOME],
  peers: ['rejoin', 'data-client'],
  targets: [fasterThan('data-client', 3, SOME)],
  async measure({ peer, size }) {
    const text = textOf(size);
    const inUse = shown(peer, textOf(100), 100);
    const ns = await timeFresh({
      prepare: () => JSON.parse(text),
      run: (rows) => void peer.list(rows).read(),
    });
    expect(inUse.read().length === 100, 'rows are missing');
    return { '': ns / size };
  },
};
