/** S15M: the cost of each of many mutations, snapshots, records, collections and queries, in processor time. */
import { rowAt } from '../harness/data.mjs';
import { expect } from '../harness/expect.mjs';
import { MAX_COPIES, S15, rowsOf, spent } from './growth.mjs';
import { S7 } from './live.mjs';
import { atMost, flat } from './targets.mjs';

const PENDING = [500, 1_000, 2_000, 4_000];

/** Microseconds of each of `size` mutations to push and to settle. */
function pending(
  peer,
  size,
  { guessFor, answerFor, order, settle, kind, before = () => kind === undefined && rowAt(size - 1).title },
) {
  const store = peer.growing.guesses(rowsOf(size), guessFor, kind);
  const pushed = spent(() => {
    for (let at = 0; at < size; at++) store.push(at);
  });
  expect(store.count() === size, `${store.count()} mutations are pending`);
  const settled = spent(() => {
    for (let turn = 0; turn < size; turn++) {
      const at = order(turn, size);
      if (settle === 'drop') store.drop(at);
      else store.land(at, answerFor(at));
    }
  });
  expect(store.count() === 0, `${store.count()} mutations are still pending`);
  const answer = answerFor(size - 1);
  const { id } = answer;
  const title = settle === 'drop' ? before(size - 1) : answer.title;
  const shown = store.read(id)?.title ?? false;
  expect(shown === title, `${id} shows ${shown}`);
  return (pushed + settled) / size;
}

const own = {
  guessFor: (at) => ({ id: `r${at}`, title: `guess ${at}` }),
  answerFor: (at) => ({ id: `r${at}`, title: `answer ${at}` }),
};
const one = {
  guessFor: (at) => ({ id: 'r0', title: `guess ${at}` }),
  answerFor: (at) => ({ id: 'r0', title: `guess ${at}` }),
};
const joins = {
  guessFor: (at) => ({ ...own.guessFor(at), kind: 'row' }),
  answerFor: (at) => ({ ...own.answerFor(at), kind: 'row' }),
  kind: 'collection',
};
const sorts = {
  guessFor: (at) => ({ ...joins.guessFor(at), rank: scattered(at, 1_000) }),
  answerFor: (at) => ({ ...joins.answerFor(at), rank: scattered(at, 1_000) }),
  kind: 'collection in an order',
};
const moves = {
  guessFor: (at) => ({ ...joins.guessFor(at), group: 'b' }),
  answerFor: (at) => ({ ...joins.answerFor(at), group: 'b' }),
  kind: 'move',
};
const besides = { ...one, answerFor: (at) => ({ ...one.answerFor(at), rank: at }) };
const inOrder = (turn) => turn;
const backwards = (turn, size) => size - 1 - turn;
const scattered = (turn, size) => (turn * 7919) % size;

const MUTATIONS = {
  'of a record each, answered in order': { ...own, order: inOrder },
  'of a record each, answered in any order': { ...own, order: scattered },
  'of a record each, failing in order': { ...own, order: inOrder, settle: 'drop' },
  'of a record each, failing backwards': { ...own, order: backwards, settle: 'drop' },
  'of one record, answered in order': { ...one, order: inOrder },
  'that create members of one list, answered in order': { ...joins, order: inOrder },
  'that create members of one list, answered backwards': { ...joins, order: backwards },
  'that create members of one list, answered in any order': { ...joins, order: scattered },
  'that create members of one list, failing in order': { ...joins, order: inOrder, settle: 'drop' },
  'that create members of one list of two kinds, answered in order': {
    ...joins,
    kind: 'collection of two kinds',
    order: inOrder,
  },
  'that create members of a list with an order, answered in order': { ...sorts, order: inOrder },
  'that create members of a list with an order, answered in any order': { ...sorts, order: scattered },
  'that create members of a list with an order, failing in order': { ...sorts, order: inOrder, settle: 'drop' },
  'that create members of a page, answered in order': { ...joins, kind: 'page', order: inOrder },
  'that create members of a page, answered in any order': { ...joins, kind: 'page', order: scattered },
  'that create members of a page, failing in order': { ...joins, kind: 'page', order: inOrder, settle: 'drop' },
  'that remove members of one list, answered in any order': { ...joins, kind: 'removal', order: scattered },
  'that remove members of one list, failing in any order': {
    ...joins,
    kind: 'removal',
    order: scattered,
    settle: 'drop',
    before: (at) => rowAt(at).title,
  },
  'that move members of one list to another, answered in any order': { ...moves, order: scattered },
  'that move members of one list to another, failing in any order': {
    ...moves,
    order: scattered,
    settle: 'drop',
    before: (at) => rowAt(at).title,
  },
  'that create and remove members of one list, answered in any order': { ...joins, kind: 'mixed', order: scattered },
  'that change the places of members of a list with an order, answered in any order': {
    ...sorts,
    kind: 'places',
    order: scattered,
  },
  'that change the places of members of a list with an order, failing in any order': {
    ...sorts,
    kind: 'places',
    order: scattered,
    settle: 'drop',
    before: (at) => rowAt(at).title,
  },
};

/** Each answer is read through all guesses. */
const BESIDES = 'of one record, whose answers change a field that no guess has';

function deletingTogether(peer, size) {
  const list = peer.growing.shown('collection', rowsOf(size * 10));
  list.read();
  const ids = Array.from({ length: size * 10 }, (_, turn) => `r${scattered(turn, size * 10)}`);
  const took = spent(() => {
    list.removeAll(ids);
    list.read();
  });
  expect(list.read().length === 0, `${list.read().length} rows are left`);
  return took / ids.length;
}

function pushing(peer, count) {
  const lists = peer.growing.collections(count);
  const times = 200;
  const push = (turn) => lists.push(`g${scattered(turn, count)}`, { ...rowAt(turn), kind: 'row' });
  push(0);
  const took = spent(() => {
    for (let turn = 1; turn <= times; turn++) push(turn);
  });
  expect(lists.read(`g${scattered(times, count)}`).length > 0, 'the last row is in no list');
  return took / times;
}

function querying(peer, count) {
  const queries = peer.growing.queries(count);
  queries.read();
  for (const title of ['a', 'b']) {
    queries.change(title);
    queries.read();
  }
  let shown;
  const took = spent(() => {
    queries.change('last');
    shown = queries.read();
  });
  expect(
    shown.every((text, at) => text === `last q${at}`),
    'a query shows another title',
  );
  return took / count;
}

/** Microseconds of each of `size` mutations that set an entry of one map, to push and to settle. */
function assigning(peer, size, settle) {
  const assigns = peer.growing.assigns();
  const took = spent(() => {
    for (let at = 0; at < size; at++) assigns.push(at, 'guess');
    for (let turn = 0; turn < size; turn++) {
      const at = scattered(turn, size);
      if (settle === 'drop') assigns.drop(at);
      else assigns.land(at, 'answer');
    }
  });
  const shown = Object.values(assigns.read());
  const left = settle === 'drop' ? 0 : size;
  expect(shown.length === left && shown.every(({ title }) => title === 'answer'), `${shown.length} entries are shown`);
  return took / size;
}

function keepingStates(peer, size) {
  const states = peer.growing.states(rowsOf(size));
  const kept = [];
  const took = spent(() => {
    for (let at = 0; at < size; at++) {
      kept.push(states.take());
      states.change(`r${at}`, 'changed');
    }
    for (let at = 0; at < size; at++)
      expect(states.read(kept[at], `r${at}`).title === rowAt(at).title, `state ${at} has changed`);
  });
  return took / size;
}

function growingTree(peer, size) {
  const tree = peer.growing.tree();
  const took = spent(() => {
    for (let at = 0; at < size; at++) {
      tree.add(`${at}`, at < 5 ? 'root' : `${Math.floor(at / 5) - 1}`);
      tree.read();
    }
    expect(tree.read().length === size, `${tree.read().length} records are in the tree`);
    for (let at = size - 1; at >= 0; at--) {
      tree.remove(`${at}`);
      tree.read();
    }
  });
  expect(tree.read().length === 0, `${tree.read().length} records are still in the tree`);
  return took / size;
}

const COLLECTIONS = 'a push where there are 25 times as many collections';
const QUERIES = 'a changed row, for each of twice as many queries over All';
const ASSIGNS = 'that set an entry of one map, answered in any order';
const FAILING_ASSIGNS = 'that set an entry of one map, failing in any order';
const STATES = 'states that are kept, each with a change after it';
const TREE = 'records that join a tree that is shown, and leave it';
const BATCH = 'deletions of ten times as many members in one batch, each';

export const S15M = {
  id: 'S15M',
  title:
    'many of a kind: pending mutations, deletions in one batch, collections, queries with arguments, kept states, trees',
  unit: 'µs of processor time each',
  sizes: PENDING,
  peers: ['rejoin'],
  targets: [
    ...Object.keys(MUTATIONS).map((name) => flat(2, PENDING, name)),
    flat(2, PENDING, BATCH),
    flat(2, PENDING, BESIDES),
    atMost(300, 'µs', 1_000, BESIDES),
    // Each of them copies the map a few times.
    atMost(1_500, 'µs', 1_000, ASSIGNS),
    atMost(750, 'µs', 1_000, FAILING_ASSIGNS),
    flat(2, PENDING, STATES),
    flat(2, PENDING, TREE),
    atMost(1_000, 'µs', 4_000, COLLECTIONS),
    atMost(50_000 / 8_000, 'µs', 4_000, QUERIES),
  ],
  async measure({ peer, size }) {
    const figures = {};
    // If there are few, cold code is a larger part of the time.
    for (const mutations of Object.values(MUTATIONS)) pending(peer, 400, mutations);
    for (const [name, mutations] of Object.entries(MUTATIONS)) figures[name] = pending(peer, size, mutations);
    figures[BESIDES] = pending(peer, size, { ...besides, order: inOrder });
    assigning(peer, 100);
    figures[ASSIGNS] = assigning(peer, size);
    figures[FAILING_ASSIGNS] = assigning(peer, size, 'drop');
    keepingStates(peer, 400);
    figures[STATES] = keepingStates(peer, size);
    growingTree(peer, 400);
    figures[TREE] = growingTree(peer, size);
    deletingTogether(peer, 100);
    figures[BATCH] = deletingTogether(peer, size);
    figures[COLLECTIONS] = pushing(peer, size * 25);
    figures[QUERIES] = querying(peer, size * 2);
    return figures;
  },
};

/** The rows that `growth.svg` shows, each with the limit of its figures. */
export const panels = () => [{ row: S15, limit: MAX_COPIES }, { row: S15M }, { row: S7, limit: 10_000 }];
