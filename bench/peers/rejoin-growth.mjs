import {
  All,
  Collection,
  Entity,
  Invalidate,
  Query,
  Store,
  Union,
  Values,
  addGuess,
  descendants,
  takeSnapshot,
} from 'rejoin';

class Row extends Entity {
  id = '';
  title = '';
  kind = 'row';
  group = '';
  rank = 0;
  static key = 'Row';
}
class Other extends Entity {
  id = '';
  kind = 'other';
  static key = 'Other';
}
class Board extends Entity {
  id = '';
  rows = [];
  static key = 'Board';
  static schema = { rows: [Row] };
}
class Atlas extends Entity {
  id = '';
  rows = {};
  static key = 'Atlas';
  static schema = { rows: new Values(Row) };
}
const rowsById = new Values(Row);
const map = new Collection(rowsById);
const plain = new Collection([Row]);
const ofTwoKinds = new Collection([new Union({ row: Row, other: Other }, 'kind')]);
const ranked = new Collection([Row], { orderBy: (one, other) => one.rank - other.rank });
const grouped = new Collection([Row]);
const entriesOf = (rows) => Object.fromEntries(rows.map((row) => [row.id, row]));
const gone = new Invalidate(Row);
class Folder extends Entity {
  id = '';
  parentId = '';
  static key = 'Folder';
}
const below = descendants(() => Folder, 'parentId');
const entry = (at, title) => ({ [`r${at}`]: { id: `r${at}`, title } });
const goneFolder = new Invalidate(Folder);
const all = new All(Row);
const first = { args: [{}] };
const page = { args: [{ limit: 20 }] };

/** The ways to show the rows, by kind: each writes the rows, and returns a live view of them. */
const shows = {
  collection: (store, rows) => inCollection(store, plain, rows),
  'collection of two kinds': (store, rows) => inCollection(store, ofTwoKinds, rows),
  'collection in an order': (store, rows) => inCollection(store, ranked, rows),
  page: (store, rows) => inCollection(store, plain, rows, page),
  'collection of a group': (store, rows) => {
    const args = [{ group: 'a' }];
    store.write(grouped, rows, { args });
    store.write(grouped, [], { args: [{ group: 'b' }] });
    return [store.query(grouped, args), (list) => list];
  },
  'list of a record': (store, rows) => {
    store.write(Board, { id: '1', rows });
    return [store.query(Board, [{ id: '1' }]), (board) => board.rows];
  },
  'list of a result': (store, rows) => {
    store.write([Row], rows, { resultKey: 'GET /rows' });
    return [store.resultView('GET /rows', [Row]), (list) => list];
  },
  map: (store, rows) => inCollection(store, map, entriesOf(rows)),
  'map of a record': (store, rows) => {
    store.write(Atlas, { id: '1', rows: entriesOf(rows) });
    return [store.query(Atlas, [{ id: '1' }]), (atlas) => atlas.rows];
  },
  'map of a result': (store, rows) => {
    store.write(rowsById, entriesOf(rows), { resultKey: 'GET /atlas' });
    return [store.resultView('GET /atlas', rowsById), (entries) => entries];
  },
  All: (store, rows) => {
    store.write([Row], rows);
    return [store.query(all, []), (list) => list];
  },
};

function inCollection(store, collection, rows, options = first) {
  store.write(collection, rows, options);
  return [store.query(collection, options.args), (list) => list];
}

/** The ways to create a record of a list, by kind. */
const creations = {
  collection: { last: plain.push, first: plain.unshift },
  'collection of two kinds': { last: ofTwoKinds.push, first: ofTwoKinds.unshift },
  'collection in an order': { last: ranked.push },
  page: { last: plain.unshift },
};

/** What removes a record from a list, or moves it to another one or to another place, by kind. `rowsOf`: the rows of the list before. */
const leavings = {
  removal: { kind: 'collection', schemaOf: () => plain.remove, options: first, rowsOf: (rows) => rows },
  move: {
    kind: 'collection of a group',
    schemaOf: () => grouped.move,
    options: { args: [{ group: 'b' }] },
    rowsOf: (rows) => rows.map((row) => ({ ...row, group: 'a' })),
  },
  // Every other mutation creates a member.
  mixed: {
    kind: 'collection',
    schemaOf: (at) => (at % 2 === 0 ? plain.remove : plain.push),
    options: first,
    rowsOf: (rows) => rows.filter((_, at) => at % 2 === 0),
  },
  places: {
    kind: 'collection in an order',
    schemaOf: () => Row,
    options: first,
    rowsOf: (rows) => rows.map((row, rank) => ({ ...row, rank })),
  },
};

/** For S15: the costs that grow with the number of members, of mutations, of collections and of queries. */
export const growing = {
  shown(kind, rows) {
    const store = new Store();
    const [view, listOf] = shows[kind](store, rows);
    view.subscribe(() => {});
    return {
      read: () => listOf(view.current()),
      remove: (id) => store.write(gone, { id }),
      removeAll: (ids) =>
        store.batch(() => {
          for (const id of ids) store.write(gone, { id });
        }),
      assign: (row) => store.write(map.assign, { [row.id]: row }, first),
      change: (row) => store.write(Row, row),
      create: (row, end) => store.write(creations[kind][end], row, first),
      // A guess with a temporary id, and its answer.
      guess: ({ id, ...row }) => {
        const layer = addGuess(store, () => ({ schema: creations[kind].last, response: row, ...first }));
        view.current();
        layer.confirm(creations[kind].last, { id, ...row }, first);
      },
      move: (id) => store.write(grouped.move, { id, group: 'b' }, { args: [{ group: 'b' }] }),
    };
  },

  /** Pending mutations. `kind` is the kind of the shown list that their records join or leave. */
  guesses(rows, makeGuess, kind) {
    const store = new Store();
    const leaving = leavings[kind];
    const schemaOf = leaving?.schemaOf ?? (() => (kind === undefined ? Row : creations[kind].last));
    const options = leaving?.options ?? (kind === 'page' ? page : first);
    if (kind === undefined) store.write([Row], rows);
    else if (leaving === undefined) shows[kind](store, [])[0].subscribe(() => {});
    else shows[leaving.kind](store, leaving.rowsOf(rows))[0].subscribe(() => {});
    const layers = [];
    return {
      push: (at) => layers.push(addGuess(store, () => ({ schema: schemaOf(at), response: makeGuess(at), ...options }))),
      land: (at, response) => layers[at].confirm(schemaOf(at), response, options),
      drop: (at) => layers[at].drop(),
      read: (id) => store.get(Row, id),
      count: () => store.stats().layers,
    };
  },

  /** Pending mutations that each set an entry of one shown map. */
  assigns() {
    const store = new Store();
    const view = inCollection(store, map, {})[0];
    view.subscribe(() => {});
    const layers = [];
    return {
      push: (at, title) =>
        layers.push(addGuess(store, () => ({ schema: map.assign, response: entry(at, title), ...first }))),
      land: (at, title) => layers[at].confirm(map.assign, entry(at, title), first),
      drop: (at) => layers[at].drop(),
      read: () => view.current(),
    };
  },

  /** Snapshots that are kept while rows change. */
  states(rows) {
    const store = new Store();
    store.write([Row], rows);
    return {
      take: () => takeSnapshot(store),
      change: (id, title) => store.write(Row, { id, title }),
      read: (state, id) => state.get(Row, { id }),
    };
  },

  /** A shown tree. */
  tree() {
    const store = new Store();
    const view = store.query(below, ['root']);
    view.subscribe(() => {});
    view.current();
    return {
      add: (id, parentId) => store.write(Folder, { id, parentId }),
      remove: (id) => store.write(goneFolder, { id }),
      read: () => view.current(),
    };
  },

  collections(count) {
    const lists = new Collection([Row]);
    const store = new Store();
    store.batch(() => {
      for (let at = 0; at < count; at++) store.write(lists, [], { args: [{ group: `g${at}` }] });
    });
    return {
      push: (group, row) => store.write(lists.push, row, { args: [{ group }] }),
      read: (group) => store.get(lists, { group }),
    };
  },

  queries(count) {
    const store = new Store();
    store.write([Row], [{ id: '1', title: 'first' }]);
    const titled = new Query(all, (rows, mark) => `${rows[0].title} ${mark}`);
    const views = Array.from({ length: count }, (_, at) => store.query(titled, [`q${at}`]));
    for (const view of views) view.subscribe(() => {});
    return {
      change: (title) => store.write(Row, { id: '1', title }),
      read: () => views.map((view) => view.current()),
    };
  },
};
