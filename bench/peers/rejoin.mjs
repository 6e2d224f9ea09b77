import * as rejoin from 'rejoin';
import { throughController } from './rejoin-controller.mjs';
import { circle, circleTree } from './rejoin-circle.mjs';
import { growing } from './rejoin-growth.mjs';
import { models } from './models.mjs';
import { saving } from './rejoin-saved.mjs';

const { Collection, Entity, Query, Store } = rejoin;
/** Live queries; `undefined` if this version has none. */
const { from } = { ...rejoin };

const { User, Post, Row, Stats, Currency } = models(Entity);

const Currencies = new Collection([Currency]);

const byVolume = (a, b) => b.stats.volume - a.stats.volume;

/** A live query if this version has live queries; otherwise a `Query` that sorts the whole list. */
function top20(tier) {
  const matches = (currency) => tier === undefined || currency.tier === tier;
  if (from === undefined) {
    return new Query(Currencies, (all) => all.filter(matches).sort(byVolume).slice(0, 20));
  }
  const query = from(Currency)
    .orderBy((currency) => currency.stats.volume, 'desc')
    .limit(20);
  return tier === undefined ? query : query.where(matches);
}

export const peer = {
  ...saving,
  ...throughController,
  growing,
  circle,
  circleTree,
  manyStreams: from !== undefined,

  engine() {
    const store = new Store();
    let view;
    const list = () => (view ??= store.resultView('GET /posts'));
    return {
      write: (response) => store.write([Post], response, { resultKey: 'GET /posts' }),
      read: () => list().current(),
      changePost: (id, title) => store.write(Post, { id, title }),
      changeUser: (id, name) => store.write(User, { id, name }),
      watch: (onChange) => list().subscribe(onChange),
    };
  },

  readers(rows) {
    const store = new Store();
    store.write([Row], rows);
    const shown = rows.map((row, index) => {
      const view = store.query(Row, [{ id: row.id }]);
      view.subscribe(() => void (shown[index] = view.current()));
      return view.current();
    });
    return {
      write: (id, title) => store.write(Row, { id, title }),
      seen: (index) => shown[index].title,
    };
  },

  liveTop({ currencies, stats, queries }) {
    const store = new Store();
    store.write([Stats], stats);
    store.write(Currencies, currencies, { args: [{}] });
    const shown = Array.from({ length: queries }, (_, index) => {
      const args = from === undefined ? [{}] : [];
      const view = store.query(top20(queries === 1 ? undefined : index % 10), args);
      view.subscribe(() => void (shown[index] = view.current()));
      return view.current();
    });
    return {
      update: (id, volume) => store.write(Stats, { id, volume }),
      top: (query) => shown[query].map((currency) => currency.id),
    };
  },

  list(rows) {
    const Rows = new Collection([Row]);
    const store = new Store();
    store.write(Rows, rows, { args: [{}] });
    const view = store.query(Rows, [{}]);
    view.subscribe(() => {});
    view.current();
    return {
      push: (row) => store.write(Rows.push, row, { args: [{}] }),
      remove: (id) => store.invalidate(Row, id),
      read: () => view.current(),
    };
  },

  pending(rows, guesses) {
    const store = new Store();
    store.write([Row], rows);
    const views = new Map();
    const viewOf = (id) => {
      let view = views.get(id);
      if (view === undefined) {
        view = store.query(Row, [{ id }]);
        view.subscribe(() => {});
        views.set(id, view);
      }
      return view;
    };
    for (const guess of guesses) {
      rejoin.addGuess(store, () => ({ schema: Row, response: guess }));
      viewOf(guess.id).current();
    }
    return {
      write: (id, title) => store.write(Row, { id, title }),
      read: (id) => viewOf(id).current()?.title,
    };
  },
};
