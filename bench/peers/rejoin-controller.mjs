import { Controller, Endpoint, Entity, NetworkManager, parseInSlices, Slices } from 'rejoin';
import { models } from './models.mjs';

const { Post, Row } = models(Entity);

/** An endpoint whose server answers with the data of `world`. */
const endpointOf = (key, schema, answer, options = {}) =>
  new Endpoint(async (...args) => answer(...args), { name: key, key: () => key, schema, ...options });

/** The rows of the store, read and written through a controller: with requests, actions and views. */
export const throughController = {
  parse: parseInSlices,

  client({ isAnimated = false } = {}) {
    const world = {};
    const getPosts = endpointOf('GET /posts', [Post], () => world.response);
    const managers = isAnimated ? [new NetworkManager({ slices: new Slices() })] : [];
    const controller = new Controller({ managers });
    return {
      async fetch(response) {
        world.response = response;
        await controller.fetch(getPosts);
      },
      read: () => controller.getResponse(getPosts).data,
      watch: (onChange) => controller.view(getPosts).subscribe(onChange),
      /** The number of records that can be read: at each moment all or none. */
      rows: () => controller.store.stats().rows,
    };
  },

  async watchers(rows) {
    const controller = new Controller();
    await controller.fetch(endpointOf('GET /rows', [Row], () => rows));
    const shown = [];
    rows.forEach(({ id }, index) => {
      controller.watch(Row, { id }, (answer) => void (shown[index] = answer.value));
    });
    return {
      write: (id, title) => controller.set(Row, { id }, { id, title }),
      seen: (index) => shown[index].title,
    };
  },

  async pendingMutations(rows, guesses) {
    const controller = new Controller();
    await controller.fetch(endpointOf('GET /rows', [Row], () => rows));
    const never = new Promise(() => {});
    const change = endpointOf('PATCH /rows', Row, () => never, {
      sideEffect: true,
      getOptimisticResponse: (_snap, guess) => guess,
    });
    for (const guess of guesses) void controller.fetch(change, guess);
    const shown = new Map();
    const read = (id) => {
      if (!shown.has(id)) controller.watch(Row, { id }, (answer) => void shown.set(id, answer.value));
      return shown.get(id)?.title;
    };
    for (const { id } of guesses) read(id);
    return { write: (id, title) => controller.set(Row, { id }, { id, title }), read };
  },
};
