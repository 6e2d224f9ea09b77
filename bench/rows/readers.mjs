/** S6: the cost of one write while many rows are shown. */
import { rowAt } from '../harness/data.mjs';
import { timeSteps } from '../harness/clock.mjs';
import { expect } from '../harness/expect.mjs';
import { flat, within } from './targets.mjs';

const SIZES = [100, 1_000, 10_000, 100_000];
/** The number of rows that are written, in turn. It is so small that the rows stay in the caches of the processor, whatever N is. */
const WRITTEN = 64;

export const S6 = {
  id: 'S6',
  title: 'one write, N mounted readers of other rows; the woken reader has read again',
  unit: 'ns per write',
  sizes: SIZES,
  peers: ['rejoin', 'data-client', 'Redux Toolkit', 'Relay', 'TanStack Query', 'hand'],
  // Both visit all readers on each write. Their cost at 100k follows from the smaller sizes.
  only: (peer, size) => size < 100_000 || ['rejoin', 'TanStack Query', 'hand'].includes(peer),
  targets: [
    flat(3, SIZES),
    ...SIZES.map((size) => within(6, 'hand', size)),
    ...SIZES.map((size) => within(1, 'TanStack Query', size)),
  ],
  async measure({ peer, size }) {
    const readers = await peer.readers(Array.from({ length: size }, (_, index) => rowAt(index)));
    let index = 0;
    const ns = await timeSteps({
      step(turn) {
        index = ((turn % WRITTEN) * 7919) % size;
        readers.write(`r${index}`, `title ${turn}`);
        expect(readers.seen(index) === `title ${turn}`, `r${index} shows ${readers.seen(index)}`);
      },
    });
    const other = (index + 1) % size;
    expect(readers.seen(other) !== readers.seen(index), 'another row changed as well');
    return { '': ns };
  },
};
