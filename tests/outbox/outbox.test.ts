import { describe, expect, onTestFinished, test } from 'vitest';
import { All, Collection, Entity, resource, Union } from 'rejoin';
import { type App, begin, ignore, kill, Note, pksOf, resourcesOf, settle, start } from './app.ts';
import { Todo } from '../model.ts';
import { Server, type Trouble } from './server.ts';

const statesOf = ({ outbox }: App): string[] => outbox.entries().map(({ state }) => state);

describe('an edit with a network', () => {
  test('shows its guess at once, and resolves when the server has answered', async () => {
    const { controller, outbox, server, store, todos } = await start();
    const answer = controller.fetch(todos.create, { title: 'a' });
    expect(store.get(new All(Todo))).toMatchObject([{ title: 'a' }]);
    expect(outbox.entries()).toMatchObject([{ endpoint: 'Todo.create', state: 'waiting', args: [{ title: 'a' }] }]);
    await expect(answer).resolves.toMatchObject({ id: '101', title: 'a' });
    expect(outbox.entries()).toEqual([]);
    expect(server.effects).toMatchObject([{ method: 'POST', body: { title: 'a' } }]);
  });

  test('is in the storage before it is sent', async () => {
    const app = begin();
    await app.controller.ready;
    const seen: unknown[] = [];
    app.server.trouble = () => void seen.push(app.outbox.entries()[0]?.isKept);
    await app.controller.fetch(app.todos.create, { title: 'a' });
    expect(seen).toEqual([true]);
    expect(await app.outbox.flush()).toBe(true);
    const { entries } = await (await app.storage.open('app outbox')).read();
    // The disk contains only the note that data was deleted.
    expect([...entries]).toEqual([['deleted', '1']]);
  });
});

const thing = new Union({ todo: Todo, note: Note }, (record: object) => ('text' in record ? 'note' : 'todo'));
const thingsFrom = ({ platform }: Server) =>
  resource({ urlPrefix: 'https://api.test', platform, path: '/todos/:id', schema: thing, offline: true });

test('edits of one record of a union are carried out in their order, also moves between lists', async () => {
  const server = new Server();
  const things = thingsFrom(server);
  const { controller } = await start({ server, endpoints: [things] });
  server.records.set('/todos/1', { id: '1', title: 'a' });
  server.troubles.push(503);
  await Promise.all([
    controller.fetch(things.getList.move, { id: '1' }, { title: 'b' }),
    controller.fetch(things.partialUpdate, { id: '1' }, { title: 'c' }),
    controller.fetch(things.delete, { id: '1' }),
  ]);
  expect(server.effects.map(({ body, method }) => [method, body['title']])).toEqual([
    ['PATCH', 'b'],
    ['PATCH', 'c'],
    ['DELETE', undefined],
  ]);
});

test('edits of one record through a union and through its class are carried out in their order, also after a restart', async () => {
  const server = new Server();
  const things = thingsFrom(server);
  const first = await start({ server, endpoints: [things, resourcesOf(server).todos] });
  const { controller, outbox, storage, todos } = first;
  server.records.set('/todos/1', { id: '1', title: 'a' });
  server.isOnline = false;
  controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' }).catch(ignore);
  controller.fetch(things.partialUpdate, { id: '1' }, { title: 'c' }).catch(ignore);
  controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'd' }).catch(ignore);
  await outbox.flush();
  kill(first);
  const next = await start({ server, storage, endpoints: [things, resourcesOf(server).todos] });
  next.controller.fetch(things.partialUpdate, { id: '1' }, { title: 'e' }).catch(ignore);
  let refusals = 3;
  server.trouble = ({ body }) => (body['title'] !== 'e' && refusals-- > 0 ? 503 : undefined);
  server.isOnline = true;
  await settle(200);
  expect(server.effects.map(({ body }) => body['title'])).toEqual(['b', 'c', 'd', 'e']);
});

test('an edit of a union is known by the keys of its classes, also one of a list with a schema of its own', async () => {
  const server = new Server();
  const things = thingsFrom(server).extend({ getList: { schema: new Collection([thing]) } });
  const { controller, outbox } = await start({ server, endpoints: [things] });
  server.isOnline = false;
  for (const title of ['a', 'b']) controller.fetch(things.getList.push, { title }).catch(ignore);
  await settle();
  expect(outbox.entries().map(({ endpoint }) => endpoint)).toEqual(['Todo|Note.create', 'Todo|Note.create']);
  server.isOnline = true;
  await settle();
  expect(server.effects.map(({ body }) => body['title'])).toEqual(['a', 'b']);
});

describe('an edit without a network', () => {
  test('waits, and is sent when there is one', async () => {
    const { controller, outbox, server, store, todos } = await start();
    server.isOnline = false;
    const answer = controller.fetch(todos.create, { title: 'a' });
    await settle();
    expect(outbox.entries()).toMatchObject([{ isKept: true, error: { name: 'TypeError' } }]);
    expect(server.effects).toEqual([]);
    server.isOnline = true;
    await expect(answer).resolves.toMatchObject({ id: '101' });
    expect(store.get(Todo, '101')?.title).toBe('a');
    expect(server.effects).toHaveLength(1);
  });

  test('is shown again after a restart, before anything reads, and is sent once', async () => {
    const first = await start();
    await first.controller.fetch(first.todos.create, { title: 'a' });
    first.server.isOnline = false;
    first.controller.fetch(first.todos.partialUpdate, { id: '101' }, { title: 'b' }).catch(ignore);
    await first.outbox.flush();
    kill(first);
    const { server, storage } = first;
    const { controller, events, outbox, store } = begin({ server, storage });
    expect(controller.ready).toBeDefined();
    store.write(Todo, { id: '101', title: 'a' });
    await controller.ready;
    expect(controller.ready).toBeUndefined();
    expect(store.get(Todo, '101')?.title).toBe('b');
    expect(events).toEqual([{ type: 'restored', entries: 1 }]);
    server.isOnline = true;
    await settle();
    expect(outbox.entries()).toEqual([]);
    expect(server.records.get('/todos/101')).toMatchObject({ title: 'b' });
    expect(server.effects).toHaveLength(2);
  });

  test('is fetched again after it was sent twice, because another client may have written between the two requests', async () => {
    const { controller, server, todos } = await start();
    await controller.fetch(todos.create, { title: 'a' });
    controller.watch(todos.get, { id: '101' }, ignore);
    await controller.fetch(todos.get, { id: '101' });
    server.trouble = ({ method }) => {
      if (method !== 'PATCH' || server.effects.length > 1) return undefined;
      return 'lost answer';
    };
    const edit = controller.fetch(todos.partialUpdate, { id: '101' }, { title: 'mine' });
    while (server.effects.length < 2) await settle(1); // oxlint-disable-line no-await-in-loop
    server.records.set('/todos/101', { id: '101', title: 'theirs' });
    await edit;
    await settle();
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'PATCH']);
    expect(controller.get(Todo, '101')?.title).toBe('theirs');
  });

  test('has one effect, although its answer was lost and the application was killed', async () => {
    const first = await start();
    const { server, storage } = first;
    server.troubles.push('lost answer');
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    for (let turn = 0; server.requests.length === 0 && turn < 50; turn++) await settle(1); // oxlint-disable-line no-await-in-loop
    kill(first);
    await start({ server, storage });
    await settle();
    expect(server.requests.length).toBeGreaterThan(1);
    expect(server.effects).toHaveLength(1);
    expect(new Set(server.requests.map(({ key }) => key)).size).toBe(1);
  });
});

describe('an edit whose answer', () => {
  test('is cut off has one effect, because it is sent again with the same key', async () => {
    const { controller, outbox, server, todos } = await start();
    server.troubles.push('answer cut off');
    await expect(controller.fetch(todos.create, { title: 'a' })).resolves.toMatchObject({ id: '101' });
    expect(outbox.entries()).toEqual([]);
    expect(server.requests).toHaveLength(2);
    expect(server.effects).toHaveLength(1);
  });

  test('cannot be read has one effect, also if the user sends it again', async () => {
    const { controller, outbox, server, todos } = await start();
    server.troubles.push('unreadable answer');
    await expect(controller.fetch(todos.create, { title: 'a' })).rejects.toMatchObject({ code: 'response-unreadable' });
    expect(outbox.entries()).toMatchObject([{ state: 'stopped' }]);
    outbox.retry();
    await settle();
    expect(outbox.entries()).toEqual([]);
    expect(server.requests).toHaveLength(2);
    expect(server.effects).toHaveLength(1);
  });
});

test('an edit that changes a list has its own name, and changes the list in the same way after a restart', async () => {
  const first = await start();
  const { server, storage, todos } = first;
  await first.controller.fetch(todos.create, { title: 'a' });
  server.isOnline = false;
  first.controller.fetch(todos.getList.push, { title: 'last' }).catch(ignore);
  first.controller.fetch(todos.getList.unshift, { title: 'first' }).catch(ignore);
  await first.outbox.flush();
  kill(first);
  const next = begin({ server, storage });
  const { controller, outbox } = next;
  void controller.setResponse(todos.getList, [{ id: '101', title: 'a' }]);
  await controller.ready;
  expect(outbox.entries().map(({ endpoint }) => endpoint)).toEqual(['Todo.create', 'Todo.getList.unshift']);
  expect(controller.getResponse(todos.getList).data?.map(({ title }) => title)).toEqual(['first', 'a', 'last']);
  kill(next);
});

test('a new edit does not look at the arguments of the waiting edits again', async () => {
  const server = new Server();
  server.isOnline = false;
  let calls = 0;
  const todos = resource({
    urlPrefix: 'https://api.test',
    path: '/todos/:id',
    schema: Todo,
    platform: server.platform,
    offline: true,
    serial: (params: unknown) => {
      calls++;
      return JSON.stringify(params);
    },
  });
  const app = await start({ server, endpoints: [todos] });
  for (let id = 0; id < 50; id++)
    app.controller.fetch(todos.partialUpdate, { id: String(id) }, { title: 'a' }).catch(ignore);
  await settle();
  expect(app.outbox.entries()).toHaveLength(50);
  expect(calls).toBeLessThan(200);
  kill(app);
});

describe('edits that depend on each other', () => {
  test('are sent with the pk of the server inside of longer texts, also after a restart', async () => {
    const first = await start();
    const { notes, server, storage, todos } = first;
    server.isOnline = false;
    first.controller.fetch(todos.create, { title: 'a' }).catch(ignore);
    const id = pksOf(first.store, Todo)[0] ?? '';
    const text = `See /todos/${id}#top and ${todos.get.url({ id })}, not ${id}1.`;
    first.controller.fetch(notes.create, { text }).catch(ignore);
    await first.outbox.flush();
    kill(first);
    const { outbox } = await start({ server, storage });
    server.isOnline = true;
    outbox.retry();
    await settle();
    expect(outbox.entries()).toEqual([]);
    expect(server.effects.map(({ body }) => body['text'])).toEqual([
      undefined,
      `See /todos/101#top and https://api.test/todos/101, not ${id}1.`,
    ]);
  });

  test('are sent with unchanged texts if the record that a text names was given up', async () => {
    const { controller, notes, outbox, server, store, todos } = await start();
    server.isOnline = false;
    controller.fetch(todos.create, { title: 'a' }).catch(ignore);
    const id = pksOf(store, Todo)[0] ?? '';
    controller.fetch(notes.create, { text: `See /todos/${id}.` }).catch(ignore);
    await settle();
    outbox.discard(outbox.entries()[0]?.id ?? '');
    server.isOnline = true;
    outbox.retry();
    await settle();
    expect(outbox.entries()).toEqual([]);
    expect(server.effects).toMatchObject([{ path: '/notes', body: { text: `See /todos/${id}.` } }]);
  });

  test('are sent in order, with the pk of the server', async () => {
    const { controller, notes, outbox, server, store, todos } = await start();
    server.isOnline = false;
    controller.fetch(todos.create, { title: 'a' }).catch(ignore);
    const id = pksOf(store, Todo)[0] ?? '';
    controller.fetch(notes.create, { todoId: id }, { text: 'n', todoId: id }).catch(ignore);
    controller.fetch(todos.partialUpdate, { id }, { title: 'b' }).catch(ignore);
    controller.fetch(todos.partialUpdate, { id }, { title: 'c' }).catch(ignore);
    server.isOnline = true;
    await settle();
    expect(outbox.entries()).toEqual([]);
    expect(server.effects[0]).toMatchObject({ method: 'POST', path: '/todos' });
    const edits = server.effects.filter(({ path }) => path === '/todos/101').map(({ body }) => body['title']);
    expect(edits).toEqual(['b', 'c']);
    const note = server.effects.find(({ path }) => path === '/notes');
    expect(note).toMatchObject({ body: { text: 'n', todoId: '101' } });
  });
});

describe('a created record', () => {
  test('that waits during a restart is the parent of records from before and after the restart', async () => {
    const first = await start();
    const { server, storage } = first;
    server.isOnline = false;
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    const [before = ''] = pksOf(first.store, Todo);
    first.controller.fetch(first.notes.create, { text: 'old', todoId: before }).catch(ignore);
    await first.outbox.flush();
    kill(first);

    const second = await start({ server, storage });
    const [now = ''] = pksOf(second.store, Todo);
    expect(now).toBe(before);
    expect(second.store.get(new All(Note))).toMatchObject([{ text: 'old', todoId: now }]);
    expect(second.outbox.entries()[1]).toMatchObject({ args: [{ text: 'old', todoId: now }] });
    second.controller.fetch(second.notes.create, { text: 'new', todoId: now }).catch(ignore);
    await second.outbox.flush();
    kill(second);

    const third = await start({ server, storage });
    server.isOnline = true;
    await settle();
    expect(third.outbox.entries()).toEqual([]);
    const notes = server.effects.filter(({ path }) => path === '/notes').map(({ body }) => body);
    expect(notes).toEqual([{ text: 'old', todoId: '101' }, { text: 'new', todoId: '101' }]); // prettier-ignore
  });

  test('is named by the pk of the server in the edits that still wait', async () => {
    const first = await start();
    const { server, storage } = first;
    server.trouble = ({ path }) => (path === '/todos' ? undefined : 'offline');
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    const [pk = ''] = pksOf(first.store, Todo);
    first.controller.fetch(first.todos.partialUpdate, { id: pk }, { title: 'b' }).catch(ignore);
    await settle();
    expect(first.outbox.entries()).toMatchObject([{ args: [{ id: '101' }, { title: 'b' }] }]);
    await first.outbox.flush();
    kill(first);
    server.trouble = () => undefined;
    const second = await start({ server, storage });
    await settle();
    expect(second.outbox.entries()).toEqual([]);
    expect(server.records.get('/todos/101')).toMatchObject({ title: 'b' });
  });
});

test('edits of a record that is deleted and created again under the same pk are sent in their order after a restart', async () => {
  const first = await start();
  const { controller, server, storage, todos } = first;
  server.records.set('/todos/1', { id: '1', title: 'a' });
  server.isOnline = false;
  controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' }).catch(ignore);
  controller.fetch(todos.delete, { id: '1' }).catch(ignore);
  controller.fetch(todos.create, { id: '1', title: 'c' }).catch(ignore);
  controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'd' }).catch(ignore);
  await first.outbox.flush();
  kill(first);
  server.isOnline = true;
  const second = await start({ server, storage });
  onTestFinished(() => kill(second));
  await settle(100);
  expect(server.effects.map(({ method }) => method)).toEqual(['PATCH', 'DELETE', 'POST', 'PATCH']);
  expect(second.outbox.entries()).toEqual([]);
});

/** Its pk has two fields, of which the server assigns one. */
class Line extends Entity {
  list = '';
  id = '';
  title = '';
  override pk(): string {
    return `${this.list}/${this.id}`;
  }
  static override key = 'Line';
}

test.each([
  ['before', 'offline'],
  ['after', undefined],
] as const)(
  'an edit of a created record whose pk has several fields is sent with those of the server, after a restart %s the create was sent',
  async (_when, troubleOfCreate) => {
    const server = new Server();
    const { platform } = server;
    const urlPrefix = 'https://api.test';
    const lines = resource({ urlPrefix, platform, path: '/:list/:id', schema: Line, optimistic: true, offline: true });
    const first = await start({ server, endpoints: [lines] });
    server.trouble = ({ method }) => (method === 'POST' ? troubleOfCreate : 'offline');
    const list = 'todos';
    first.controller.fetch(lines.getList.push, { list }, { list, title: 'a' }).catch(ignore);
    const { id = '' } = first.store.get(new All(Line))?.[0] ?? {};
    first.controller.fetch(lines.partialUpdate, { list, id }, { title: 'b' }).catch(ignore);
    await settle(100);
    kill(first);
    const next = await start({ server, endpoints: [lines], storage: first.storage });
    onTestFinished(() => kill(next));
    server.trouble = () => undefined;
    next.outbox.retry();
    await settle(100);
    expect(server.effects.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /todos', 'PATCH /todos/101']);
    expect(next.store.get(new All(Line))?.map(({ id: now, title }) => [now, title])).toEqual([['101', 'b']]);
  },
);

describe('an edit of a record that appeared while the answer to a create was missing', () => {
  /** An application with a create whose answer was lost, and an edit of its record by the temporary pk. The record was fetched with the pk of the server. */
  async function withAppeared(troubles: readonly (Trouble | undefined)[]): Promise<App> {
    const app = await start();
    onTestFinished(() => kill(app));
    const { controller, server, store, todos } = app;
    server.troubles.push(...troubles);
    controller.fetch(todos.create, { title: 'new' }).catch(ignore);
    const [id = ''] = pksOf(store, Todo);
    controller.fetch(todos.partialUpdate, { id }, { title: 'first' }).catch(ignore);
    while (server.effects.length === 0) await settle(1); // oxlint-disable-line no-await-in-loop -- until the server has created it
    server.trouble = ({ method }) => (method === 'GET' ? undefined : 'offline');
    await controller.fetch(todos.get, { id: '101' });
    return app;
  }

  test('waits for the edits that were made before by the temporary pk of the same record', async () => {
    const { controller, outbox, server, todos } = await withAppeared(['lost answer']);
    controller.fetch(todos.partialUpdate, { id: '101' }, { title: 'second' }).catch(ignore);
    server.trouble = ({ method }) => (method === 'POST' && server.requests.length < 3 ? 503 : undefined);
    await settle(200);
    expect(server.effects.map(({ body }) => body['title'])).toEqual(['new', 'first', 'second']);
    expect(outbox.entries()).toEqual([]);
  });

  test('is sent when the create has stopped', async () => {
    const { controller, outbox, server, todos } = await withAppeared(['lost answer']);
    controller.fetch(todos.partialUpdate, { id: '101' }, { title: 'second' }).catch(ignore);
    server.trouble = ({ method }) => (method === 'POST' ? 422 : undefined);
    await settle(200);
    expect(server.effects.map(({ body }) => body['title'])).toEqual(['new', 'second']);
    expect(outbox.entries().map(({ state }) => state)).toEqual(['stopped', 'stopped']);
  });
});

test('an edit of a record that was known before a create is sent although the answer to the create is missing', async () => {
  const app = await start();
  onTestFinished(() => kill(app));
  const { controller, server, store, todos } = app;
  server.records.set('/todos/1', { id: '1', title: 'a' });
  await controller.fetch(todos.get, { id: '1' });
  server.trouble = ({ method }) => (method === 'POST' ? 503 : undefined);
  controller.fetch(todos.create, { title: 'new' }).catch(ignore);
  const [, id = ''] = pksOf(store, Todo);
  controller.fetch(todos.partialUpdate, { id }, { title: 'first' }).catch(ignore);
  await settle();
  await controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' });
  expect(server.effects.map(({ body }) => body['title'])).toEqual(['b']);
});

describe('an edit that the server refuses', () => {
  /** A refused edit, another one of its record, and one of another record. */
  async function refused(): Promise<App> {
    const app = await start();
    const { controller, server, todos } = app;
    await controller.fetch(todos.create, { title: 'a' });
    await controller.fetch(todos.create, { title: 'other' });
    server.trouble = ({ body }) => (body['title'] === 'bad' ? 422 : undefined);
    const bad = controller.fetch(todos.partialUpdate, { id: '101' }, { title: 'bad' });
    const later = controller.fetch(todos.partialUpdate, { id: '101' }, { done: true });
    const other = controller.fetch(todos.partialUpdate, { id: '102' }, { title: 'fine' });
    await expect(bad).rejects.toMatchObject({ status: 422 });
    await expect(later).rejects.toMatchObject({ code: 'outbox-blocked' });
    await expect(other).resolves.toMatchObject({ title: 'fine' });
    return app;
  }

  test('is the cause of why all later edits of its record have stopped, also after a restart', async () => {
    const app = await refused();
    app.controller.fetch(app.todos.partialUpdate, { id: '101' }, { title: 'third' }).catch(ignore);
    await settle();
    const blocked = { code: 'outbox-blocked', cause: { status: 422 } };
    expect(app.outbox.entries()).toMatchObject([{ error: { status: 422 } }, { error: blocked }, { error: blocked }]);
    kill(app);
    const again = await start({ server: app.server, storage: app.storage });
    again.controller.fetch(again.todos.partialUpdate, { id: '101' }, { title: 'fourth' }).catch(ignore);
    await settle();
    expect(again.outbox.entries().at(-1)).toMatchObject({ error: blocked });
    kill(again);
  });

  test('stops with its error, stops the later edits of its record, and removes their optimistic values', async () => {
    const { events, outbox, server, store } = await refused();
    expect(outbox.entries()).toMatchObject([
      { state: 'stopped', tries: 1, error: { status: 422 } },
      { state: 'stopped', tries: 0, error: { code: 'outbox-blocked' } },
    ]);
    expect(store.get(Todo, '101')).toMatchObject({ title: 'a', done: false });
    expect(server.records.get('/todos/102')).toMatchObject({ title: 'fine' });
    expect(events.map(({ type }) => type)).toEqual(['stopped', 'stopped']);
  });

  test('stays stopped after a restart', async () => {
    const app = await refused();
    await app.outbox.flush();
    kill(app);
    const { outbox, store } = await start(app);
    await settle();
    expect(outbox.entries()).toMatchObject([{ state: 'stopped', error: { status: 422 } }, { state: 'stopped' }]);
    expect(store.get(Todo, '101')).toBeUndefined();
  });

  test('is sent again with another key after outbox.edit(), and then the edits that waited for it are sent', async () => {
    const { outbox, server, store } = await refused();
    outbox.edit(outbox.entries()[0]?.id ?? '', { id: '101' }, { title: 'good' });
    expect(store.get(Todo, '101')).toMatchObject({ title: 'good', done: true });
    await settle();
    expect(outbox.entries()).toEqual([]);
    expect(server.records.get('/todos/101')).toMatchObject({ title: 'good', done: true });
    const keys = server.requests.filter(({ body }) => 'title' in body).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('that is being sent again is not changed, because the server could carry out the former request last', async () => {
    const { controller, outbox, server, todos } = await start();
    server.records.set('/todos/1', { id: '1' });
    const seen: unknown[] = [];
    server.trouble = () => {
      const [entry] = outbox.entries();
      try {
        outbox.edit(entry?.id ?? '', { id: '1' }, { title: 'b' });
      } catch (error) {
        seen.push((error as { code?: string }).code);
      }
      return undefined;
    };
    await controller.fetch(todos.update, { id: '1' }, { title: 'a' });
    expect(seen).toEqual(['outbox-entry-sent']);
    expect(server.requests).toHaveLength(1);
  });

  test('is sent again as it was by retry(), with another key, because a server may repeat its refusal of the former one', async () => {
    const { outbox, server } = await refused();
    server.trouble = () => undefined;
    outbox.retry();
    await settle();
    expect(outbox.entries()).toEqual([]);
    const keys = server.requests.filter(({ body }) => body['title'] === 'bad').map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(2);
  });

  test('is removed by discard(), and then the edits that waited for it are sent', async () => {
    const app = await refused();
    const { outbox, server } = app;
    outbox.discard(outbox.entries()[0]?.id ?? '');
    await settle();
    expect(statesOf(app)).toEqual([]);
    expect(server.records.get('/todos/101')).toMatchObject({ title: 'a', done: true });
    expect(() => outbox.discard('none')).toThrow(expect.objectContaining({ code: 'outbox-entry-missing' }));
  });
});

describe('a create that stops', () => {
  test('stops the edits of its record, and all of them are sent when it is edited', async () => {
    const app = await start();
    const { controller, notes, outbox, server, store, todos } = app;
    server.trouble = ({ body }) => (body['title'] === 'bad' ? 422 : undefined);
    controller.fetch(todos.create, { title: 'bad' }).catch(ignore);
    const [pk = ''] = pksOf(store, Todo);
    controller.fetch(notes.create, { text: 'n', todoId: pk }).catch(ignore);
    await settle();
    expect(statesOf(app)).toEqual(['stopped', 'stopped']);
    expect(store.get(new All(Note)) ?? []).toEqual([]);
    outbox.edit(outbox.entries()[0]?.id ?? '', { title: 'good' });
    await settle();
    expect(statesOf(app)).toEqual([]);
    expect(server.records.get('/notes/102')).toMatchObject({ text: 'n', todoId: '101' });
  });

  test('that is discarded stops the other edits of its record, until the user decides', async () => {
    const app = await start();
    const { controller, notes, outbox, server, store, todos } = app;
    server.isOnline = false;
    controller.fetch(todos.create, { title: 'a' }).catch(ignore);
    const [pk = ''] = pksOf(store, Todo);
    const note = controller.fetch(notes.create, { text: 'n', todoId: pk });
    await settle();
    outbox.discard(outbox.entries()[0]?.id ?? '');
    await expect(note).rejects.toMatchObject({ code: 'record-never-created' });
    server.isOnline = true;
    outbox.retry();
    await settle();
    expect(outbox.entries()).toMatchObject([{ state: 'stopped', error: { code: 'record-never-created' } }]);
    expect(server.effects).toEqual([]);
  });
});

describe('an answer with Retry-After', () => {
  test.each([408, 425, 429, 500, 502, 503, 504])(
    'such as %s is waited for, and tried again with the same key',
    async (status) => {
      const { controller, server, todos } = await start();
      server.troubles.push(status, { status, headers: { 'retry-after': '7' } });
      await expect(controller.fetch(todos.create, { title: 'a' })).resolves.toMatchObject({ id: '101' });
      expect(server.requests).toHaveLength(3);
      expect(new Set(server.requests.map(({ key }) => key)).size).toBe(1);
    },
  );

  test('is waited for as long as it says, and otherwise longer each time', async () => {
    const server = new Server();
    const waits: number[] = [];
    const platform = {
      ...server.platform,
      setTimeout: (run: () => void, milliseconds: number) => {
        waits.push(milliseconds);
        return server.platform.setTimeout(run, milliseconds);
      },
    };
    const { controller, todos } = await start({ server, platform });
    server.troubles.push(503, 503, { status: 429, headers: { 'retry-after': '90' } }, 503);
    waits.length = 0;
    await controller.fetch(todos.create, { title: 'a' });
    expect(waits.filter((wait) => wait !== 30_000)).toEqual([500, 1000, 90_000, 4000]);
  });
});

describe('401', () => {
  test('pauses all edits until resume()', async () => {
    const { controller, events, outbox, server, todos } = await start();
    server.troubles.push(401);
    const first = controller.fetch(todos.create, { title: 'a' });
    await settle();
    const second = controller.fetch(todos.create, { title: 'b' });
    await settle();
    expect(outbox.isPaused).toBe(true);
    expect(events).toMatchObject([{ type: 'paused', error: { status: 401 } }]);
    expect(server.requests).toHaveLength(1);
    outbox.resume();
    await expect(Promise.all([first, second])).resolves.toHaveLength(2);
    expect(outbox.isPaused).toBe(false);
  });

  test('pauses nothing when it answers a try that was sent before resume()', async () => {
    const answers: ((answer: Response) => void)[] = [];
    const fetch = (): Promise<Response> => new Promise((resolve) => answers.push(resolve));
    const server = new Server();
    Object.assign(server.platform, { fetch, setTimeout: ignore });
    const { controller, events, outbox, todos } = await start({ server });
    const edits = ['a', 'b'].map((title) => controller.fetch(todos.create, { title }));
    await settle();
    answers[0]?.(new Response(null, { status: 401 }));
    await settle();
    expect(outbox.isPaused).toBe(true);
    outbox.resume();
    answers[1]?.(new Response(null, { status: 401 }));
    await settle();
    expect(outbox.isPaused).toBe(false);
    expect(events.map(({ type }) => type)).toEqual(['paused']);
    for (const [at, answer] of answers.slice(2).entries()) answer(Response.json({ id: `${at}` }, { status: 201 }));
    await expect(Promise.all(edits)).resolves.toHaveLength(2);
    controller.dispose();
  });
});
