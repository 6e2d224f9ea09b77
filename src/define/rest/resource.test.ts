import { describe, expect, test } from 'vitest';
import { Controller } from '../../control/controller/controller.ts';
import { Store } from '../../state/store/store.ts';
import { platform as realPlatform } from '../../std/platform.ts';
import { All } from '../schema/all.ts';
import { Collection } from '../schema/collection.ts';
import { Entity } from '../schema/entity.ts';
import { Invalidate } from '../schema/invalidate.ts';
import { ObjectSchema } from '../schema/object.ts';
import { Query } from '../schema/query.ts';
import { Union } from '../schema/union.ts';
import { collectionIn, replaceCollection } from './collection-in.ts';
import { hookifyResource } from './hookify-resource.ts';
import type { Loose } from '../schema/infer-schema.ts';
import type { RestGenerics } from './infer-args.ts';
import { resource } from './resource.ts';
import { RestEndpoint } from './rest-endpoint.ts';
import { retrying } from './retrying.ts';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;
  static override key = 'Todo';
}
const options = { path: '/todos/:id', urlPrefix: 'https://api.example', schema: Todo } as const;
const code = (wanted: string): unknown => expect.objectContaining({ code: wanted });
const snapshot = (rows: Readonly<Record<string, unknown>>): object => ({
  abort: new Error('no guess'),
  get: (_schema: unknown, { id }: { id: string }) => rows[id],
});
const guessOf = (endpoint: object, ...args: unknown[]): unknown =>
  (endpoint as { getOptimisticResponse(...all: unknown[]): unknown }).getOptimisticResponse(...args);

describe('a resource', () => {
  const TodoResource = resource(options);

  test('has endpoints for one record, for the list, and for mutations', () => {
    const { get, getList, create, update, partialUpdate, delete: remove } = TodoResource;
    const all = [get, getList, create, update, partialUpdate, remove];
    expect(all.map(({ name, method, path }) => [name, method, path])).toEqual([
      ['Todo.get', 'GET', '/todos/:id'],
      ['Todo.getList', 'GET', '/todos'],
      ['Todo.create', 'POST', '/todos'],
      ['Todo.update', 'PUT', '/todos/:id'],
      ['Todo.partialUpdate', 'PATCH', '/todos/:id'],
      ['Todo.delete', 'DELETE', '/todos/:id'],
    ]);
    expect(get.key({ id: 1 })).toBe('GET https://api.example/todos/1');
    expect(getList.key({ userId: 5 })).toBe('GET https://api.example/todos?userId=5');
    expect(getList.move.key({ id: 1 }, {})).toBe('PATCH https://api.example/todos/1');
    expect(create.schema).toBe(getList.push.schema);
    expect(getList.push.name).toBe('Todo.getList.create');
    expect(get.schema).toBe(Todo);
    expect(getList.schema).toBeInstanceOf(Collection);
    expect(remove.schema).toBeInstanceOf(Invalidate);
    expect(all.map(({ sideEffect }) => sideEffect)).toEqual([undefined, undefined, true, true, true, true]);
  });

  test('passes its options to its endpoints', () => {
    const requestInit = { credentials: 'include' } as const;
    const retry = retrying();
    const all = resource({ ...options, dataExpiryLength: 5, requestInit, retry, getHeaders: () => ({ a: '1' }) });
    for (const { dataExpiryLength, requestInit: init, retry: again } of [
      all.get,
      all.getList,
      all.delete,
      all.getList.push,
    ]) {
      expect([dataExpiryLength, init, again]).toEqual([5, requestInit, retry]);
    }
    expect(all.get.getHeaders({})).toEqual({ a: '1' });
  });

  test('lets its options override the fields of its class of endpoints', () => {
    class Own<O extends RestGenerics = Loose> extends RestEndpoint<O> {
      override urlPrefix = 'https://of-the-class.example';
      override timeout = 5;
    }
    const own = resource({ ...options, Endpoint: Own });
    expect(own.get).toBeInstanceOf(Own);
    expect(own.getList.push).toBeInstanceOf(Own);
    expect(own.get.key({ id: 1 })).toBe('GET https://api.example/todos/1');
    expect(own.get.timeout).toBe(5);
    const { urlPrefix: _prefix, ...rest } = options;
    expect(resource({ ...rest, Endpoint: Own }).get.key({ id: 1 })).toBe('GET https://of-the-class.example/todos/1');
  });

  test('makes its list of its class of collections, with the keys that do not filter', () => {
    class Own extends Collection<[typeof Todo]> {}
    expect(resource({ ...options, Collection: Own }).getList.schema).toBeInstanceOf(Own);
    const sorted = resource({ ...options, nonFilterArgumentKeys: ['sort'] }).getList.schema;
    expect(sorted.nonFilterArgumentKeys('sort')).toBe(true);
    expect(sorted.nonFilterArgumentKeys('userId')).toBe(false);
  });

  test('gives its body type to mutations, and its page to the list', () => {
    const typed = resource({ ...options, body: { title: '' }, paginationField: 'page' });
    expect([typed.get.method, typed.getList.method]).toEqual(['GET', 'GET']);
    expect(typed.getList.getPage.key({ page: 2, userId: 1 })).toBe('GET https://api.example/todos?userId=1');
    const bodiless = resource({ ...options, body: undefined });
    expect(bodiless.update.key({ id: 1 })).toBe('PUT https://api.example/todos/1');
    expect(typed.update.key({ id: 1 }, { title: '' })).toBe('PUT https://api.example/todos/1');
  });

  test.each([
    ['a list', [Todo]],
    ['a record', Todo.fromJS()],
    ['not an entity, but of type string', 'Todo'],
    ['not an entity, but of type function', class Plain {}],
    ['not an entity, but of type undefined', undefined],
  ])('of %s for a schema is an error that says what to write', (found, schema) => {
    expect(() => resource({ path: '/todos/:id', schema })).toThrow(
      expect.objectContaining({
        code: 'schema-invalid',
        message: expect.stringMatching(
          new RegExp(
            `^The schema of the resource /todos/:id is ${found}\\. Pass the class of its records, .* schema: Post`,
          ),
        ),
      }),
    );
  });

  test('without a path is an error', () => {
    expect(() => resource({ schema: Todo } as unknown as typeof options)).toThrow(
      'A resource has no path. Give it the option path, such as /posts/:id.',
    );
  });

  test('is of a union, too', () => {
    const union = new Union({ todo: Todo }, 'type' as never);
    const feeds = resource({ path: '/feed/:id', schema: union });
    expect(feeds.delete.schema).toBeInstanceOf(Invalidate);
    expect(feeds.get.name).toBe('Resource.get');
    expect(() => resource({ path: '/settings/:id', schema: { theme: '' } })).toThrow(code('collection-schema-invalid'));
    const keyed = resource({ path: '/settings/:id', schema: new Collection([Todo]) });
    expect(keyed.get.name).toBe('[Todo].get');
    expect(keyed.delete.schema).toBe(keyed.get.schema);
    const nameless = resource({ path: '/todos/:id', schema: (() => class extends Todo {})() });
    expect(nameless.get.name).toBe('Todo.get');
  });

  test('of a live query is an error that says so', () => {
    const query = { keptBy: (args: unknown) => args };
    expect(() => resource({ path: '/todos/:id', schema: query })).toThrow(
      expect.objectContaining({
        code: 'schema-invalid',
        message: expect.stringContaining('/todos/:id is a live query'),
      }),
    );
  });

  test('needs a parameter in its path', () => {
    expect(() => resource({ path: '/todos', schema: Todo })).toThrow(
      "The path '/todos' of a resource names no record. End it with a parameter, such as '/posts/:id'.",
    );
    expect(() => resource({ path: '/files/*path', schema: Todo })).not.toThrow();
  });

  test('deletes the record in the address, whatever the response is', () => {
    const { delete: remove } = TodoResource;
    for (const said of ['', null, undefined, {}, [], true, 'OK', '5', 1, { deleted: true }, { ok: true }, { id: 7 }])
      expect(remove.process(said, { id: 5 })).toEqual({ id: 5 });
    const record = { id: '5', title: 'x' };
    expect(remove.process(record, { id: 5 })).toBe(record);
    expect(() => remove.process(' <!doctype html>', { id: 1 })).toThrow(
      'A deletion was answered with what looks like a page of HTML. The address may be wrong.',
    );
  });

  test('deletes the record in the address, although its answer is a word that is called JSON', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const fetch = async (): Promise<Response> => new Response('OK', { headers });
    const { delete: remove } = resource({ ...options, platform: { ...realPlatform, fetch } });
    expect(await remove({ id: 5 })).toEqual({ id: 5 });
  });

  test('deletes the record in the response, if the address has no pk', () => {
    const { delete: remove } = resource({ path: '/todos/:slug', schema: Todo });
    for (const something of ['5', 5, 0, { id: 5 }]) expect(remove.process(something, { slug: 'a' })).toBe(something);
    for (const nothing of ['', null, undefined, {}, [], true])
      expect(remove.process(nothing, { slug: 'a' })).toEqual({ slug: 'a' });
    class Careless extends Entity {
      parts = { id: '' };
      override pk(): string {
        return this.parts.id;
      }
    }
    const careless = resource({ path: '/careless/:id', schema: Careless });
    expect(careless.delete.process({ parts: { id: '5' } }, { id: '5' })).toEqual({ parts: { id: '5' } });
  });

  test('reads the answer to a deletion by the schema with which the deletion was extended', async () => {
    const answers = [Response.json([{ id: 5 }, { id: 6 }]), new Response(null, { status: 204 })];
    const fetch = async (): Promise<Response> => answers.shift() ?? Response.error();
    const remove = resource({ ...options, platform: { ...realPlatform, fetch } }).delete.extend({
      schema: [new Invalidate(Todo)],
      getOptimisticResponse: () => [{ id: 7 }, { id: 8 }],
    });
    const controller = new Controller();
    for (const id of [5, 6, 7, 8, 9]) void controller.set(Todo, { id }, { id });
    await controller.fetch(remove, { id: 5 });
    await controller.fetch(remove, { id: 7 });
    expect(controller.get(new All(Todo))?.map(({ id }) => id)).toEqual([9]);
  });

  test('deletes the record in the path if the answer to the deletion is empty, also if its schema has other data beside the record', async () => {
    const fetch = async (): Promise<Response> => new Response(null, { status: 204 });
    const remove = resource({ ...options, platform: { ...realPlatform, fetch } }).delete.extend({
      schema: { todo: new Invalidate(Todo), left: 0 },
    });
    const controller = new Controller();
    for (const id of [5, 6]) void controller.set(Todo, { id }, { id });
    await controller.fetch(remove, { id: 5 });
    expect(controller.get(new All(Todo))?.map(({ id }) => id)).toEqual([6]);
  });

  test('processes the answer to a deletion as its class of endpoints does', async () => {
    class Unwrapping<O extends RestGenerics = Loose> extends RestEndpoint<O> {
      override process(value: Loose): Loose {
        return value.record;
      }
    }
    class Later<O extends RestGenerics = Loose> extends RestEndpoint<O> {
      override async process(value: Loose): Promise<Loose> {
        return value.record;
      }
    }
    const slug = { path: '/todos/:slug', schema: Todo } as const;
    const answer: unknown = { record: { id: 5 } };
    expect(resource({ ...slug, Endpoint: Unwrapping }).delete.process(answer, { slug: 'a' })).toEqual({ id: 5 });
    expect(await resource({ ...slug, Endpoint: Later }).delete.process(answer, { slug: 'a' })).toEqual({ id: 5 });
    expect(await resource({ ...options, Endpoint: Later }).delete.process(answer, { id: 7 })).toEqual({ id: 7 });
  });

  test('deletes also if its class of endpoints cannot process the answer', async () => {
    class Failing<O extends RestGenerics = Loose> extends RestEndpoint<O> {
      override process(value: Loose): Loose {
        return value.data.record.id;
      }
    }
    class Rejecting<O extends RestGenerics = Loose> extends RestEndpoint<O> {
      override async process(value: Loose): Promise<Loose> {
        return value.data.record.id;
      }
    }
    for (const Endpoint of [Failing, Rejecting]) {
      const named = resource({ ...options, Endpoint }).delete;
      expect(await named.process({ ok: true }, { id: 7 })).toEqual({ id: 7 });
      expect(await named.process(null, { id: 7 })).toEqual({ id: 7 });
      const unnamed = resource({ path: '/todos/:slug', schema: Todo, Endpoint }).delete;
      await expect((async () => unnamed.process({ ok: true }, { slug: 'a' }))()).rejects.toThrow(TypeError);
    }
  });
});

describe('an optimistic resource', () => {
  const all = resource({ ...options, optimistic: true });

  test('guesses that records become as they are sent', () => {
    const snap = snapshot({ 1: Object.assign(Todo.fromJS({ id: 1, title: 'old', userId: 7 })) });
    expect(guessOf(all.update, snap, { id: 1 }, { title: 'new' })).toEqual({ id: 1, title: 'new' });
    expect(guessOf(all.partialUpdate, snap, { id: '1' }, { title: 'new' })).toEqual({ id: 1, title: 'new' });
    expect(guessOf(all.delete, snap, { id: 1 })).toEqual({ id: 1 });
    expect(guessOf(all.getList.push, snap, { userId: 7 }, { title: 'x' })).toEqual({ userId: 7, title: 'x' });
    expect(guessOf(all.getList.unshift, snap, { title: 'x' })).toEqual({ title: 'x' });
    expect(guessOf(all.getList.move, snap, { id: 1 }, { userId: 8 })).toEqual({ id: 1, userId: 8 });
    expect(all.get.getOptimisticResponse).toBe(undefined);
    expect(resource(options).update.getOptimisticResponse).toBe(undefined);
  });

  test('guesses the one record of an answer that has other data beside it', async () => {
    const answer = { todo: { id: 1, title: 'new' }, meta: { version: 2 }, warnings: ['long'] };
    const platform = { ...realPlatform, fetch: async (): Promise<Response> => Response.json(answer) };
    const schema = { todo: Todo, meta: { version: 0 }, warnings: [''] };
    const { update, partialUpdate } = resource({ ...options, optimistic: true, platform });
    for (const change of [update.extend({ schema }), partialUpdate.extend({ schema })]) {
      const controller = new Controller();
      void controller.set(Todo, { id: 1 }, { id: 1, title: 'old', userId: 7 });
      const changed = controller.fetch(change, { id: 1 }, { title: 'new' });
      expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'new', userId: 7 });
      expect((await changed).meta).toEqual({ version: 2 });
    }
  });

  test('makes no guess for a partial update of a record that is not stored', () => {
    const snap = snapshot({});
    expect(() => guessOf(all.partialUpdate, snap, { id: 1 }, {})).toThrow('no guess');
  });

  test('guesses the deletion of the only record of a union that the parameters name, or else of what they name', () => {
    class Note extends Todo {
      static override key = 'Note';
    }
    const feed = resource({
      path: '/feed/:id',
      schema: new Union({ todo: Todo, note: Note }, 'type' as never),
      optimistic: true,
    });
    const snapOf = (...found: readonly unknown[]): object => ({
      get: (schema: unknown) => (schema === Todo ? found[0] : found[1]),
    });
    const [todo, note] = [Todo.fromJS({ id: 5 }), Note.fromJS({ id: 6 })];
    expect(guessOf(feed.delete, snapOf(todo), { id: '5' })).toEqual({ id: 5 });
    expect(guessOf(feed.delete, snapOf(undefined, note), { id: '6' })).toEqual({ id: 6 });
    expect(guessOf(feed.delete, snapOf(todo, note), { id: '5' })).toEqual({ id: '5' });
    expect(guessOf(feed.delete, snapOf(), { id: '5' })).toEqual({ id: '5' });
  });

  test('guesses with the fields by which a function finds the class of a record', () => {
    const byFunction = (decide: (value: object) => string): unknown => {
      const schema = new Union({ todo: Todo }, decide as never);
      const { update } = resource({ path: '/feed/:id', schema, optimistic: true });
      const stored = Object.assign(Todo.fromJS({ id: 5, userId: 7 }), { due: 'today' });
      return guessOf(update, { get: () => stored }, { id: 5 }, { title: 'x' });
    };
    const guess = { id: 5, title: 'x' };
    expect(byFunction((value) => ('due' in value ? 'todo' : 'none'))).toEqual({ ...guess, due: 'today' });
    expect(byFunction((value) => ('gone' in value ? 'none' : 'todo'))).toEqual(guess);
    expect(byFunction((value) => (Object.hasOwn(value, 'due') ? 'todo' : 'none'))).toEqual({ ...guess, due: 'today' });
    expect(byFunction((value) => (Reflect.get(value, 'userId') === 7 ? 'todo' : 'none'))).toEqual({
      ...guess,
      userId: 7,
    });
  });

  test('stays optimistic when its list is extended', () => {
    const extended = all.extend('getList', { path: '/users/:userId/todos' });
    expect(guessOf(extended.getList.push, {}, { userId: 7 }, { title: 'x' })).toEqual({ userId: 7, title: 'x' });
  });
});

describe('extend', () => {
  const TodoResource = resource(options);

  test('adds a member that starts from get, or changes one that is there', () => {
    const voting = TodoResource.extend('vote', { path: '/todos/:id/vote', method: 'POST', body: undefined });
    expect([voting.vote.name, voting.vote.key({ id: 1 })]).toEqual([
      'Todo.vote',
      'POST https://api.example/todos/1/vote',
    ]);
    const paged = TodoResource.extend('getList', { paginationField: 'page' });
    expect(paged.getList.name).toBe('Todo.getList');
    expect(paged.getList.getPage.key({ page: 2 })).toBe('GET https://api.example/todos');
    expect(TodoResource.getList.getPage).toBe(undefined);
    expect(paged.get).toBe(TodoResource.get);
  });

  test('of the list changes create, push, move and getPage', () => {
    const searched = TodoResource.extend({
      getList: {
        path: '/users/:userId/todos',
        schema: new Collection([Todo], { argsKey: () => ({}) }),
        paginationField: 'page',
      },
    });
    const { getList, create } = searched;
    expect([create.name, create.key({ userId: 1 }, {})]).toEqual([
      'Todo.create',
      'POST https://api.example/users/1/todos',
    ]);
    expect(create.schema).toBe(getList.schema.push);
    expect(getList.push.key({ userId: 1 }, {})).toBe('POST https://api.example/users/1/todos');
    expect(getList.getPage.name).toBe('Todo.getList.getPage');
    expect(getList.getPage.key({ userId: 1, page: 2 })).toBe('GET https://api.example/users/1/todos');
    expect(getList.move.key({ id: 1 }, {})).toBe('PATCH https://api.example/todos/1');
    const again = searched.extend('getList', { path: '/again' });
    expect(again.create.key({})).toBe('POST https://api.example/again');
    const made = TodoResource.extend((base) => ({ ...base, getList: base.getList.extend({ path: '/made' }) }));
    expect(made.create.key({})).toBe('POST https://api.example/made');
  });

  test('of the list keeps a create of your own', () => {
    const own = TodoResource.extend('create', { path: '/own' });
    expect(own.extend('getList', { path: '/all' }).create).toBe(own.create);
    const both = TodoResource.extend({ getList: { path: '/all' }, create: { path: '/own' } });
    expect(both.create.key({})).toBe('POST https://api.example/own');
  });

  test('of the list to one without a Collection stores created records as before', () => {
    const { create } = TodoResource.extend('getList', { path: '/all', schema: [Todo] });
    expect(create.key({})).toBe('POST https://api.example/all');
    expect(create.schema).toBe(TodoResource.create.schema);
    const getList = { notAnEndpoint: true };
    expect(TodoResource.extend(() => ({ getList })).create).toBe(TodoResource.create);
  });

  test('changes several members', () => {
    const changed = TodoResource.extend({ get: { dataExpiryLength: 5 }, getList: { path: '/all' } });
    expect(changed.get.dataExpiryLength).toBe(5);
    expect(changed.getList.key()).toBe('GET https://api.example/all');
    expect(() => TodoResource.extend({ nothing: {} } as never)).toThrow(
      'A resource of get, getList, create, update, partialUpdate, delete has no nothing to extend. ' +
        "Add it with extend('nothing', options).",
    );
    expect(() => TodoResource.extend({ nothing: {} } as never)).toThrow("Add it with extend('nothing', options).");
  });

  test('adds members made from members, and can be called again', () => {
    const more = TodoResource.extend((base) => ({ open: base.getList.extend({ path: '/todos/open' }) })).extend(
      'close',
      {
        path: '/todos/:id/close',
        method: 'POST',
        body: undefined,
      },
    );
    expect(more.open.key()).toBe('GET https://api.example/todos/open');
    expect(more.close.key({ id: 1 })).toBe('POST https://api.example/todos/1/close');
    expect(more.get).toBe(TodoResource.get);
  });
});

describe('a hookified resource', () => {
  test('has a hook for each member, which gives its endpoint with the options of the request', () => {
    const TodoResource = resource({ ...options, requestInit: { headers: { 'X-A': '1' }, cache: 'no-store' } });
    let init: RequestInit | undefined = { headers: { 'X-B': '2' }, mode: 'cors' };
    const hooks = hookifyResource(TodoResource, () => init);
    expect(Object.keys(hooks)).toEqual([
      'useGet',
      'useGetList',
      'useCreate',
      'useUpdate',
      'usePartialUpdate',
      'useDelete',
    ]);
    const get = hooks.useGet();
    expect(get.key({ id: 1 })).toBe(TodoResource.get.key({ id: 1 }));
    expect(get.requestInit).toEqual({ headers: { 'X-A': '1', 'X-B': '2' }, cache: 'no-store', mode: 'cors' });
    expect(hooks.useGet()).toBe(get);
    init = { mode: 'cors' };
    expect(hooks.useGet()).not.toBe(get);
    init = undefined;
    expect(hooks.useGet()).toBe(TodoResource.get);
  });
});

describe('the collection in a schema', () => {
  const todos = new Collection([Todo]);
  const others = new Collection([Todo], { argsKey: () => ({}) });

  test('is the first one, at any depth', () => {
    expect(collectionIn(todos)).toBe(todos);
    expect(collectionIn({ total: 0, page: { results: todos }, others })).toBe(todos);
    expect(collectionIn(new ObjectSchema({ results: todos }))).toBe(todos);
    expect(collectionIn(new Query({ results: todos }, (value) => value))).toBe(todos);
  });

  test('is undefined if there is none', () => {
    for (const schema of [
      undefined,
      null,
      '',
      Todo,
      [Todo],
      [todos],
      { todo: Todo, total: 0 },
      new ObjectSchema({ a: Todo }),
    ]) {
      expect(collectionIn(schema)).toBe(undefined);
      expect(replaceCollection(schema, () => others)).toBe(undefined);
    }
    const query = new Query(Todo, (value) => value);
    expect(replaceCollection(query, () => others)).toBe(undefined);
  });

  test('can be replaced', () => {
    const process = (value: unknown): unknown => value;
    expect(replaceCollection({ a: { b: todos }, c: todos }, () => others)).toEqual({ a: { b: others }, c: todos });
    expect(replaceCollection(new ObjectSchema({ a: todos }), () => others)).toEqual(new ObjectSchema({ a: others }));
    expect(replaceCollection(new Query(todos, process), () => others)).toEqual(new Query(others, process));
  });
});

describe('a resource and a store', () => {
  async function write(store: Store, endpoint: object, args: readonly unknown[], response: unknown): Promise<unknown> {
    const platform = { ...realPlatform, fetch: async () => Response.json(response) };
    const { schema } = endpoint as { schema: unknown };
    const answering = (endpoint as RestEndpoint).extend({ platform }) as (...all: unknown[]) => Promise<unknown>;
    const value = await answering(...args);
    return store.write(schema, value, { args });
  }

  test('a created record joins the list, a page adds to it, and a deleted record leaves it', async () => {
    const TodoResource = resource({ ...options, paginationField: 'page' });
    const store = new Store();
    const list = (): unknown[] => (store.get(TodoResource.getList.schema, { userId: 1 }) as Todo[]).map(({ id }) => id);
    await write(store, TodoResource.getList, [{ userId: 1 }], [{ id: 1, userId: 1 }]);
    await write(store, TodoResource.getList.push, [{ userId: 1 }, { title: 'x' }], { id: 2, userId: 1 });
    await write(store, TodoResource.getList.unshift, [{ userId: 1 }, { title: 'y' }], { id: 3, userId: 1 });
    await write(
      store,
      TodoResource.getList.getPage,
      [{ userId: 1, page: 2 }],
      [
        { id: 2, userId: 1 },
        { id: 4, userId: 1 },
      ],
    );
    expect(list()).toEqual([3, 1, 2, 4]);
    await write(store, TodoResource.delete, [{ id: 1 }], {});
    expect(list()).toEqual([3, 2, 4]);
    expect(store.get(Todo, { id: 1 })).toBe(undefined);
  });
});
