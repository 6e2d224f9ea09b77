/** S1–S5: a nested response is written, and posts are read. */
import { authorOf, postsText, shapeOf } from '../harness/data.mjs';
import { timeFresh, timeSteps } from '../harness/clock.mjs';
import { expect, expectPosts, expectShared } from '../harness/expect.mjs';
import { fasterThan, flat, within } from './targets.mjs';

const SIZES = [1_000, 10_000, 100_000];
const ENGINES = ['rejoin', 'data-client', 'normalizr', 'Relay', 'Apollo'];
const MEMOIZED = ['rejoin', 'data-client'];
/** Libraries without a memo are measured at one size only. */
const middleOnly = (peer, size) => size === 10_000 || MEMOIZED.includes(peer);

/** The text is parsed again for each use, so that no library profits from objects that it knows. */
const responseFor = ({ peer, text }) => (peer.takesText ? text : JSON.parse(text));

function filled(cell) {
  const engine = cell.peer.engine();
  engine.write(responseFor(cell));
  return engine;
}

const FEW = 100;

/**
 * A store that stays in use while others are measured, as in a running application. Without any store, a full
 * garbage collection would remove the compiled code of the classes of the library. Calling the function checks the store.
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
  // Apollo would need half a minute for the largest size.
  only: (peer, size) => size === 10_000 || peer !== 'Apollo',
  targets: [
    fasterThan('data-client', 3, 1_000),
    fasterThan('data-client', 3, 10_000),
    fasterThan('data-client', 2, 100_000),
    ...SIZES.map((size) => within(1, 'JSON.parse', size)),
  ],
  async measure(cell) {
    const check = inUse(cell);
    // The other stores are released, because copying them in the garbage collector would add time to the next run.
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
    // The change is a part of the write, and is only measured in the third figure.
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
