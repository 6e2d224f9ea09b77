import { All, Collection, Entity, Invalidate, Query, Store, Union, Values } from 'rejoin';

class Row extends Entity {
  id = '';
  title = '';
  kind = 'row';
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
const entriesOf = (rows) => Object.fromEntries(rows.map((row) => [row.id, row]));
const gone = new Invalidate(Row);
const all = new All(Row);
const first = { args: [{}] };

/** What shows the rows, by kind: it writes them, and gives a live view of them. */
const shows = {
  collection: (store, rows) => inCollection(store, new Collection([Row]), rows),
  'collection of two kinds': (store, rows) =>
    inCollection(store, new Collection([new Union({ row: Row, other: Other }, 'kind')]), rows),
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

function inCollection(store, collection, rows) {
  store.write(collection, rows, first);
  return [store.query(collection, [{}]), (list) => list];
}

/** For S15: what grows with the number of members, of mutations, of collections and of queries. */
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
    };
  },

  guesses(rows, makeGuess) {
    const store = new Store();
    store.write([Row], rows);
    const layers = [];
    return {
      push: (at) => layers.push(store.guess(() => ({ schema: Row, response: makeGuess(at) }))),
      land: (at, response) => layers[at].confirm(Row, response),
      drop: (at) => layers[at].drop(),
      read: (id) => store.get(Row, id),
      count: () => store.stats().layers,
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
