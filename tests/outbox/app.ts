import { All, Controller, Entity, resource, Store } from 'rejoin';
import { OutboxManager, type OutboxEvent, type OutboxOptions } from 'rejoin/outbox';
import { memoryStorage, type TextStorage } from 'rejoin/persist';
import { Todo } from '../model.ts';
import { Server } from './server.ts';

export class Note extends Entity {
  id = '';
  text = '';
  todoId = '';
  static override key = 'Note';
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- worked out from the resources
export function resourcesOf(server: Server) {
  const shared = { urlPrefix: 'https://api.test', platform: server.platform, optimistic: true, offline: true } as const;
  return {
    todos: resource({ ...shared, path: '/todos/:id', schema: Todo }),
    notes: resource({ ...shared, path: '/notes/:id', schema: Note }),
  };
}

export type Resources = ReturnType<typeof resourcesOf>;

/** One start of an application. */
export interface App extends Resources {
  readonly server: Server;
  readonly storage: TextStorage;
  readonly controller: Controller;
  readonly store: Store;
  readonly outbox: OutboxManager;
  readonly events: OutboxEvent[];
}

/** Starts an application, and waits until the guesses of its earlier start are made. */
export async function start(given: Partial<OutboxOptions> & { readonly server?: Server } = {}): Promise<App> {
  const app = begin(given);
  await app.controller.ready;
  return app;
}

export function begin(given: Partial<OutboxOptions> & { readonly server?: Server } = {}): App {
  const { server = new Server(), storage = memoryStorage(), ...options } = given;
  const events: OutboxEvent[] = [];
  const resources = resourcesOf(server);
  const outbox = new OutboxManager({
    name: 'app',
    endpoints: Object.values(resources),
    storage,
    platform: server.platform,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const store = new Store();
  const controller = new Controller({ store, managers: [outbox] });
  return { ...resources, server, storage, controller, store, outbox, events };
}

/** Waits until all work is done that needs only turns of the event loop. */
export async function settle(turns = 60): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- one turn after another
}

/** Ends an application as if its page was killed: it writes, sends and receives nothing more. */
export function kill(app: App): void {
  app.controller.dispose();
}

/** The pks of all records of a class that are shown. */
export function pksOf(store: Store, entity: typeof Todo): string[] {
  return (store.get(new All(entity)) ?? []).map((record) => String(record.pk()));
}

export function ignore(): void {}
