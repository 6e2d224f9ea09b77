/** S14: the cost of a write if relations are declared in both directions. */
import { timeSteps } from '../harness/clock.mjs';
import { expect } from '../harness/expect.mjs';
import { withinVariant } from './targets.mjs';

const SIZES = [100, 1_000];
const DECLARED = { nowhere: 'no relations back', statics: 'as queries', schemas: 'in static schema' };

async function timeReaders(readers, size) {
  return timeSteps({
    step(turn) {
      const index = (turn * 7919) % Math.min(size, 64);
      readers.write(index, `title ${turn}`);
      expect(readers.seen(index).startsWith(`title ${turn}`), `p${index} shows ${readers.seen(index)}`);
    },
  });
}

export const S14 = {
  id: 'S14',
  title: 'one post written, N mounted readers of posts with their authors, relations declared in both directions',
  unit: 'ns per write',
  sizes: SIZES,
  peers: ['rejoin'],
  targets: SIZES.flatMap((size) => [
    withinVariant(1.2, 'as queries', 'no relations back', size),
    withinVariant(1.5, 'in static schema', 'no relations back', size),
  ]),
  async measure({ peer, size }) {
    const figures = {};
    for (const [declared, variant] of Object.entries(DECLARED))
      figures[variant] = await timeReaders(peer.circle(size, declared), size);
    figures['a comment in a tree of users, posts and comments'] = await timeReaders(peer.circleTree(size), size);
    return figures;
  },
};
