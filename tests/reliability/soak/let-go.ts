import { Collection, Controller, Endpoint, Entity, recommended } from '../../../src/index.ts';
import { settled } from '../network/clock.ts';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

const notes: Collection = new Collection([Note]);
const getNotes = new Endpoint(async (_args: { page: number }) => [{ id: '1', text: 'a' }], {
  name: 'getNotes',
  schema: notes,
});
const never = new Endpoint((_args: { id: string }) => new Promise<object>(() => {}), { name: 'never', schema: Note });

/** As an application passes them to each of its providers. */
const shared = recommended();
const present: Controller[] = [];

/** Objects to which nothing refers any more, by name. Each is made, used as in an application, and dropped. */
const MADE: Readonly<Record<string, (controller: Controller) => Promise<object> | object>> = {
  'a controller': async () => {
    const controller = new Controller();
    await controller.fetch(getNotes, { page: 1 });
    controller.watch(getNotes, { page: 1 }, () => {});
    controller.dispose();
    return controller;
  },
  'a controller whose managers another one has taken over': async () => {
    const former = new Controller(shared);
    await former.fetch(getNotes, { page: 1 });
    present.push(new Controller(shared));
    former.dispose();
    return former;
  },
  'the store of a controller': async () => {
    const controller = new Controller();
    await controller.fetch(getNotes, { page: 1 });
    return controller.store;
  },
  'a view': (controller) => {
    const view = controller.view(getNotes, { page: 2 });
    view.subscribe(() => {})();
    view.current();
    return view;
  },
  'a listener': (controller) => {
    const listener = (): void => {};
    controller.watch(Note, { id: '1' }, listener)();
    return listener;
  },
  'an endpoint': async (controller) => {
    const endpoint = getNotes.extend({ name: 'otherNotes' });
    await controller.fetch(endpoint, { page: 3 });
    await controller.resetEntireStore();
    return endpoint;
  },
  'a record': async (controller) => {
    await controller.set(Note, { id: '7' }, { id: '7', text: 'b' });
    const record = controller.get(Note, { id: '7' }) as object;
    await controller.resetEntireStore();
    return record;
  },
  'a snapshot': async (controller) => {
    const snapshot = controller.snapshot();
    await controller.fetch(getNotes, { page: 4 });
    snapshot.getResponse(getNotes, { page: 4 });
    return snapshot;
  },
  'the arguments of a fetch that was forgotten': async (controller) => {
    const args = { id: 'forgotten' };
    const waiting = controller.fetch(never, args).catch(() => {});
    await controller.resetEntireStore();
    await waiting;
    return args;
  },
};

/** Returns the names of dropped objects that are still in memory after a garbage collection. */
export async function stillReferenced(gc: () => void): Promise<readonly string[]> {
  const controller = new Controller();
  const gone = new Set<string>();
  const registry = new FinalizationRegistry<string>((name) => gone.add(name));
  for (const [name, make] of Object.entries(MADE)) {
    // oxlint-disable-next-line no-await-in-loop -- one resets what another made
    await (async () => registry.register(await make(controller), name))();
  }
  for (let tries = 0; tries < 20 && gone.size < Object.keys(MADE).length; tries++) {
    // oxlint-disable-next-line no-await-in-loop
    await settled();
    gc();
  }
  for (const one of [controller, ...present]) one.dispose();
  return Object.keys(MADE).filter((name) => !gone.has(name));
}
