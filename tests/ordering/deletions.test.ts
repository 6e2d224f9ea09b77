import { describe, expect, test } from 'vitest';
import { All, Entity, resource, RestEndpoint, schema as schemas, Union } from '../../src/index.ts';
import { Todo, User } from '../model.ts';
import { settled, Transport, todosOver } from './transport.ts';

const first = { id: '1', title: 'old' };
const second = { id: '2', title: 'other' };

/** A deletion of the first todo, and a mutation of it that is issued later. */
async function scene(isShown = true) {
  const transport = new Transport();
  const { controller, todos } = todosOver(transport);
  const restore = new RestEndpoint({
    path: '/todos/:id/restore',
    method: 'POST',
    schema: Todo,
    body: undefined,
    platform: transport,
  });
  await controller.setResponse(todos.getList, [first, second]);
  if (isShown) controller.watch(todos.getList, () => {});
  const answer = async (what: string, value: unknown) => {
    transport.take(what).answer(value);
    await settled();
  };
  const all = () => controller.get(new All(Todo))?.map(({ id }) => id);
  void controller.fetch(todos.delete, { id: '1' });
  return { all, answer, controller, restore, todos, transport };
}

describe.each([
  ['before the edit', ['DELETE', 'PATCH']],
  ['after the edit', ['PATCH', 'DELETE']],
] as const)('a deletion that was issued before an edit, and is answered %s', (_name, order) => {
  test('removes the record for ever, because the server could not have answered the edit after it', async () => {
    const { all, answer, controller, todos, transport } = await scene();
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'new' });
    await settled();
    for (const method of order)
      await answer(`${method} /todos/1`, method === 'PATCH' ? { ...first, title: 'new' } : {}); // oxlint-disable-line no-await-in-loop -- one after another
    expect(all()).toEqual(['2']);
    expect(transport.sent).toEqual(['GET /todos']);
    await answer('GET /todos', [second]);
    expect(all()).toEqual(['2']);
    expect(transport.sent).toEqual([]);
  });

  test('leaves its lists stale, so that a PUT that has made the record again is shown by the next fetch', async () => {
    const { all, answer, controller, todos, transport } = await scene(false);
    void controller.fetch(todos.update, { id: '1' }, { title: 'new' });
    await settled();
    for (const method of order)
      await answer(
        `${method === 'PATCH' ? 'PUT' : method} /todos/1`,
        method === 'PATCH' ? { ...first, title: 'new' } : {},
      ); // oxlint-disable-line no-await-in-loop -- one after another
    expect(controller.getResponse(todos.getList).expiresAt).toBeLessThan(transport.time);
    void controller.fetch(todos.getList);
    await settled();
    await answer('GET /todos', [{ ...first, title: 'new' }, second]);
    expect(all()).toEqual(['1', '2']);
  });

  test('removes a record that its class merges', async () => {
    class Merged extends Entity {
      id = '';
      title = '';
      static override key = 'Merged';
      static override merge(existing: object, incoming: object): object {
        return { ...existing, ...incoming };
      }
    }
    const transport = new Transport();
    const { controller } = todosOver(transport);
    const records = resource({ path: '/merged/:id', schema: Merged, platform: transport });
    await controller.setResponse(records.getList, [first]);
    void controller.fetch(records.delete, { id: '1' });
    void controller.fetch(records.partialUpdate, { id: '1' }, { title: 'new' });
    await settled();
    for (const method of order) {
      transport.take(`${method} /merged/1`).answer(method === 'PATCH' ? { ...first, title: 'new' } : {});
      await settled(); // oxlint-disable-line no-await-in-loop -- one after another
    }
    expect(controller.get(Merged, { id: '1' })).toBeUndefined();
  });
});

test('the guess of a deletion does not hide a record that a create, issued later, has made again', async () => {
  const transport = new Transport();
  const { controller } = todosOver(transport);
  const todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true, platform: transport });
  await controller.setResponse(todos.getList, [first]);
  void controller.fetch(todos.delete, { id: '1' });
  void controller.fetch(todos.create, { id: '1', title: 'again' });
  await settled();
  expect(controller.get(Todo, { id: '1' })?.title).toBe('again');
  transport.take('POST /todos').answer({ id: '1', title: 'again' });
  await settled();
  expect(controller.get(Todo, { id: '1' })?.title).toBe('again');
  transport.take('DELETE /todos/1').answer({});
  await settled();
  expect(controller.get(Todo, { id: '1' })?.title).toBe('again');
});

test('a POST that restores a record, and is issued and answered after its deletion, shows it', async () => {
  const { all, answer, controller, restore } = await scene(false);
  void controller.fetch(restore, { id: '1' });
  await settled();
  await answer('DELETE /todos/1', {});
  await answer('POST /todos/1/restore', first);
  expect(all()).toEqual(['1', '2']);
});

test('a record that is restored has all fields of the answer, also those that a later answer had before the deletion', async () => {
  const { answer, controller, restore, transport } = await scene(false);
  for (let at = 0; at < 2; at++) void controller.fetch(restore, { id: '1' });
  await settled();
  const posts = transport.calls.filter(({ method }) => method === 'POST');
  posts[1]?.answer(first);
  await settled();
  await answer('DELETE /todos/1', {});
  posts[0]?.answer(first);
  await settled();
  expect(controller.get(Todo, { id: '1' })).toMatchObject(first);
});

test('a POST that restores a record, and is answered before its deletion, leaves it to the next answer of the list', async () => {
  const { all, answer, controller, restore, transport } = await scene();
  void controller.fetch(restore, { id: '1' });
  await settled();
  await answer('POST /todos/1/restore', first);
  await answer('DELETE /todos/1', {});
  expect(all()).toEqual(['2']);
  expect(transport.sent).toEqual(['GET /todos']);
  await answer('GET /todos', [first, second]);
  expect(all()).toEqual(['1', '2']);
});

test.each([
  ['after it', ['DELETE', 'PUT']],
  ['before it', ['PUT', 'DELETE']],
])(
  'a PUT that was issued before a deletion, and is answered %s, may have made the record again, so the list is fetched',
  async (_name, order) => {
    const transport = new Transport();
    const { controller, todos } = todosOver(transport);
    const made = { id: '1', title: 'new' };
    await controller.setResponse(todos.getList, [first, second]);
    controller.watch(todos.getList, () => {});
    void controller.fetch(todos.update, { id: '1' }, { title: 'new' });
    void controller.fetch(todos.delete, { id: '1' });
    await settled();
    for (const method of order) {
      transport.take(`${method} /todos/1`).answer(method === 'PUT' ? made : {});
      await settled(); // oxlint-disable-line no-await-in-loop -- one after another
    }
    expect(transport.sent).toEqual(['GET /todos']);
    transport.take('GET /todos').answer([made, second]);
    await settled();
    expect(controller.get(Todo, { id: '1' })?.title).toBe('new');
  },
);

test('a PATCH and a deletion that overlap as they were issued cause no fetch of a list without the record', async () => {
  const transport = new Transport();
  const { controller, todos } = todosOver(transport);
  await controller.setResponse(todos.getList, [first, second]);
  controller.watch(todos.getList, () => {});
  void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'new' });
  void controller.fetch(todos.delete, { id: '1' });
  await settled();
  transport.take('PATCH /todos/1').answer({ id: '1', title: 'new' });
  await settled();
  transport.take('DELETE /todos/1').answer({});
  await settled();
  expect(transport.sent).toEqual([]);
});

test('a record that is moved between lists while its deletion is pending stays deleted', async () => {
  const { all, answer, controller, todos } = await scene(false);
  void controller.fetch(todos.getList.move, { id: '1' }, { title: 'moved' });
  await settled();
  await answer('DELETE /todos/1', {});
  await answer('PATCH /todos/1', { ...first, title: 'moved' });
  expect(all()).toEqual(['2']);
});

const kinds = new Union({ todo: Todo, user: User }, () => 'todo');

describe.each([
  ['members of an object', { changed: [Todo], last: Todo, count: 0 }],
  ['members of an object schema', new schemas.Object({ changed: [Todo], last: Todo, count: 0 })],
  ['members of an object that are of one of several classes', { changed: [kinds], last: kinds, count: 0 }],
])('a guess about records in %s', (_name, schema) => {
  /** A pending change of both todos at once, which was issued before what follows. */
  async function changing() {
    const transport = new Transport();
    const { controller, todos } = todosOver(transport);
    await controller.setResponse(todos.getList, [first, second]);
    const changeMany = new RestEndpoint({
      path: '/todos/many',
      method: 'PATCH',
      body: {} as { readonly title: string },
      schema,
      getOptimisticResponse: (_, { title }) => ({ changed: [{ id: '1', title }], last: { id: '2', title }, count: 2 }),
      platform: transport,
    });
    const change = controller.fetch(changeMany, { title: 'many' });
    const titles = () => controller.get(new All(Todo))?.map(({ title }) => title);
    expect(titles()).toEqual(['many', 'many']);
    return { change, controller, titles, todos, transport };
  }

  test.each(['1', '2'])('does not restore record %s, which a later deletion has removed', async (id) => {
    const { change, controller, titles, todos, transport } = await changing();
    const deletion = controller.fetch(todos.delete, { id });
    await settled();
    transport.take(`DELETE /todos/${id}`).answer({});
    await deletion;
    expect(titles()).toEqual(['many']);
    transport.take('PATCH /todos/many').answer({ changed: [{ id: '1', title: 'many' }], last: null, count: 1 });
    await change;
    controller.dispose();
  });

  test.each(['1', '2'])('does not show a field of record %s again that a later mutation has changed', async (id) => {
    const { change, controller, titles, todos, transport } = await changing();
    const edit = controller.fetch(todos.partialUpdate, { id }, { title: 'later' });
    await settled();
    transport.take(`PATCH /todos/${id}`).answer({ id, title: 'later' });
    await edit;
    expect(titles()?.[Number(id) - 1]).toBe('later');
    transport.take('PATCH /todos/many').answer({ changed: [], last: null, count: 0 });
    await change;
    controller.dispose();
  });
});

class Post extends Entity {
  id = '';
  author?: User = undefined;
  readers: readonly User[] = [];
  static override key = 'NestingPost';
  static override schema = { author: User, readers: [User] };
}

describe('an edit of a record changes records that are nested in it, and the record is deleted while it is pending', () => {
  /** A post whose author has the name `old`, and whose reader has the name `old` too, and a pending edit of both names. */
  async function edited() {
    const transport = new Transport();
    const { controller } = todosOver(transport);
    const posts = resource({ path: '/posts/:id', schema: Post, platform: transport, optimistic: true });
    const nested = (name: string) => ({ author: { id: '1', name }, readers: [{ id: '2', name }] });
    await controller.setResponse(posts.getList, [{ id: '5', ...nested('old') }]);
    controller.watch(posts.getList, () => {});
    const answer = async (method: string, value?: unknown, status = 200) => {
      transport.take(`${method} /posts/5`).answer(value, { status });
      await settled();
    };
    const names = () => ['1', '2'].map((id) => controller.get(User, { id })?.name);
    controller.fetch(posts.partialUpdate, { id: '5' }, nested('new')).catch(() => {});
    await settled();
    return { answer, controller, names, nested, posts };
  }

  test('the edits of the nested records are shown in every order of the answers, and the record is not', async () => {
    for (const order of [
      ['DELETE', 'PATCH'],
      ['PATCH', 'DELETE'],
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one history after another
      const { answer, controller, names, nested, posts } = await edited();
      void controller.fetch(posts.delete, { id: '5' });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await settled();
      for (const method of order) {
        // oxlint-disable-next-line no-await-in-loop -- one answer after another
        await answer(method, method === 'PATCH' ? { id: '5', ...nested('new') } : {});
        expect(names()).toEqual(['new', 'new']);
        expect(controller.get(Post, { id: '5' })).toBeUndefined();
        expect(controller.getResponse(posts.getList).data).toEqual([]);
      }
    }
  });

  test('the edits of the nested records are shown after something else has deleted the record', async () => {
    const { answer, controller, names, nested, posts } = await edited();
    await controller.setResponse(posts.delete, { id: '5' }, { id: '5' });
    expect(names()).toEqual(['new', 'new']);
    expect(controller.get(Post, { id: '5' })).toBeUndefined();
    await answer('PATCH', { id: '5', ...nested('new') });
    expect(names()).toEqual(['new', 'new']);
  });

  test('the edits of the nested records are rolled back if the edit is refused', async () => {
    const { answer, controller, names, posts } = await edited();
    void controller.fetch(posts.delete, { id: '5' });
    await settled();
    await answer('DELETE', {});
    await answer('PATCH', {}, 404);
    expect(names()).toEqual(['old', 'old']);
    expect(controller.get(Post, { id: '5' })).toBeUndefined();
  });
});
