/** S16: S1 and S3 once, in a process that has just begun: what a first screen pays before the machine code is made. */
import { expectPosts } from '../harness/expect.mjs';
import { within } from './targets.mjs';

const SIZES = [100, 1_000];

export const COLD = {
  id: 'cold',
  title: 'the first response of a process, and the first read of it',
  needsText: true,
  unit: 'ms',
  sizes: SIZES,
  peers: ['rejoin', 'data-client', 'normalizr', 'Relay'],
  targets: SIZES.flatMap((size) => [within(1.2, 'data-client', size, 'write'), within(1, 'data-client', size, 'read')]),
  host: 'cold-cell.mjs',
  async measure({ peer, size, text }) {
    const response = peer.takesText ? text : JSON.parse(text);
    // What was loaded so far has half filled the young generation: when that is full is chance, and no library's work.
    globalThis.gc({ type: 'minor' });
    const from = performance.now();
    const engine = peer.engine();
    engine.write(response);
    const written = performance.now();
    const list = engine.read();
    const read = performance.now();
    expectPosts(list, size);
    return { write: written - from, read: read - written };
  },
};
