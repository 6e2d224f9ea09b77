/** S15: the cost of a change while lists, mutations, collections and queries grow, in processor time. */
import { rowAt } from '../harness/data.mjs';
import { expect } from '../harness/expect.mjs';
import { atMost } from './targets.mjs';

const SIZES = [12_500, 25_000, 50_000, 100_000];
export const MAX_COPIES = 3;

const MAPS = ['map', 'map of a record', 'map of a result'];
const LISTS = ['collection', 'collection of two kinds', 'list of a record', 'list of a result', 'All'];
const ENDS = {
  'the front': (size) => (turn) => turn % size,
  'the back': (size) => (turn) => size - 1 - (turn % size),
  // Has no factor in common with any size, so that each row is used once.
  anywhere: (size) => (turn) => (turn * 7919) % size,
};

const membersOf = (shown) => Object.values(shown);
export const rowsOf = (size) => Array.from({ length: size }, (_, index) => ({ ...rowAt(index), kind: 'row' }));

/** Microseconds of processor time. */
export function spent(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Returns the ratio of the time of a step to the time of copying the list or map. Both are measured in turn, under the same load of the machine. */
function inCopies(shown, step) {
  // Copying a map takes hundreds of times as long as copying a list.
  const isMap = !Array.isArray(shown);
  const block = isMap ? 1 : 25;
  const length = membersOf(shown).length;
  const blocks = Math.max(4, Math.min(60, Math.round((isMap ? 400_000 : 20_000_000) / length / block)));
  let copy = shown;
  let turn = 0;
  const copying = () => {
    for (let at = 0; at < block; at++) copy = isMap ? { ...copy } : copy.slice();
  };
  const stepping = () => {
    for (let at = 0; at < block; at++) step(turn++);
  };
  // Runs until the code is warm.
  for (let at = 0; at < 8; at++) {
    copying();
    stepping();
  }
  let [copies, steps] = [0, 0];
  for (let at = 0; at < blocks; at++) {
    copies += spent(copying);
    steps += spent(stepping);
  }
  expect(membersOf(copy).length === length, 'the copy is of another length');
  return { ratio: steps / copies, turns: turn };
}

function deleting(peer, kind, size, end) {
  const list = peer.growing.shown(kind, rowsOf(size));
  const shown = list.read();
  const next = ENDS[end](size);
  const { ratio, turns } = inCopies(shown, (turn) => {
    list.remove(`r${next(turn)}`);
    list.read();
  });
  const left = membersOf(list.read());
  expect(left.length === size - turns, `${left.length} are left of ${size} after ${turns}`);
  const deleted = new Set(Array.from({ length: turns }, (_, turn) => `r${next(turn)}`));
  expect(!left.some(({ id }) => deleted.has(id)), 'a deleted row is still shown');
  return ratio;
}

function changing(peer, size, rowFor) {
  const list = peer.growing.shown('All', rowsOf(size));
  const { ratio, turns } = inCopies(list.read(), (turn) => {
    list.change(rowFor(turn, size));
    list.read();
  });
  const last = rowFor(turns - 1, size);
  expect(
    list.read().find(({ id }) => id === last.id)?.title === last.title,
    `${last.id} is not shown as it was written`,
  );
  return ratio;
}

function adding(peer, size) {
  const map = peer.growing.shown('map', rowsOf(size));
  const { ratio, turns } = inCopies(map.read(), (turn) => {
    map.assign(added(turn, size));
    map.read();
  });
  expect(membersOf(map.read()).length === size + turns, 'an entry is missing');
  return ratio;
}

/** A list that a change makes longer or shorter, or whose length stays the same. */
function changingList(peer, size, kind, by, change) {
  const list = peer.growing.shown(kind, rowsOf(size));
  const { ratio, turns } = inCopies(list.read(), (turn) => {
    change(list, turn);
    list.read();
  });
  const { length } = list.read();
  expect(length === size + by * turns, `${length} rows are shown of ${size} after ${turns} changes`);
  return ratio;
}

/** Runs until the code is warm, as in an application that has run for a while, because engines then use other arrays. */
function warm(peer) {
  for (let turn = 0; turn < 400; turn++) {
    const list = peer.growing.shown('collection', rowsOf(100));
    list.read();
    list.create(added(turn, 100), 'last');
    list.read();
    list.remove('r50');
    list.read();
  }
}

const changed = (turn, size) => ({ ...rowAt((turn * 7919) % size), title: `title ${turn}` });
const added = (turn, size) => ({ ...rowAt(size + turn), title: `title ${turn}` });

export const S15 = {
  id: 'S15',
  title: 'a change of a long list that is shown, read after each: deletions one by one, and what All makes of a row',
  unit: 'times the copy of an array of that length',
  sizes: SIZES,
  peers: ['rejoin'],
  targets: SIZES.flatMap((size) => [
    ...[...LISTS, ...MAPS].map((kind) => atMost(MAX_COPIES, 'copies', size, `${kind}, anywhere`)),
    atMost(MAX_COPIES, 'copies', size, 'map, a new entry'),
    atMost(MAX_COPIES, 'copies', size, 'All, a changed row'),
    atMost(MAX_COPIES, 'copies', size, 'All, a new row'),
  ]),
  async measure({ peer, size }) {
    warm(peer);
    const figures = {};
    for (const end of Object.keys(ENDS)) figures[`collection, ${end}`] = deleting(peer, 'collection', size, end);
    for (const kind of [...LISTS.slice(1), ...MAPS])
      figures[`${kind}, anywhere`] = deleting(peer, kind, size, 'anywhere');
    figures['map, a new entry'] = adding(peer, size);
    figures['All, a changed row'] = changing(peer, size, changed);
    figures['All, a new row'] = changing(peer, size, added);
    return figures;
  },
};

const COLLECTIONS_OF_ROWS = ['collection', 'collection of two kinds'];

/** Changes of lists, each with the difference in length. */
const CHANGES = {
  ...Object.fromEntries(
    COLLECTIONS_OF_ROWS.flatMap((kind) => [
      [`${kind}, a changed row`, [kind, 0, (list, turn, size) => list.change(changed(turn, size))]],
      [`${kind}, a new row at the end`, [kind, 1, (list, turn, size) => list.create(newRow(turn, size), 'last')]],
      [`${kind}, a new row at the front`, [kind, 1, (list, turn, size) => list.create(newRow(turn, size), 'first')]],
    ]),
  ),
  'collection, a new row that is guessed, then answered': [
    'collection',
    1,
    (list, turn, size) => list.guess(newRow(turn, size)),
  ],
  'collection in an order, a new row in its place': [
    'collection in an order',
    1,
    (list, turn, size) => list.create({ ...newRow(turn, size), rank: (turn * 7919) % size }, 'last'),
  ],
  'a row that moves to another list': [
    'collection of a group',
    -1,
    (list, turn, size) => list.move(`r${(turn * 7919) % size}`),
  ],
};

const newRow = (turn, size) => ({ ...added(turn, size), kind: 'row' });

export const S15L = {
  id: 'S15L',
  title: 'a change of a long list that is shown, in code that is warm, read after each: what changes, comes and moves',
  unit: 'times the copy of an array of that length',
  sizes: SIZES,
  peers: ['rejoin'],
  targets: SIZES.flatMap((size) => Object.keys(CHANGES).map((name) => atMost(MAX_COPIES, 'copies', size, name))),
  async measure({ peer, size }) {
    warm(peer);
    const figures = {};
    for (const [name, [kind, by, change]] of Object.entries(CHANGES))
      figures[name] = changingList(peer, size, kind, by, (list, turn) => change(list, turn, size));
    return figures;
  },
};
