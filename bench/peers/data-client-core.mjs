// Imported first, for its side effect.
// oxlint-disable-next-line import/no-unassigned-import
import './without-idle.mjs';
import { applyManager, Controller, createReducer, initialState, NetworkManager } from '@data-client/core';
import { Endpoint, Entity } from '@data-client/endpoint';
import { models } from './models.mjs';

/** Version 0.9 has no `pk` of its own. */
class Identified extends Entity {
  pk() {
    return this.id;
  }
}
const { Post, Row } = models(Identified);

/** Combines its controller, reducer and network manager as its provider does, without React. */
function start(onChange = () => {}) {
  const controller = new Controller();
  const reducer = createReducer(controller);
  let state = initialState;
  const getState = () => state;
  const last = async (action) => {
    state = reducer(state, action);
    onChange();
  };
  let run = last;
  const dispatch = (action) => run(action);
  const wrappers = applyManager([new NetworkManager()], controller).map((make) => make({ dispatch, getState }));
  run = wrappers.reduceRight((next, wrap) => wrap(next), last);
  return { controller, getState };
}

const endpointOf = (key, schema, answer, options = {}) =>
  new Endpoint(async (...args) => answer(...args), { schema, key: () => key, ...options });

export const peer = {
  client() {
    const world = {};
    const getPosts = endpointOf('GET /posts', [Post], () => world.response);
    const { controller, getState } = start();
    const count = () => Object.values(getState().entities).reduce((sum, table) => sum + Object.keys(table).length, 0);
    return {
      fetch(response) {
        world.response = response;
        return controller.fetch(getPosts);
      },
      read: () => controller.getResponse(getPosts, getState()).data,
      rows: count,
    };
  },

  /** Each mounted hook reads again after each write, because the context of the library has another value. */
  async watchers(rows) {
    const world = { isReady: false };
    const { controller, getState } = start(() => world.isReady && readAll());
    await controller.fetch(endpointOf('GET /rows', [Row], () => rows));
    const getRow = new Endpoint(async () => undefined, { schema: Row, key: ({ id }) => `GET /rows/${id}` });
    const args = rows.map(({ id }) => ({ id }));
    const shown = [];
    const readAll = () => {
      for (let at = 0; at < args.length; at++) shown[at] = controller.getResponse(getRow, args[at], getState()).data;
    };
    world.isReady = true;
    readAll();
    return {
      write: (id, title) => controller.setResponse(getRow, { id }, { id, title }),
      seen: (index) => shown[index].title,
    };
  },

  async pendingMutations(rows, guesses) {
    const { controller, getState } = start();
    await controller.fetch(endpointOf('GET /rows', [Row], () => rows));
    const never = new Promise(() => {});
    const change = new Endpoint(() => never, {
      schema: Row,
      key: ({ id }) => `PATCH /rows/${id}`,
      sideEffect: true,
      getOptimisticResponse: (_snap, guess) => guess,
    });
    for (const guess of guesses) void controller.fetch(change, guess);
    const getRow = new Endpoint(async () => undefined, { schema: Row, key: ({ id }) => `GET /rows/${id}` });
    return {
      write: (id, title) => controller.setResponse(getRow, { id }, { id, title }),
      // Does the work of a hook: applies the guesses to the whole state, and reads the result.
      read(id) {
        const state = getState();
        const seen = state.optimistic.reduce(createReducer(controller), state);
        return controller.getResponse(getRow, { id }, seen).data?.title;
      },
    };
  },
};
