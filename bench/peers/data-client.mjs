import { MemoCache, normalize } from '@data-client/normalizr';
import { Entity, Invalidate, Listing, Query } from './data-client-schema.mjs';
import { models } from './models.mjs';

const { User, Post, Row, Stats, Currency } = models(Entity);

const POSTS = [Post];
const NO_ARGS = [];
let clock = 1;

/** The part of its reducer that a write runs, and its memo, without the work of the React binding. */
class State {
  tables = { entities: {}, indexes: {}, entitiesMeta: {} };
  endpoints = {};
  memo = new MemoCache();

  write(schema, response, request) {
    const { result, ...tables } = normalize(schema, response, NO_ARGS, this.tables, stamp());
    this.tables = tables;
    if (request !== undefined) this.endpoints = { ...this.endpoints, [request]: result };
    return result;
  }

  read(schema, request) {
    return this.memo.denormalize(schema, this.endpoints[request], this.tables.entities).data;
  }

  query(schema, args, argsKey) {
    return this.memo.query(schema, args, this.tables, argsKey).data;
  }
}

function stamp() {
  clock++;
  return { fetchedAt: clock, date: clock, expiresAt: Infinity };
}

export const peer = {
  engine() {
    const state = new State();
    return {
      write: (response) => void state.write(POSTS, response, 'GET /posts'),
      read: () => state.read(POSTS, 'GET /posts'),
      changePost: (id, title) => void state.write(Post, { id, title }),
      changeUser: (id, name) => void state.write(User, { id, name }),
    };
  },

  /** Each mounted hook reads again after each write, because the context of the library has another value. */
  readers(rows) {
    const state = new State();
    state.write([Row], rows);
    const args = rows.map((row) => [{ id: row.id }]);
    const keys = args.map((each) => JSON.stringify(each));
    const shown = [];
    const readAll = () => {
      for (let index = 0; index < args.length; index++) shown[index] = state.query(Row, args[index], keys[index]);
    };
    readAll();
    return {
      write(id, title) {
        state.write(Row, { id, title });
        readAll();
      },
      seen: (index) => shown[index].title,
    };
  },

  liveTop({ currencies, stats }) {
    const state = new State();
    const Currencies = new Listing(Currency);
    state.write([Stats], stats);
    state.write(Currencies, currencies);
    const top20 = new Query(Currencies, (all) => [...all].sort((a, b) => b.stats.volume - a.stats.volume).slice(0, 20));
    let top = state.query(top20, NO_ARGS);
    return {
      update(id, volume) {
        state.write(Stats, { id, volume });
        top = state.query(top20, NO_ARGS);
      },
      top: () => top.map((currency) => currency.id),
    };
  },

  list(rows) {
    const state = new State();
    const Rows = new Listing(Row);
    const gone = new Invalidate(Row);
    state.write(Rows, rows);
    return {
      push: (row) => void state.write(Rows.push, row),
      remove: (id) => void state.write(gone, { id }),
      read: () => state.query(Rows, NO_ARGS),
    };
  },

  /** Guesses are actions that run again over the new state after each write. */
  pending(rows, guesses) {
    const state = new State();
    state.write([Row], rows);
    let seen = state.tables;
    const replay = () => {
      seen = state.tables;
      for (const guess of guesses) seen = normalize(Row, guess, NO_ARGS, seen, stamp());
    };
    replay();
    return {
      write(id, title) {
        state.write(Row, { id, title });
        replay();
      },
      read: (id) => state.memo.query(Row, [{ id }], seen).data?.title,
    };
  },
};
