/**
 * S16: S1 and S3 once, in a process that has just started: the cost of a first screen before the code is compiled. And the same
 * through a controller, as in an application: the controller exists before the answer arrives.
 */
import { setTimeout as sleep } from 'node:timers/promises';
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
    // Loading has filled a part of the young generation. The moment at which it is full depends on chance, and not on a library.
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

/** The time until the first answer, in ms. */
const IN_FLIGHT = 30;

export const COLD_C = {
  id: 'coldc',
  title: `the first response of a process, fetched by a controller: from its arrival, ${IN_FLIGHT} ms after the request, to its value`,
  needsText: true,
  unit: 'ms',
  sizes: SIZES,
  peers: ['rejoin', 'data-client core'],
  targets: SIZES.map((size) => within(1, 'data-client core', size)),
  host: 'cold-cell.mjs',
  async measure({ peer, size, text }) {
    const response = JSON.parse(text);
    // Node has no idle callback. A page has idle time while a request is in flight.
    globalThis.requestIdleCallback ??= (run) => void sleep(1).then(run);
    const client = peer.client();
    let arrive;
    const fetched = client.fetch(new Promise((resolve) => (arrive = resolve)));
    await sleep(IN_FLIGHT);
    globalThis.gc({ type: 'minor' });
    const from = performance.now();
    arrive(response);
    await fetched;
    const list = client.read();
    const ms = performance.now() - from;
    expectPosts(list, size);
    return { '': ms };
  },
};
