/** S1–S5: a nested response goes in, posts come out. */
import { authorOf, postsText, shapeOf } from '../harness/data.mjs';
import { timeFresh, timeSteps } from '../harness/clock.mjs';
import { expect, expectPosts, expectShared } from '../harness/expect.mjs';
import { fasterThan, flat, within } from './targets.mjs';

const SIZES = [1_000, 10_000, 100_000];
const ENGINES = ['rejoin', 'data-client', 'normalizr', 'Relay', 'Apollo'];
const MEMOIZED = ['rejoin', 'data-client'];
/** Who has no memo is of interest at one size. */
const middleOnly = (peer, size) => size === 10_000 || MEMOIZED.includes(peer);

/** Parsed again for each use: no library may profit from objects it has seen before. */
const responseFor = ({ peer, text }) => (peer.takesText ? text : JSON.parse(text));

function filled(cell) {
  const engine = cell.peer.engine();
  engine.write(responseFor(cell));
  return engine;
}

const FEW = 100;

/**
 * A store that is in use while others are timed, as in an application that runs already. With no store left, a full
 * garbage collection would take away the machine code that was made for the library's classes. Calling it checks it.
 */
function inUse(cell) {
  const engine = filled({ ...cell, text: postsText(FEW, { typed: cell.typed }) });
  const check = () => expectPosts(engine.read(), FEW);
  check();
  return check;
}

export const S1 = {
  id: 'S1',
  title: 'normalize a nested list (posts, author, five comments each, shared users) into an empty store',
  needsText: true,
  unit: 'ns per entity',
  sizes: SIZES,
  peers: [...ENGINES, 'hand', 'JSON.parse'],
  // The largest size alone would take Apollo half a minute.
  only: (peer, size) => size === 10_000 || peer !== 'Apollo',
  targets: [
    fasterThan('data-client', 3, 1_000),
    fasterThan('data-client', 3, 10_000),
    fasterThan('data-client', 2, 100_000),
    ...SIZES.map((size) => within(1, 'JSON.parse', size)),
  ],
  async measure(cell) {
    const check = inUse(cell);
    // None of the others is kept: copying the survivors of one run would be charged to the next.
    const ns = await timeFresh({
      prepare: () => ({ engine: cell.peer.engine(), response: responseFor(cell) }),
      run: ({ engine, response }) => void engine.write(response),
      batch: Math.max(1, 10_000 / cell.size),
    });
    check();
    const list = filled(cell).read();
    expectPosts(list, cell.size);
    if (MEMOIZED.includes(cell.name)) expectShared(list, cell.size);
    return { '': ns / cell.size };
  },
};

export const S2 = {
  id: 'S2',
  title: 'the identical response again, while the list is shown',
  needsText: true,
  unit: 'ns per entity',
  sizes: SIZES,
  peers: ENGINES,
  only: middleOnly,
  targets: [fasterThan('data-client', 6, 10_000)],
  async measure(cell) {
    const engine = filled(cell);
    const shown = engine.read();
    let notifications = 0;
    engine.watch?.(() => notifications++);
    const ns = await timeFresh({ prepare: () => responseFor(cell), run: engine.write });
    expectPosts(engine.read(), cell.size);
    if (engine.watch) {
      expect(notifications === 0, `${notifications} notifications`);
      expect(engine.read() === shown, 'the list is another object');
    }
    return { '': ns / cell.size };
  },
};

export const S3 = {
  id: 'S3',
  title: 'first read of the list',
  needsText: true,
  unit: 'ns per post',
  sizes: [10_000],
  peers: [...ENGINES, 'hand'],
  targets: [fasterThan('data-client', 4, 10_000), within(2, 'Relay', 10_000)],
  async measure(cell) {
    const check = inUse(cell);
    const ns = await timeFresh({ prepare: () => filled(cell), run: (engine) => void engine.read() });
    check();
    expectPosts(filled(cell).read(), cell.size);
    return { '': ns / shapeOf(cell.size).posts };
  },
};

export const S4 = {
  id: 'S4',
  title: 'read again, nothing changed',
  needsText: true,
  unit: 'ns per read of the list',
  sizes: SIZES,
  peers: ENGINES,
  only: middleOnly,
  targets: [flat(3, SIZES), fasterThan('data-client', 4, 10_000)],
  async measure(cell) {
    const engine = filled(cell);
    const first = engine.read();
    let list;
    const ns = await timeSteps({ step: () => (list = engine.read()), most: 2_000_000 });
    expectPosts(list, cell.size);
    if (MEMOIZED.includes(cell.name)) expect(list === first, 'the list is another object');
    return { '': ns };
  },
};

export const S5 = {
  id: 'S5',
  title: 'read after one post, then one shared author changed',
  needsText: true,
  unit: 'ns per post of the list',
  sizes: [10_000],
  peers: [...ENGINES, 'hand'],
  targets: [
    fasterThan('data-client', 500, 10_000, 'read after post'),
    fasterThan('data-client', 500, 10_000, 'read after author'),
  ],
  async measure(cell) {
    const shape = shapeOf(cell.size);
    const engine = filled(cell);
    engine.read();
    const titles = {};
    const names = {};
    let turn = 0;
    const changePost = () => {
      const id = `p${(++turn * 31) % shape.posts}`;
      engine.changePost(id, (titles[id] = `title ${turn}`));
    };
    const changeAuthor = () => {
      const id = `u${authorOf((++turn * 31) % shape.posts, shape)}`;
      engine.changeUser(id, (names[id] = `name ${turn}`));
    };
    // The change belongs to the write path and is timed in the third figure alone.
    const read = () => void engine.read();
    const changeAndRead = () => {
      changePost();
      engine.read();
    };
    const afterPost = await timeFresh({ prepare: changePost, run: read, warm: 200, budget: 200 });
    const afterAuthor = await timeFresh({ prepare: changeAuthor, run: read, warm: 200, budget: 200 });
    const both = await timeFresh({ prepare: () => {}, run: changeAndRead, warm: 200, budget: 200 });
    expectPosts(engine.read(), cell.size, { titles, names });
    return {
      'read after post': afterPost / shape.posts,
      'read after author': afterAuthor / shape.posts,
      'write post and read': both / shape.posts,
    };
  },
};
