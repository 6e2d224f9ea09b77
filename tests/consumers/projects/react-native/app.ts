import './globals.ts';
import { Controller, Entity, getDefaultManagers, resource } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { memoryStorage } from 'rejoin/persist';

class Price {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  get text(): string {
    return this.#text;
  }
}

class Todo extends Entity {
  id = '';
  title = '';
  price = new Price('0.00');
  static key = 'Todo';
  static schema = { price: Price };
}
const todos = resource({ urlPrefix: 'https://api.example.com', path: '/todos/:id', schema: Todo, optimistic: true });

const failure = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'none',
    (error: { readonly code?: string; readonly name: string }) => error.code ?? error.name,
  );

export async function run(): Promise<string> {
  const controller = new Controller();
  const list = (await controller.fetch(todos.getList)).map(({ title, price }) => `${title} ${price.text}`);
  const creating = controller.fetch(todos.create, { title: 'New' });
  const guessed = controller.get(todos.getList.schema)?.map(({ title }) => title);
  const created = (await creating).id;

  const form = new FormData();
  form.append('title', 'Photo');
  const uploaded = (await controller.fetch(todos.create, form)).id;

  const aborting = new AbortController();
  const stopping = failure(controller.fetch(todos.get.extend({ signal: aborting.signal }), { id: 'slow' }));
  await Promise.resolve();
  aborting.abort();
  const stopped = await stopping;
  const late = await failure(controller.fetch(todos.get.extend({ timeout: 1 }), { id: 'slow' }));
  const resetting = failure(controller.fetch(todos.get, { id: 'slow' }));
  await Promise.resolve();
  await controller.resetEntireStore();
  const reset = await resetting;

  const outbox = new OutboxManager({ name: 'app', storage: memoryStorage(), endpoints: [todos.create] });
  const offline = new Controller({ managers: [...getDefaultManagers(), outbox] });
  const queued = (await offline.fetch(todos.create, { title: 'Queued' })).id;
  return JSON.stringify({ list, guessed, created, uploaded, stopped, late, reset, queued });
}
