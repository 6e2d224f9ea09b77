import { actionTypes, Controller, Endpoint, getDefaultManagers, resource, RestEndpoint } from 'rejoin';
import { type OutboxEntry, OutboxManager, type OutboxOptions } from 'rejoin/outbox';
import { memoryStorage, PersistManager, type TextStorage } from 'rejoin/persist';
import { TabsManager } from 'rejoin/tabs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { OfflineOptions } from '../../src/define/endpoint/options.ts';
import type { AnyWire } from '../../src/define/rest/wire-shape.ts';
import { envelope } from '../../src/define/wire/envelope.ts';
import { deferred } from '../../src/std/deferred.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { type App, begin, ignore, kill, pksOf, resourcesOf, settle, start } from './app.ts';
import { Todo } from '../model.ts';
import { Server } from './server.ts';

/** An application whose updates have options, with a todo of the server. */
async function withOptions(
  offline: OfflineOptions,
  given: Parameters<typeof begin>[0] = {},
  serial?: string,
  wire?: AnyWire,
): Promise<App> {
  const app = begin(given);
  const options = { offline, ...(wire && { wire }), ...(serial !== undefined && { serial: () => serial }) };
  const update = app.todos.partialUpdate.extend(options);
  const replace = app.todos.update.extend({ offline });
  const create = serial === undefined ? app.todos.create : app.todos.create.extend({ offline, serial: () => serial });
  const outbox = new OutboxManager({
    name: 'app',
    endpoints: [create, app.todos.delete, update, replace],
    storage: app.storage,
    platform: app.server.platform,
  });
  const controller = new Controller({ managers: [outbox] });
  await controller.ready;
  app.server.records.set('/todos/1', { id: '1', title: 'a', done: false });
  await controller.fetch(app.todos.get, { id: '1' });
  const todos = { ...app.todos, create, partialUpdate: update, update: replace };
  return { ...app, controller, outbox, store: controller.store, todos: todos as unknown as App['todos'] };
}

test('an edit that is made while an earlier one of its record has stopped is shown at last, when both are tried again', async () => {
  const { controller, outbox, server, store, todos } = await withOptions({});
  server.troubles.push(422);
  controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' }).catch(ignore);
  await settle();
  controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'c' }).catch(ignore);
  outbox.retry();
  await settle(100);
  expect(server.effects.map(({ body }) => body['title'])).toEqual(['b', 'c']);
  expect([outbox.entries(), store.get(Todo, '1')?.title]).toEqual([[], 'c']);
});

test('an edit that was about to be sent, but got other arguments first, counts as not sent', async () => {
  const given = { server: new Server(), storage: memoryStorage() };
  const first = await start(given);
  first.server.trouble = () => 401;
  for (let id = 1; id <= 14; id++)
    first.controller.fetch(first.todos.partialUpdate, { id }, { title: 'b' }).catch(ignore);
  await settle();
  await first.outbox.flush();
  kill(first);
  given.server.isOnline = false;
  const platform = { ...given.server.platform, setTimeout: () => undefined };
  const { outbox } = await start({ ...given, platform });
  await settle();
  const waiting = outbox.entries().find(({ tries }) => tries === 0);
  outbox.retry(waiting?.id);
  outbox.edit(waiting?.id ?? '', { id: 13 }, { title: 'c' });
  await settle();
  expect(outbox.entries().find(({ id }) => id === waiting?.id)).toMatchObject({ state: 'waiting', tries: 0 });
});

describe('edits of one record with coalesce', () => {
  test('are one edit as long as none of them was sent', async () => {
    const { controller, outbox, server, store, todos } = await withOptions({ coalesce: true });
    server.isOnline = false;
    const earlier = controller.fetch(todos.create, { id: '1', title: 'first' }).catch(ignore);
    const one = controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' });
    const two = controller.fetch(todos.partialUpdate, { id: '1' }, { done: true });
    await settle();
    expect(outbox.entries()).toMatchObject([
      { endpoint: 'Todo.create' },
      { args: [{ id: '1' }, { title: 'b', done: true }] },
    ]);
    expect(store.get(Todo, '1')).toMatchObject({ title: 'b', done: true });
    server.isOnline = true;
    await earlier;
    expect(await one).toBe(await two);
    expect(server.effects.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
  });

  test('are two edits once the first may have arrived', async () => {
    const { controller, server, todos } = await withOptions({ coalesce: true });
    server.troubles.push('lost answer');
    const one = controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' });
    for (let turn = 0; server.requests.length === 0 && turn < 50; turn++) await settle(1); // oxlint-disable-line no-await-in-loop
    const two = controller.fetch(todos.partialUpdate, { id: '1' }, { done: true });
    await Promise.all([one, two]);
    expect(server.effects).toHaveLength(2);
  });

  test('are the last one if each replaces the whole record', async () => {
    const { controller, server, todos } = await withOptions({ coalesce: true });
    server.isOnline = false;
    controller.fetch(todos.update, { id: '1' }, { title: 'b', done: true }).catch(ignore);
    const last = controller.fetch(todos.update, { id: '1' }, { title: 'c' });
    server.isOnline = true;
    await last;
    expect(server.effects).toMatchObject([{ method: 'PUT', body: { title: 'c' } }]);
    expect(server.effects[0]?.body).not.toHaveProperty('done');
  });

  test('stay two edits if both have an object in one field, which a server may merge or replace', async () => {
    const { controller, server, todos } = await withOptions({ coalesce: true });
    const edits: object[] = [{ place: { city: 'Turin' } }, { place: { street: 'Po' } }];
    await Promise.all(edits.map((edit) => controller.fetch(todos.partialUpdate, { id: '1' }, edit)));
    expect(server.effects.map(({ body }) => body)).toEqual(edits);
  });

  test('take in no edit of another record, and no create, that `serial` puts into the same queue', async () => {
    const { controller, server, todos } = await withOptions({ coalesce: true }, {}, 'all');
    server.records.set('/todos/2', { id: '2' });
    server.isOnline = false;
    const edits = [
      controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'one' }),
      controller.fetch(todos.partialUpdate, { id: '2' }, { title: 'two' }),
      controller.fetch(todos.create, { title: 'three' }),
      controller.fetch(todos.create, { title: 'four' }),
    ];
    server.isOnline = true;
    await Promise.all(edits);
    expect(server.effects.map(({ path, body }) => [path, body['title']])).toEqual([
      ['/todos/1', 'one'],
      ['/todos/2', 'two'],
      ['/todos', 'three'],
      ['/todos', 'four'],
    ]);
  });
});

describe('a conflict', () => {
  const conflict = { status: 409, body: { id: '1', title: 'theirs', done: true } };

  test('is decided with the three versions of the record', async () => {
    const seen: unknown[] = [];
    const onConflict: OfflineOptions['onConflict'] = ({ base, mine, theirs }) => {
      seen.push(base, mine, theirs);
      return { ...theirs, ...mine };
    };
    const { controller, server, todos } = await withOptions({ onConflict });
    server.troubles.push(conflict);
    const answer = await controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'mine' });
    expect(seen).toEqual([{ id: '1', title: 'a', done: false }, { title: 'mine' }, conflict.body]);
    expect(answer).toMatchObject({ title: 'mine', done: true });
    const [first, second] = server.requests;
    expect(second?.body).toEqual({ id: '1', title: 'mine', done: true });
    expect(second?.key).not.toBe(first?.key);
  });

  const wire = envelope({ one: 'todo', names: { title: 'subject' } });
  const failing: AnyWire = {
    read() {
      throw new TypeError('not a todo');
    },
  };

  test.each<[string, AnyWire, unknown, unknown]>([
    ['in the form of its class', wire, { todo: { id: '1', subject: 'theirs' } }, { id: '1', title: 'theirs' }],
    ['as it is, if it has no record', wire, { message: 'No' }, { message: 'No' }],
    ['as it is, if it cannot be read', failing, { message: 'No' }, { message: 'No' }],
  ])('is decided with the answer of the server %s', async (_what, given, body, theirs) => {
    const seen: unknown[] = [];
    const onConflict: OfflineOptions['onConflict'] = (answer) => void seen.push(answer.theirs);
    const { controller, server, todos } = await withOptions({ onConflict }, {}, undefined, given);
    server.troubles.push({ status: 409, body });
    controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'mine' }).catch(ignore);
    await settle();
    expect(seen).toEqual([theirs]);
  });

  test('keeps the original record after a restart', async () => {
    const first = await withOptions({ onConflict: () => undefined });
    const { server, storage } = first;
    server.isOnline = false;
    first.controller.fetch(first.todos.partialUpdate, { id: '1' }, { title: 'mine' }).catch(ignore);
    await settle();
    await first.outbox.flush();
    kill(first);
    const bases: unknown[] = [];
    server.trouble = ({ method }) => (method === 'PATCH' ? conflict : undefined);
    server.isOnline = true;
    const { outbox } = await withOptions({ onConflict: ({ base }) => void bases.push(base) }, { server, storage });
    await settle();
    expect(bases).toEqual([{ id: '1', title: 'a', done: false }]);
    expect(outbox.entries()).toMatchObject([{ state: 'stopped', error: { status: 409 } }]);
  });

  test.each([
    ['mine', 'b', 0],
    ['theirs', 'theirs', 0],
    [undefined, 'a', 1],
  ] as const)('that is answered by %s shows %s', async (decision, title, waiting) => {
    const { controller, outbox, server, store, todos } = await withOptions({ onConflict: () => decision });
    server.troubles.push(conflict);
    controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' }).catch(ignore);
    await settle();
    expect(store.get(Todo, '1')?.title).toBe(title);
    expect(outbox.entries()).toHaveLength(waiting);
  });

  test('that is decided with `mine` is sent with another key, for a server that keeps its refusals by key', async () => {
    const { controller, server, todos } = await withOptions({ onConflict: () => 'mine' });
    const refused = new Set<string | undefined>();
    server.trouble = ({ key }) => {
      if (refused.size > 0 && !refused.has(key)) return undefined;
      refused.add(key);
      return conflict;
    };
    await controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' });
    expect(server.effects).toMatchObject([{ body: { title: 'b' } }]);
  });

  test('keeps its key when an earlier try may have been executed', async () => {
    const { controller, server, todos } = await withOptions({ onConflict: () => 'mine' });
    server.troubles.push('lost answer', conflict);
    await controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' });
    expect(new Set(server.requests.map(({ key }) => key)).size).toBe(1);
    expect(server.effects).toHaveLength(1);
  });

  test('with a server that has a version in each record, and no ETag, is decided by a record with its version', async () => {
    let version = 7;
    const { controller, server, todos } = await withOptions({
      onConflict: ({ mine, theirs }) => ({ ...mine, version: theirs.version }),
    });
    server.trouble = ({ body, method }) => {
      if (method !== 'PATCH' || body['version'] === version) return undefined;
      version = 8;
      return { status: 409, body: { id: '1', title: 'theirs', version } };
    };
    const mine = { title: 'b', version: 6 };
    await controller.fetch(todos.partialUpdate, { id: '1' }, mine);
    expect(server.effects.map(({ body }) => body)).toEqual([{ title: 'b', version: 8 }]);
  });

  test.each([
    ['nothing', undefined],
    ['a message', { message: 'conflict' }],
    ['another record', { id: '2', title: 'other' }],
  ])('whose answer has %s, and that is decided by theirs, asks for the record again', async (_what, body) => {
    const { controller, server, store, todos } = await withOptions({ onConflict: () => 'theirs' });
    controller.view(todos.get, { id: '1' }).subscribe(() => {});
    server.records.set('/todos/1', { id: '1', title: 'theirs' });
    server.troubles.push({ status: 409, body });
    await expect(controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await settle();
    expect(store.row('Todo', '1')).toEqual({ id: '1', title: 'theirs', done: false });
    expect(store.row('Todo', '2')).toBeUndefined();
  });

  test('that is decided after the edit was changed leaves the change as it is', async () => {
    const asking = deferred();
    const onConflict = () => asking.promise.then(() => ({ title: 'decided' }));
    const { controller, outbox, server, todos } = await withOptions({ onConflict });
    server.troubles.push(conflict);
    controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' }).catch(ignore);
    await settle();
    server.isOnline = false;
    outbox.edit(outbox.entries()[0]?.id ?? '', { id: '1' }, { title: 'c' });
    asking.resolve();
    await settle();
    expect(outbox.entries()).toMatchObject([{ args: [{ id: '1' }, { title: 'c' }] }]);
    server.isOnline = true;
    await settle();
    expect(server.effects).toMatchObject([{ body: { title: 'c' } }]);
  });

  test('that is decided too often without success stops', async () => {
    const { controller, server, todos } = await withOptions({ onConflict: () => 'mine' });
    server.trouble = () => conflict;
    await expect(controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'b' })).rejects.toMatchObject({
      status: 409,
    });
    expect(server.requests).toHaveLength(6);
  });
});

describe('a logout', () => {
  async function waiting(options: Parameters<typeof begin>[0]): Promise<App> {
    const app = await start(options);
    app.server.isOnline = false;
    app.controller.fetch(app.todos.create, { title: 'secret' }).catch(ignore);
    await settle();
    return app;
  }
  const kept = async (storage: TextStorage, name: string): Promise<number> =>
    [...(await (await storage.open(name)).read()).entries].length;

  test('keeps edits for the next login of the same user, and for no other user', async () => {
    const { controller, outbox, server, storage, todos } = await waiting({ user: 'ada' });
    await controller.resetEntireStore();
    expect(outbox.entries()).toEqual([]);
    await expect(controller.fetch(todos.create, { title: 'x' })).rejects.toMatchObject({ code: 'outbox-ended' });
    expect(await outbox.flush()).toBe(false);
    server.isOnline = true;
    const bob = await start({ server, storage, user: 'bob' });
    await settle();
    expect(bob.events).toEqual([]);
    expect(server.requests).toEqual([]);
    await start({ server, storage, user: 'ada' });
    await settle();
    expect(server.effects).toMatchObject([{ body: { title: 'secret' } }]);
  });

  test.each(['ada', undefined])('of the user %s sends no edit that waits for its next try', async (user) => {
    const { controller, outbox, server } = await waiting(user === undefined ? {} : { user });
    expect(outbox.entries()).toMatchObject([{ state: 'waiting' }]);
    await controller.resetEntireStore();
    server.isOnline = true;
    await settle(300);
    expect(server.requests).toEqual([]);
  });

  test.each([
    ['outbox ada', 'ada'],
    ['outbox', undefined],
  ])('of a user who is called %s deletes no edits of another user', async (name, user) => {
    const { controller, server, storage } = await waiting(user === undefined ? {} : { user });
    controller.dispose();
    const persist = new PersistManager({ name: 'app', user: name, storage });
    const other = new Controller({ managers: [persist] });
    await other.ready;
    await other.resetEntireStore();
    server.isOnline = true;
    await start({ server, storage, ...(user !== undefined && { user }) });
    await settle();
    expect(server.effects).toMatchObject([{ body: { title: 'secret' } }]);
  });

  test('without a user discards edits, and later ones are kept again', async () => {
    const app = await waiting({});
    await app.controller.resetEntireStore();
    expect(await kept(app.storage, 'app outbox')).toBe(0);
    expect(pksOf(app.store, Todo)).toEqual([]);
    app.server.isOnline = true;
    await app.controller.ready;
    await expect(app.controller.fetch(app.todos.create, { title: 'next' })).resolves.toMatchObject({ title: 'next' });
    expect(app.server.effects).toHaveLength(1);
  });

  test('refuses edits that waited for the storage when the user logged out', async () => {
    const { controller, server, storage, todos } = begin({ user: 'ada' });
    const refused = controller.fetch(todos.create, { title: 'late' }).catch((error: unknown) => error);
    await controller.resetEntireStore();
    expect(await refused).toMatchObject({ code: 'outbox-ended' });
    await settle();
    expect(await kept(storage, 'app outbox ada')).toBe(0);
    expect(server.requests).toEqual([]);
  });

  test('without a user keeps an edit that is made while the earlier ones are being deleted', async () => {
    const { controller, outbox, server, todos } = await waiting({});
    const left = controller.resetEntireStore();
    server.isOnline = true;
    await expect(controller.fetch(todos.create, { title: 'next' })).resolves.toMatchObject({ title: 'next' });
    await left;
    expect(server.effects).toMatchObject([{ body: { title: 'next' } }]);
    expect(outbox.entries()).toEqual([]);
  });

  test.each(['keep', 'discard'] as const)('calls `onLogout`, and follows its decision: %s', async (decision) => {
    const asked: number[] = [];
    const onLogout = async (entries: readonly unknown[]) => (asked.push(entries.length), decision);
    const { controller, storage } = await waiting({ user: 'ada', onLogout });
    await controller.resetEntireStore();
    expect(asked).toEqual([1]);
    expect(await kept(storage, 'app outbox ada')).toBe(decision === 'keep' ? 1 : 0);
  });

  test('does not happen if `onLogout` keeps edits and the user is not known: they would be sent for the next user', async () => {
    const { controller, outbox } = await waiting({ onLogout: () => 'keep' });
    await expect(controller.resetEntireStore()).rejects.toMatchObject({ code: 'outbox-user-missing' });
    expect(outbox.entries()).toHaveLength(1);
    controller.dispose();
  });

  test('in another tab deletes edits of this tab if the user is not known, also if `onLogout` is a function', async () => {
    const { controller, server, storage } = await waiting({ onLogout: () => 'discard' });
    await controller.dispatch({ type: actionTypes.RESET, isElsewhere: true });
    controller.dispose();
    server.isOnline = true;
    await start({ server, storage });
    await settle();
    expect(server.effects).toEqual([]);
  });

  /** Two tabs of one user. The second has an edit. Records which tabs ask what to do with the edits. */
  async function twoTabs(onLogout: OutboxOptions['onLogout']) {
    const [fake, server, storage] = [new FakeBrowser(), new Server(), memoryStorage()];
    server.isOnline = false;
    const { platform } = server;
    const shared = { name: 'app', user: 'ada', platform };
    const [asked, resets]: [number[], number[]] = [[], []];
    const open = async (tab: number) => {
      const browser = fake.tab();
      const { todos } = resourcesOf(server);
      const tabs = new TabsManager({ ...shared, browser, onEvent: ({ type }) => type === 'reset' && resets.push(tab) });
      const ask = (entries: readonly OutboxEntry[]) => (
        asked.push(tab),
        typeof onLogout === 'function' ? onLogout(entries) : 'keep'
      );
      const outbox = new OutboxManager({ ...shared, browser, storage, endpoints: [todos], onLogout: ask });
      const controller = new Controller({ managers: [tabs, outbox, ...getDefaultManagers()] });
      await controller.ready;
      return { controller, outbox, todos };
    };
    const [one, other] = [await open(1), await open(2)];
    other.controller.fetch(other.todos.create, { title: 'waits' }).catch(ignore);
    await other.outbox.flush();
    await settle();
    return { asked, one, other, resets, server, storage };
  }

  test('is asked about in its own tab only, and there for the edits of all tabs', async () => {
    const { asked, one, resets, storage } = await twoTabs(() => 'discard');
    await one.controller.resetEntireStore();
    await settle();
    expect([asked, resets]).toEqual([[1], [2]]);
    expect(await kept(storage, 'app outbox ada')).toBe(0);
  });

  test('that is called off by an error of `onLogout` happens in no tab', async () => {
    const { asked, one, other, resets, server } = await twoTabs(() => Promise.reject(new Error('not now')));
    await expect(one.controller.resetEntireStore()).rejects.toThrow('not now');
    await settle();
    expect([asked, resets]).toEqual([[1], []]);
    expect(other.outbox.entries()).toHaveLength(1);
    server.isOnline = true;
    await settle();
    expect(server.effects).toHaveLength(1);
  });

  test('has not begun in any tab while `onLogout` is not decided', async () => {
    const asking = deferred();
    const { one, other, resets, storage } = await twoTabs(() => asking.promise.then(() => 'keep'));
    const left = one.controller.resetEntireStore();
    await settle();
    expect([other.outbox.entries().length, resets]).toEqual([1, []]);
    asking.resolve();
    await left;
    await settle();
    expect([other.outbox.entries().length, resets]).toEqual([0, [2]]);
    expect(await kept(storage, 'app outbox ada')).toBe(1);
  });
});

describe('bodies', () => {
  test('of files and forms are the same after a restart', async () => {
    const sent: unknown[] = [];
    const upload = new Endpoint(
      async (args: {
        at: Date;
        never: Date;
        big: bigint;
        most: number;
        form?: FormData;
        file?: Blob;
        none?: undefined;
        query?: URLSearchParams;
        bytes?: Uint8Array;
        buffer?: ArrayBuffer;
      }) => {
        sent.push(args);
        return {};
      },
    ).extend({ name: 'upload', sideEffect: true, offline: true, idempotencyKey: true });
    const storage = memoryStorage();
    const { platform } = new Server();
    let fails = true;
    const failing = upload.extend({
      fetch: async (args: Parameters<typeof upload>[0]) => {
        if (fails) throw Object.assign(new TypeError('Failed to fetch'), { status: 500 });
        return upload(args);
      },
      name: 'upload',
    });
    const run = async (): Promise<{ controller: Controller; outbox: OutboxManager }> => {
      const outbox = new OutboxManager({ name: 'app', storage, platform, endpoints: [failing] });
      const controller = new Controller({ managers: [outbox] });
      await controller.ready;
      return { controller, outbox };
    };
    const first = await run();
    const bytes = Uint8Array.from({ length: 30_000 }, (_, at) => at % 256);
    const form = new FormData();
    form.append('name', 'x');
    form.append('file', new File([bytes], 'é.bin', { type: 'image/png', lastModified: 7 }));
    const args = {
      at: new Date(5),
      never: new Date(NaN),
      big: 12n,
      most: Infinity,
      form,
      file: new Blob(['text'], { type: 'a/b' }),
      none: undefined,
      query: new URLSearchParams({ a: '1' }),
      bytes: bytes.subarray(100),
      buffer: bytes.slice(200).buffer,
      $kind: 'x',
    };
    first.controller.fetch(failing, args).catch(ignore);
    await first.outbox.flush();
    first.controller.dispose();
    fails = false;
    const second = await run();
    await settle();
    const [got] = sent as [typeof args];
    expect(got.never).toEqual(new Date(NaN));
    expect(got).toMatchObject({ at: new Date(5), big: 12n, most: Infinity, none: undefined, $kind: 'x' });
    expect(await got.file.text()).toBe('text');
    expect([...got.query]).toEqual([['a', '1']]);
    expect([got.bytes, new Uint8Array(got.buffer)]).toEqual([bytes.subarray(100), bytes.subarray(200)]);
    const file = got.form.get('file') as File;
    expect([got.form.get('name'), file.name, file.type, file.lastModified]).toEqual(['x', 'é.bin', 'image/png', 7]);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
    await second.outbox.flush();
    // The disk contains only the note that data was deleted.
    expect([...(await (await storage.open('app outbox')).read()).entries]).toEqual([['deleted', '1']]);
  });

  test('of an edit that is changed while its file is read are those of the change after a restart', async () => {
    const sent: string[] = [];
    const server = new Server();
    const isRead = deferred();
    class SlowFile extends Blob {
      override async arrayBuffer(): Promise<ArrayBuffer> {
        await isRead.promise;
        return super.arrayBuffer();
      }
    }
    const upload = new Endpoint(async ({ file }: { file: Blob }) => {
      if (!server.isOnline) throw Object.assign(new TypeError('Failed to fetch'), { status: 503 });
      return void sent.push(await file.text());
    }).extend({ name: 'upload', sideEffect: true, offline: true, idempotencyKey: true });
    const given = { server, storage: memoryStorage(), endpoints: [upload] };
    server.isOnline = false;
    const { controller, outbox, ...first } = await start(given);
    controller.fetch(upload, { file: new SlowFile(['first']) }).catch(ignore);
    await Promise.resolve();
    await settle(1);
    outbox.edit(outbox.entries()[0]?.id ?? '', { file: new Blob(['second']) });
    isRead.resolve();
    expect(await outbox.flush()).toBe(true);
    kill({ controller, outbox, ...first });
    await settle();
    server.isOnline = true;
    await start(given);
    await settle();
    expect(sent).toEqual(['second']);
  });

  test('that cannot be stored as text are refused at the call', async () => {
    const { controller, outbox, todos } = await start();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const title of [new ReadableStream(), () => {}, new Map(), new Set(), circle])
      // oxlint-disable-next-line no-await-in-loop -- one call after another
      await expect(controller.fetch(todos.create, { title } as unknown as { title: string })).rejects.toMatchObject({
        code: 'outbox-argument-invalid',
      });
    expect(outbox.entries()).toEqual([]);
  });

  test('that cannot be read or written as text stop, and other edits are kept', async () => {
    class Unreadable extends File {
      override arrayBuffer = () => Promise.reject(new DOMException('The file has changed.', 'NotReadableError'));
    }
    class Amount {
      readonly cents = 5n;
    }
    const first = await start();
    const { controller, events, outbox, server, storage, todos } = first;
    server.isOnline = false;
    for (const title of [new Unreadable([], 'a.png'), new Amount()])
      controller.fetch(todos.create, { title } as unknown as { title: string }).catch(ignore);
    controller.fetch(todos.create, { title: 'other' }).catch(ignore);
    expect(await outbox.flush()).toBe(true);
    await settle();
    expect(outbox.entries()).toMatchObject([
      { state: 'stopped', isKept: false, error: { name: 'NotReadableError' } },
      { state: 'stopped', isKept: false, error: { code: 'body-invalid' } },
      { isKept: true },
    ]);
    expect(events.map(({ type }) => type)).toEqual(['stopped', 'stopped']);
    kill(first);
    server.isOnline = true;
    await start({ server, storage });
    await settle();
    expect(server.effects).toMatchObject([{ body: { title: 'other' } }]);
  });

  test('that an edit gets and that cannot be read stop it, and leave no rejection that nothing handles', async () => {
    const unhandled = vi.fn<() => void>();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const { controller, outbox, server, todos } = await start();
    server.isOnline = false;
    controller.fetch(todos.create, { title: 'a' }).catch(ignore);
    const file = new File([], 'a.png');
    file.arrayBuffer = () => Promise.reject(new DOMException('The file has changed.', 'NotReadableError'));
    outbox.edit(outbox.entries()[0]?.id ?? '', { title: file });
    await settle();
    expect(outbox.entries()).toMatchObject([{ state: 'stopped', error: { name: 'NotReadableError' } }]);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('are sent as they were at the call, also when the caller changes them while they wait', async () => {
    const { controller, outbox, server, todos } = await start();
    server.isOnline = false;
    const [todo, form, edited] = [{ title: 'a', tags: ['x'] }, new FormData(), { title: 'c' }];
    form.append('title', 'b');
    const answers = [controller.fetch(todos.create, todo), controller.fetch(todos.create, form)];
    controller.fetch(todos.create, { title: '' }).catch(ignore);
    outbox.edit(outbox.entries()[2]?.id ?? '', edited);
    todo.title = 'changed';
    todo.tags.push('changed');
    form.set('title', 'changed');
    edited.title = 'changed';
    server.isOnline = true;
    await Promise.all(answers);
    await settle();
    expect(server.effects.map(({ body }) => body)).toEqual([
      { title: 'a', tags: ['x'] },
      { title: 'b' },
      { title: 'c' },
    ]);
  });
});

describe('an endpoint that is not listed', () => {
  test('is refused at the call', async () => {
    const { controller, todos } = await start({ endpoints: [] });
    await expect(controller.fetch(todos.create, { title: 'a' })).rejects.toMatchObject({
      code: 'outbox-endpoint-unknown',
    });
  });

  test('is refused at the call also if it was made from a listed one, because the listed one would be sent after a restart', async () => {
    const { controller, outbox, todos } = await start();
    for (const other of [
      todos.update.extend({ path: '/todos/:id/done' }),
      todos.update.extend({ method: 'POST' }),
      todos.update.extend({ urlPrefix: 'https://other.test' }),
    ])
      // oxlint-disable-next-line no-await-in-loop -- one call after another
      await expect(controller.fetch(other, { id: '1' }, { title: 'a' })).rejects.toMatchObject({
        code: 'outbox-endpoint-unknown',
      });
    expect(outbox.entries()).toEqual([]);
    await controller.fetch(todos.create.extend({ timeout: 1000 }), { title: 'a' });
    await controller.fetch(todos.getList.push, { title: 'b' });
  });

  test('after a new version of the application leaves the edit to a decision of the user', async () => {
    const first = await start();
    first.server.isOnline = false;
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    await first.outbox.flush();
    kill(first);
    const { outbox } = await start({ server: first.server, storage: first.storage, endpoints: [] });
    expect(outbox.entries()).toMatchObject([{ state: 'stopped', error: { code: 'outbox-endpoint-unknown' } }]);
    outbox.retry();
    expect(outbox.entries()).toMatchObject([{ state: 'stopped' }]);
  });

  test('is found again by the key of its class, also when a minifier has renamed the class', async () => {
    const shared = { urlPrefix: 'https://api.test', path: '/todos/:id', optimistic: true, offline: true } as const;
    const server = new Server();
    const storage = memoryStorage();
    const entries: unknown[] = [];
    for (const className of ['a', 'b']) {
      const Minified = Object.defineProperty(class extends Todo {}, 'name', { value: className });
      const { platform } = server;
      const todos = resource({ ...shared, platform, schema: Minified });
      const remove = new RestEndpoint({ ...shared, platform, schema: Minified, method: 'DELETE' });
      const outbox = new OutboxManager({ name: 'app', storage, platform, endpoints: [todos, remove] });
      const controller = new Controller({ managers: [outbox] });
      await controller.ready; // oxlint-disable-line no-await-in-loop -- one build after another
      server.isOnline = className === 'b';
      if (className === 'a') controller.fetch(todos.create, { title: 'a' }).catch(ignore);
      entries.push(...outbox.entries().map(({ endpoint }) => endpoint));
      await outbox.flush(); // oxlint-disable-line no-await-in-loop
      await settle(); // oxlint-disable-line no-await-in-loop
      controller.dispose();
    }
    expect(entries).toEqual(['Todo.create', 'Todo.create']);
    expect(server.effects).toMatchObject([{ method: 'POST', body: { title: 'a' } }]);
  });

  test('and two of one name are refused at the start', () => {
    const { todos } = begin();
    const endpoints = [todos, todos.create.extend({ body: undefined })];
    expect(() => new OutboxManager({ name: 'app', endpoints })).toThrow(
      expect.objectContaining({ code: 'endpoint-name-twice' }),
    );
  });
});

describe('a server that knows no idempotency keys', () => {
  async function keyless(given: Parameters<typeof begin>[0] = {}): Promise<App> {
    const app = begin(given);
    // Its own outbox has the endpoint with keys.
    kill(app);
    const create = app.todos.create.extend({ idempotencyKey: false });
    const outbox = new OutboxManager({
      name: 'app',
      endpoints: [create],
      storage: app.storage,
      platform: app.server.platform,
    });
    const controller = new Controller({ managers: [outbox] });
    await controller.ready;
    return { ...app, controller, outbox, todos: { ...app.todos, create } };
  }

  test('gets a request twice only by a decision of the user', async () => {
    const { controller, outbox, server, todos } = await keyless();
    server.troubles.push('lost answer');
    await expect(controller.fetch(todos.create, { title: 'a' })).rejects.toMatchObject({ code: 'outbox-unsure' });
    expect(server.requests).toHaveLength(1);
    const [entry] = outbox.entries();
    expect(() => outbox.edit(entry?.id ?? '', { title: 'b' })).toThrow(
      expect.objectContaining({ code: 'outbox-entry-sent' }),
    );
    outbox.retry(entry?.id);
    await settle();
    expect(server.effects).toHaveLength(2);
  });

  test('gets a request again when it has certainly not executed it', async () => {
    const { controller, server, todos } = await keyless();
    server.troubles.push(503, 429);
    await expect(controller.fetch(todos.create, { title: 'a' })).resolves.toMatchObject({ title: 'a' });
    expect(server.effects).toHaveLength(1);
  });

  test('does not get a request again when the application was killed during the first one', async () => {
    const first = await keyless();
    const { server, storage } = first;
    server.troubles.push('lost answer');
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    for (let turn = 0; server.requests.length === 0 && turn < 50; turn++) await settle(1); // oxlint-disable-line no-await-in-loop
    kill(first);
    const { outbox } = await keyless({ server, storage });
    await settle();
    expect(outbox.entries()).toMatchObject([{ state: 'stopped', error: { code: 'outbox-unsure' } }]);
    expect(server.requests).toHaveLength(1);
  });

  test('does not get a request whose note that it was sent may be damaged', async () => {
    const first = await keyless();
    const { server, storage } = first;
    server.isOnline = false;
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    await first.outbox.flush();
    const kept = new Map((await (await storage.open('app outbox')).read()).entries);
    kill(first);
    const damaged: TextStorage = {
      open: async (name) => ({
        ...(await storage.open(name)),
        read: async () => ({
          entries: Array.from(kept, ([key, text]) => [key, text.replace('"isSent":true', '"isSent":false')] as const),
          damaged: 1,
        }),
      }),
    };
    server.isOnline = true;
    const { outbox } = await keyless({ server, storage: damaged });
    await settle();
    expect(outbox.entries()).toMatchObject([{ state: 'stopped', error: { code: 'outbox-unsure' } }]);
    expect(server.requests).toEqual([]);
  });
});

describe('an endpoint with a function of its own', () => {
  async function failing(error: Error) {
    const { platform } = new Server();
    let calls = 0;
    const save = new Endpoint(
      async (given: { id: string }) => {
        calls++;
        if (calls === 1) throw error;
        return given;
      },
      { name: 'save', sideEffect: true, offline: true, idempotencyKey: true },
    );
    const outbox = new OutboxManager({ name: 'app', storage: memoryStorage(), platform, endpoints: [save] });
    const controller = new Controller({ managers: [outbox] });
    await controller.ready;
    return { answer: controller.fetch(save, { id: '1' }), outbox, called: () => calls };
  }

  test('that throws a programming error stops the edit, and does not wait for a network', async () => {
    const mistake = new TypeError('given.title is undefined');
    const { answer, outbox, called } = await failing(mistake);
    await expect(answer).rejects.toBe(mistake);
    expect(called()).toBe(1);
    expect(outbox.entries()).toMatchObject([{ state: 'stopped', error: mistake }]);
  });

  test('that throws an error with a status for an unreachable server is called again', async () => {
    const { answer, outbox, called } = await failing(Object.assign(new TypeError('Failed to fetch'), { status: 503 }));
    await expect(answer).resolves.toEqual({ id: '1' });
    expect(called()).toBe(2);
    expect(outbox.entries()).toEqual([]);
  });
});

describe('a deletion', () => {
  test('of a record that is already deleted succeeds', async () => {
    const app = await start();
    app.server.records.set('/todos/1', { id: '1', title: 'a' });
    app.server.troubles.push(404);
    await app.controller.fetch(app.todos.delete, { id: '1' });
    expect(app.outbox.entries()).toEqual([]);
  });
});

describe('invalid options', () => {
  test.each([
    [{ endpoints: [] }, 'storage-name-missing'],
    [{ name: 'app', endpoints: [], onLogout: 'keep' }, 'outbox-user-missing'],
    [{ name: 'app', endpoints: [], timeout: Number.NaN }, 'manager-option-invalid'],
    [{ name: 'app', endpoints: [], timeout: '5' }, 'manager-option-invalid'],
  ])('%j', (options, code) => {
    expect(() => new OutboxManager(options as never)).toThrow(expect.objectContaining({ code }));
  });
});
