/** S7: a live top-20 by a joined field. */
import { currencyAt, mix, statsAt, volumeAt } from '../harness/data.mjs';
import { timeSteps } from '../harness/clock.mjs';
import { expect } from '../harness/expect.mjs';
import { atMost, within } from './targets.mjs';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const LARGEST = { 'data-client': 100_000, 'TanStack DB': 100_000, 'TanStack DB (natural)': 10_000 };
const QUERIES = 100;

/** The expected result: sorts all volumes. */
class Volumes {
  constructor(size) {
    this.of = Array.from({ length: size }, (_, index) => statsAt(index).volume);
  }

  top(tier) {
    const indexes = this.of.map((_, index) => index).filter((index) => tier === undefined || index % 10 === tier);
    return indexes.sort((a, b) => this.of[b] - this.of[a]).slice(0, 20);
  }
}

/** Each stream returns for a turn the row that changes and its next volume. */
const streams = {
  anywhere: (size) => (turn) => [mix(61, turn) % size, volumeAt(mix(61, turn) % size, 1 + (turn % 997))],
  /** The shown rows change their order, and no other row joins them. */
  'inside the window'(size, volumes) {
    const inside = volumes.top();
    return (turn) => [inside[turn % 20], 2_000_000 + (mix(62, turn) % 1_000_000) + turn / 1e9];
  },
  /** The first row becomes the last one, each time. The order is known beforehand, so that the stream itself costs nothing. */
  'emptying the window'(size, volumes) {
    const order = volumes.of.map((_, index) => index).sort((a, b) => volumes.of[b] - volumes.of[a]);
    return (turn) => [order[turn % size], -1 - turn];
  },
};

async function timeStream(peer, size, name, queries = 1) {
  const volumes = new Volumes(size);
  const next = streams[name](size, volumes);
  const live = await peer.liveTop({
    currencies: Array.from({ length: size }, (_, index) => currencyAt(index)),
    stats: Array.from({ length: size }, (_, index) => statsAt(index)),
    queries,
  });
  const check = () => {
    for (const query of queries === 1 ? [0] : [0, 7, queries - 1]) {
      const truth = volumes.top(queries === 1 ? undefined : query % 10).map((index) => `x${index}`);
      expect(
        live.top(query).join() === truth.join(),
        `query ${query} shows ${live.top(query).join()} instead of ${truth.join()}`,
      );
    }
  };
  check();
  const ns = await timeSteps({
    step(turn) {
      const [index, volume] = next(turn);
      volumes.of[index] = volume;
      live.update(`x${index}-USD`, volume);
    },
    warm: 250,
    // After the garbage collection that follows the warm-up, a large heap is slow for some thousand steps.
    budget: size < 1_000_000 ? 250 : 2_000,
    most: 100_000,
  });
  check();
  return ns;
}

export const S7 = {
  id: 'S7',
  title: 'live top-20 by a joined field, a stream of one-row updates',
  unit: 'ns per update',
  sizes: SIZES,
  peers: ['rejoin', 'data-client', 'TanStack DB', 'TanStack DB (natural)', 'hand'],
  // Some libraries need minutes only to read the input of the larger sizes.
  only: (peer, size) => size <= (LARGEST[peer] ?? Infinity),
  targets: [
    ...SIZES.map((size) => within(3, 'hand', size, 'anywhere')),
    ...SIZES.map((size) => within(3, 'hand', size, 'inside the window')),
    ...SIZES.map((size) => within(10, 'hand', size, 'emptying the window')),
    within(3, 'hand', 10_000, `anywhere, ${QUERIES} queries`),
    atMost(10_000, 'ns', 1_000_000, 'anywhere'),
  ],
  async measure({ peer, size }) {
    if (!peer.manyStreams) return { anywhere: await timeStream(peer, size, 'anywhere') };
    const figures = {};
    for (const stream of Object.keys(streams)) figures[stream] = await timeStream(peer, size, stream);
    if (size === 10_000) figures[`anywhere, ${QUERIES} queries`] = await timeStream(peer, size, 'anywhere', QUERIES);
    return figures;
  },
};
