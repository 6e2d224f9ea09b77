import { describe, expect, test } from 'vitest';
import {
  All,
  Collection,
  Controller,
  dehydrate,
  Endpoint,
  Entity,
  hydrate,
  Invalidate,
  type Middleware,
  Query,
  type Snapshot,
  Store,
  Union,
  Values,
} from '../../src/index.ts';
import { User } from '../model.ts';
import { addGuess } from '../../src/state/store/layer.ts';
import { takeSnapshot } from '../../src/state/store/store-snapshot.ts';
import { aliasesOf } from '../../src/state/store/restore.ts';
class Post extends Entity {
  id = '';
  type = 'post';
  title = '';
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema: Record<string, unknown> = { author: User };
}
class Comment extends Entity {
  id = '';
  text = '';
  post: Post | undefined = undefined;
  static override key = 'Comment';
  static override schema = { post: Post };
}
const posts = new Collection([Post]);
const args = [{}];
const sent = (store: Store): unknown => JSON.parse(JSON.stringify(dehydrate(store))) as unknown;

/** A post that was created optimistically, and a comment that still refers to it by its temporary pk. */
function commented(frozen = true) {
  const store = new Store({ frozen });
  store.write(posts, [{ id: '1', title: 'first' }], { args });
  const layer = addGuess(store, () => ({ schema: posts.push, response: { title: 'new' }, args }));
  const temporary = (store.get(posts, {}) as Post[])[1]?.id as string;
  store.write(Comment, { id: 'c', text: 'hello', post: temporary });
  return { store, temporary, create: () => layer.confirm(posts.push, { id: '5', title: 'new' }, { args }) };
}

describe.each([true, false])('a temporary pk, values that are frozen: %s', (frozen) => {
  test('refers to the record of the server in a state that was taken after the answer', () => {
    const { store, temporary, create } = commented(frozen);
    create();
    const state = takeSnapshot(store);

    expect(store.get(Comment, { id: 'c' })?.post?.id).toBe('5');
    expect(state.get(Comment, { id: 'c' })?.post?.id).toBe('5');
    expect(state.get(Post, { id: temporary })).toBe(store.get(Post, { id: '5' }));
    store.write(Post, { id: '5', title: 'changed' });
    expect(state.get(Comment, { id: 'c' })?.post?.title).toBe('new');
    store.reset();
    expect(state.get(Comment, { id: 'c' })?.post?.title).toBe('new');
  });

  test('refers to the optimistic record in a state that was taken before the answer', () => {
    const { store, temporary, create } = commented(frozen);
    const state = takeSnapshot(store);
    create();

    expect(state.get(Comment, { id: 'c' })?.post).toMatchObject({ id: temporary, title: 'new' });
    expect((state.get(posts, {}) as Post[]).map(({ id }) => id)).toEqual(['1', temporary]);
  });

  test('refers to the optimistic record in a state that was taken before an answer with a stored record', () => {
    const { store, temporary } = commented(frozen);
    const layer = addGuess(store, () => ({ schema: posts.push, response: { title: 'other' }, args }));
    const [other] = layer.created;
    store.write(Comment, { id: 'd', text: 'hello', post: other?.pk });
    const state = takeSnapshot(store);
    layer.confirm(posts.push, { id: '1', title: 'first' }, { args });

    expect(store.get(Comment, { id: 'd' })?.post).toBe(store.get(Post, { id: '1' }));
    expect(state.get(Comment, { id: 'd' })?.post).toMatchObject({ id: other?.pk, title: 'other' });
    expect(state.get(Post, { id: other?.pk as string })?.title).toBe('other');
    expect(state.get(new All(Post))?.map(({ title }) => title)).toEqual(['first', 'new', 'other']);
    expect(state.get(Post, { id: '1' })).toBe(store.get(Post, { id: '1' }));
    expect(state.get(Post, { id: temporary })).toBe(store.get(Post, { id: temporary }));
  });

  test('refers to the record of the server in a hydrated store, and in a store that was hydrated from that store', () => {
    const { store, temporary, create } = commented(frozen);
    create();
    const second = new Store({ frozen });
    const readBefore = second.query(Post, [{ id: temporary }]);
    const waiting = second.query(Comment, [{ id: 'c' }]);
    const stops = [readBefore.subscribe(() => {}), waiting.subscribe(() => {})];
    hydrate(second, sent(store));
    const third = new Store({ frozen });
    hydrate(third, sent(second));

    for (const each of [second, third]) {
      expect(each.get(Comment, { id: 'c' })?.post).toBe(each.get(Post, { id: '5' }));
      expect(each.get(Post, { id: temporary })?.title).toBe('new');
      expect(takeSnapshot(each).get(Comment, { id: 'c' })?.post?.id).toBe('5');
      expect([...aliasesOf(each.writer)]).toEqual([...aliasesOf(store.writer)]);
    }
    expect(readBefore.current()).toBe(second.get(Post, { id: '5' }));
    expect(waiting.current()).toMatchObject({ post: { id: '5' } });
    for (const stop of stops) stop();
  });

  test('of a hydrated store is removed by a reset, also when the store was hydrated twice', () => {
    const { store, temporary, create } = commented(frozen);
    create();
    const other = new Store({ frozen });
    hydrate(other, sent(store));
    hydrate(other, sent(store), { isLater: true });
    other.reset();

    expect(other.get(Post, { id: temporary })).toBeUndefined();
    expect(dehydrate(other)).toEqual({ format: 'rejoin', version: 1, tables: [], results: [] });
  });

  test('that was hydrated in a failed batch refers to no record', () => {
    const { store, temporary, create } = commented(frozen);
    create();
    const other = new Store({ frozen });
    const live = other.query(Post, [{ id: temporary }]);
    const stop = live.subscribe(() => {});
    expect(() =>
      other.batch(() => {
        hydrate(other, sent(store));
        throw new Error('no');
      }),
    ).toThrow('no');

    expect([...aliasesOf(other.writer)]).toEqual([]);
    expect(live.current()).toBeUndefined();
    hydrate(other, sent(store));
    expect(live.current()).toMatchObject({ id: '5' });
    stop();
  });
});

test.each([
  ['a list of names', { aliases: {} }, 'aliases'],
  ['an alias without a pk', { aliases: [['Post', 'temp:1']] }, 'aliases[0]'],
  ['an alias with a number', { aliases: [['Post', 'temp:1', 5]] }, 'aliases[0]'],
  ['an alias that is none', { aliases: [null] }, 'aliases[0]'],
])('a state to hydrate without %s is refused', (_name, parts, path) => {
  const state = { format: 'rejoin', version: 1, tables: [], results: [], ...parts };
  expect(() => hydrate(new Store(), state)).toThrow(expect.objectContaining({ code: 'hydrate-invalid', path }));
});

describe('a list of all records in a state', () => {
  const ids = (items: readonly { readonly id: string }[] | undefined): unknown => items?.map(({ id }) => id);

  test('is in the order in which the records arrived, and not in the order of reads', () => {
    const store = new Store();
    store.get(Post, { id: '3' });
    store.write([Post], [{ id: '1' }, { id: '2' }]);
    store.write(Post, { id: '3' });
    const state = takeSnapshot(store);
    const later = takeSnapshot(store);
    for (const id of ['3', '2', '1']) state.get(Post, { id });
    store.invalidate(Post, '2');
    store.write([Post], [{ id: '0' }, { id: '2', title: 'again' }]);
    for (const id of ['2', '3']) later.get(Post, { id });

    expect(ids(state.get(new All(Post)))).toEqual(['1', '2', '3']);
    expect(ids(later.get(new All(Post)))).toEqual(['1', '2', '3']);
    expect(ids(later.get(new Query(new All(Post), (items) => items)))).toEqual(['1', '2', '3']);
  });

  test('stays the same after a reset and the answers of the next user', () => {
    const store = new Store();
    store.write([Post], [{ id: '2' }, { id: '1' }]);
    const state = takeSnapshot(store);
    store.reset();
    store.write([Post], [{ id: '1' }, { id: '9' }, { id: '2' }]);

    expect(ids(state.get(new All(Post)))).toEqual(['2', '1']);
    expect(ids(store.get(new All(Post)))).toEqual(['1', '9', '2']);
  });

  test('keeps its order when a create was answered with a stored record', () => {
    const store = new Store();
    store.write([Post], [{ id: '1' }, { id: '2' }]);
    addGuess(store, () => ({ schema: posts.push, response: { title: 'new' }, args })).confirm(
      posts.push,
      { id: '1' },
      { args },
    );
    const state = takeSnapshot(store);
    store.write(Post, { id: '1', title: 'changed' });

    expect(ids(store.get(new All(Post)))).toEqual(['1', '2']);
    expect(ids(state.get(new All(Post)))).toEqual(['1', '2']);
  });
});

describe('a list of all records that an optimistic response reads', () => {
  const ids = (items: readonly { readonly id: string }[] | undefined): unknown => items?.map(({ id }) => id);
  /** The ids of all posts that an optimistic response reads after it has read one of them. */
  const seenAfter = (store: Store, id: string): unknown => {
    let seen: unknown;
    addGuess(store, (state) => {
      state.get(Post, { id });
      seen = ids(state.get(new All(Post)));
      return undefined;
    });
    return seen;
  };

  test('is in the order in which the records arrived, also after one of them was read', () => {
    const store = new Store();
    store.write([Post], [{ id: '1' }, { id: '2' }, { id: '3' }]);

    expect(seenAfter(store, '3')).toEqual(['1', '2', '3']);
    expect(seenAfter(store, '2')).toEqual(['1', '2', '3']);
  });

  test('has a created record at the place of its guess', () => {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: posts.push, response: { title: 'new' }, args }));
    store.write(Post, { id: '1' });
    layer.confirm(posts.push, { id: '5' }, { args });

    expect(ids(store.get(new All(Post)))).toEqual(['5', '1']);
    expect(seenAfter(store, 'none')).toEqual(['5', '1']);
  });
});

const first = { id: '1', type: 'post', title: 'first', author: { id: 'u', name: 'Ann' } };
const second = { id: '2', type: 'post', title: 'second', author: 'u' };
const kinds: readonly (readonly [name: string, schema: unknown, response: unknown])[] = [
  ['a list', [Post], [first, second]],
  ['a collection', posts, [first, second]],
  ['a map', new Values(Post), { a: first, b: second }],
  ['a list of a union', [new Union({ post: Post }, 'type')], [first, second]],
  ['an object', { items: [Post], total: 2 }, { items: [first, second], total: 2 }],
  ['a query', new Query(posts, (items) => items.toReversed()), [first, second]],
  ['plain data', undefined, { total: 2 }],
];

function scene(schema: unknown, response: unknown) {
  const controller = new Controller();
  const get = new Endpoint(async () => response, { name: 'get', schema });
  const failing = new Endpoint(async (): Promise<unknown> => response, { name: 'failing', schema });
  const remove = new Endpoint(async () => ({ id: '2' }), {
    name: 'remove',
    schema: new Invalidate(Post),
    sideEffect: true,
  });
  return { controller, get, failing, remove };
}

describe.each(kinds)('a state reads %s', (_name, schema, response) => {
  test('as the same object as the store while none of its records changes', async () => {
    const { controller, get } = scene(schema, response);
    await controller.fetch(get);
    const state = controller.getState();
    const read = (of: Snapshot): unknown => of.getResponse(get).data;

    expect(read(state)).toBe(controller.getResponse(get).data);
    expect(read(state)).toBe(read(controller.getState()));
    void controller.set(User, { id: 'other' }, { id: 'other', name: 'unrelated' });
    expect(read(state)).toBe(controller.getResponse(get).data);
    expect(read(controller.getState())).toBe(read(state));
    controller.dispose();
  });

  test.each<[string, (world: ReturnType<typeof scene>) => unknown]>([
    ['a write', ({ controller }) => controller.set(User, { id: 'u' }, { id: 'u', name: 'Ben' })],
    ['another answer', ({ controller, get }) => controller.setResponse(get, Array.isArray(response) ? [] : {})],
    ['an error', ({ controller, get }) => controller.setError(get, new Error('no'))],
    ['invalidate', ({ controller, get }) => controller.invalidate(get)],
    ['invalidateAll', ({ controller, get }) => controller.invalidateAll(get)],
    ['expireAll', ({ controller, get }) => controller.expireAll(get)],
    ['a deletion', ({ controller, remove }) => controller.fetch(remove)],
    ['a reset', ({ controller }) => controller.resetEntireStore()],
  ])('as it was before %s, and as the same object each time', async (_what, change) => {
    for (const isReadBefore of [true, false]) {
      const world = scene(schema, response);
      const { controller, get } = world;
      await controller.fetch(get);
      const expected = structuredClone(controller.getResponse(get).data);
      const state = controller.getState();
      const before = isReadBefore ? state.getResponse(get).data : undefined;
      const status = controller.getResponse(get, state).expiryStatus;
      await change(world);

      const after = state.getResponse(get).data;
      expect(structuredClone(after)).toEqual(expected);
      expect(state.getResponse(get).data).toBe(after);
      if (isReadBefore) expect(after).toBe(before);
      expect(state.getError(get)).toBeUndefined();
      expect(state.getResponseMeta(get).expiryStatus).toBe(status);
      controller.dispose();
    }
  });
});

test('a state keeps an error, also after a later answer without an error', async () => {
  const { controller, failing } = scene([Post], [first]);
  const error = new Error('no');
  void controller.setError(failing, error);
  const state = controller.getState();
  await controller.fetch(failing);

  expect(state.getError(failing)).toBe(error);
  expect(controller.getError(failing)).toBeUndefined();
  controller.dispose();
});

test('a manager that compares the states before and after an action gets the same objects when nothing has changed', async () => {
  const compared: [type: string, isSame: boolean][] = [];
  const get = new Endpoint(async () => [first, second], { name: 'get', schema: posts });
  const compare: Middleware = (controller) => (next) => async (action) => {
    const before = controller.getState();
    const was = [before.getResponse(get).data, before.get(posts, {}), before.get(Post, { id: '1' })];
    await next(action);
    const after = controller.getState();
    const is = [after.getResponse(get).data, after.get(posts, {}), after.get(Post, { id: '1' })];
    compared.push([action.type, is.every((value, at) => value === was[at])]);
  };
  const manager = { middleware: compare, cleanup: () => {} };
  const controller = new Controller({ managers: [manager] });
  await controller.setResponse(get, [first, second]);
  await controller.set(User, { id: 'other' }, { id: 'other', name: 'unrelated' });
  await controller.set(User, { id: 'u' }, { id: 'u', name: 'Ben' });

  expect(compared.map(([, isSame]) => isSame)).toEqual([false, true, false]);
  controller.dispose();
});
