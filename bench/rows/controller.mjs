/** S2, S6 and S9 again, through a controller, as in an application. S12: a large response. */
import { setImmediate } from 'node:timers/promises';
import { median } from '../harness/clock.mjs';
import { rowAt, shapeOf } from '../harness/data.mjs';
import { expect, expectPosts, expectShared } from '../harness/expect.mjs';
import { atMost, fasterThan, flat, within } from './targets.mjs';

/**
 * Returns the nanoseconds of one `step(turn, input)`, each awaited: the median over blocks of steps, which are made long enough for
 * the clock. Inputs are made outside of the measured time, one for each step.
 */
async function timeAwaited({ step, prepare = () => {}, warm = 150, budget = 400, least = 3 }) {
  let turn = 0;
  const run = async (count) => {
    const inputs = Array.from({ length: count }, prepare);
    const from = performance.now();
    for (const input of inputs) await step(turn++, input);
    return performance.now() - from;
  };
  let count = 1;
  for (let spent = 0; spent < warm;) {
    const took = await run(count);
    spent += took;
    if (took < 4) count = Math.min(count * 2, 500);
  }
  globalThis.gc?.();
  const samples = [];
  const end = performance.now() + budget;
  while (samples.length < least || performance.now() < end) samples.push((await run(count)) / count);
  return median(samples) * 1e6;
}

export const S2C = {
  id: 'S2c',
  title: 'the identical response again, fetched by a controller while the list is shown',
  needsText: true,
  unit: 'ns per entity',
  sizes: [1_000, 10_000],
  peers: ['rejoin', 'data-client core', 'TanStack Query'],
  targets: [fasterThan('data-client core', 6, 10_000)],
  async measure({ peer, name, size, text }) {
    const client = peer.client();
    await client.fetch(JSON.parse(text));
    const shown = client.read();
    let calls = 0;
    client.watch?.(() => calls++);
    const ns = await timeAwaited({
      prepare: () => JSON.parse(text),
      step: (_turn, response) => client.fetch(response),
    });
    expectPosts(client.read(), size);
    if (name === 'rejoin') expectShared(client.read(), size);
    if (name !== 'data-client core') expect(client.read() === shown, 'the list is another object');
    if (name === 'rejoin') expect(calls === 0 || client.read() === shown, `${calls} notifications`);
    return { '': ns / size };
  },
};

const WATCHED = [100, 1_000, 10_000, 100_000];
const WRITTEN = 64;

export const S6C = {
  id: 'S6c',
  title: 'one write through a controller, N watchers of other rows; the woken watcher has read again',
  unit: 'ns per write',
  sizes: WATCHED,
  peers: ['rejoin', 'data-client core', 'TanStack Query'],
  // It reads every row again after each write.
  only: (peer, size) => size < 100_000 || peer !== 'data-client core',
  targets: [flat(3, WATCHED), ...WATCHED.map((size) => within(1, 'TanStack Query', size))],
  async measure({ peer, size }) {
    const watchers = await peer.watchers(Array.from({ length: size }, (_, index) => rowAt(index)));
    let index = 0;
    const ns = await timeAwaited({
      async step(turn) {
        index = ((turn % WRITTEN) * 7919) % size;
        await watchers.write(`r${index}`, `title ${turn}`);
        expect(watchers.seen(index) === `title ${turn}`, `r${index} shows ${watchers.seen(index)}`);
      },
    });
    expect(watchers.seen((index + 1) % size) !== watchers.seen(index), 'another row changed as well');
    return { '': ns };
  },
};

const PENDING = [10_000, 100_000];

export const S9C = {
  id: 'S9c',
  title: '10 optimistic mutations under way, then an unrelated write through a controller; the row written is read',
  unit: 'ns per write and read',
  sizes: PENDING,
  peers: ['rejoin', 'data-client core'],
  targets: [...PENDING.map((size) => atMost(10_000, 'ns', size)), flat(2, PENDING)],
  async measure({ peer, name, size }) {
    const rows = Array.from({ length: size }, (_, index) => rowAt(index));
    const guesses = Array.from({ length: 10 }, (_, layer) => ({ id: `r${layer * 13}`, title: `guess ${layer}` }));
    const pending = await peer.pendingMutations(rows, guesses);
    const ns = await timeAwaited({
      async step(turn) {
        const id = `r${500 + (turn % 20)}`;
        await pending.write(id, `title ${turn}`);
        expect(pending.read(id) === `title ${turn}`, `${id} shows ${pending.read(id)}`);
      },
    });
    for (const { id, title } of guesses) expect(pending.read(id) === title, `${id} lost its guess`);
    // Only this library promises that a guess stays on top of data that arrives later.
    if (name !== 'rejoin') return { '': ns };
    await pending.write(guesses[0].id, 'from the server');
    expect(pending.read(guesses[0].id) === guesses[0].title, 'a write below a guess is seen through it');
    return { '': ns };
  },
};

/** Returns the longest time between two frames of an animation while `work` runs. */
async function longestTask(work, onFrame) {
  const end = new AbortController();
  let longest = 0;
  const done = work().finally(() => end.abort());
  let last = performance.now();
  while (!end.signal.aborted) {
    await setImmediate();
    const now = performance.now();
    longest = Math.max(longest, now - last);
    onFrame();
    last = performance.now();
  }
  await done;
  return longest;
}

export const S12 = {
  id: 'S12',
  title: 'the text of a response arrives while an animation runs: the longest task until it is stored',
  needsText: true,
  unit: 'ms',
  sizes: [10_000, 100_000],
  peers: ['rejoin', 'data-client core'],
  targets: [atMost(50, 'ms', 100_000, 'longest task')],
  async measure({ peer, size, text }) {
    const longest = [];
    const whole = [];
    for (let round = 0; round < 5; round++) {
      const client = peer.client({ isAnimated: true });
      globalThis.gc?.();
      const counts = new Set();
      const from = performance.now();
      longest.push(
        await longestTask(
          () => client.fetch((peer.parse ?? JSON.parse)(text)),
          () => counts.add(client.rows?.() ?? 0),
        ),
      );
      whole.push(performance.now() - from);
      const total = Object.values(shapeOf(size)).reduce((sum, count) => sum + count, -size);
      // No reader sees a part of the answer.
      for (const count of counts) expect(count === 0 || client.rows === undefined || count === total, `${count} rows`);
      expectPosts(client.read(), size);
    }
    // Takes the smallest figure, because other processes of the machine can only make a task longer.
    return { 'longest task': Math.min(...longest), whole: Math.min(...whole) };
  },
};
