/** S10: the memory of a store. */
import { postsText } from '../harness/data.mjs';
import { expectPosts } from '../harness/expect.mjs';
import { atMost } from './targets.mjs';

const SIZE = 100_000;

/** Returns the size of all objects in use, in bytes. */
export function heap() {
  for (let times = 0; times < 4; times++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

export const S10 = {
  id: 'S10',
  title: 'heap per entity: written, then all read',
  needsText: true,
  unit: 'bytes per entity',
  sizes: [SIZE],
  peers: ['rejoin', 'data-client', 'normalizr', 'Relay', 'hand'],
  targets: [atMost(400, 'B', SIZE, 'written'), atMost(700, 'B', SIZE, 'all read')],
  async measure({ peer, size, text, typed }) {
    // The first engine adds code and caches that belong to no store.
    warmUp(peer, typed);
    const before = heap();
    const engine = peer.engine();
    fill(engine, text);
    const written = heap();
    const list = engine.read();
    const read = heap();
    expectPosts(list, size);
    return { written: (written - before) / size, 'all read': (read - before) / size };
  },
};

/** A separate function, because a function that is still running may keep the response in memory. */
function fill(engine, text) {
  engine.write(JSON.parse(text));
}

function warmUp(peer, typed) {
  const engine = peer.engine();
  engine.write(JSON.parse(postsText(1_000, { typed })));
  engine.read();
}
