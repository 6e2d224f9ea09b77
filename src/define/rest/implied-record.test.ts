import { describe, expect, test } from 'vitest';
import { Controller } from '../../control/controller/controller.ts';
import { platform as realPlatform } from '../../std/platform.ts';
import { Entity } from '../schema/entity.ts';
import { Invalidate } from '../schema/invalidate.ts';
import { schema } from '../schema/namespace.ts';
import { Union } from '../schema/union.ts';
import { resource } from './resource.ts';
import { RestEndpoint } from './rest-endpoint.ts';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}
class Note extends Entity {
  id = 0;
  kind = '';
  text = '';
  static override key = 'Note';
}

/** A platform whose fetch answers with one value after the other. */
function answering(...answers: readonly unknown[]) {
  const rest = [...answers];
  const fetch = async (): Promise<Response> => {
    const answer = rest.shift();
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
  };
  return { urlPrefix: 'https://api.example', platform: { ...realPlatform, fetch } };
}

interface Kinded {
  readonly kind: string;
}

describe('an answer without a body', () => {
  test('to a deletion deletes the record that the address names', async () => {
    const todo = new RestEndpoint({ ...answering({ id: 1, title: 'a' }), path: '/todos/:id', schema: Todo });
    const controller = new Controller();
    await controller.fetch(todo, { id: 1 });
    const gone = new RestEndpoint({
      ...answering(),
      method: 'DELETE',
      path: '/todos/:id',
      schema: new Invalidate(Todo),
    });
    await controller.fetch(gone, { id: 1 });
    expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  });

  test('to a deletion of several records has those that were sent', async () => {
    const gone = new RestEndpoint({
      ...answering(),
      method: 'DELETE',
      path: '/todos',
      schema: [new Invalidate(Todo)],
      body: [] as readonly number[],
    });
    const controller = new Controller();
    for (const id of [1, 2, 3]) void controller.set(Todo, { id }, { id, title: 'a' });
    await controller.fetch(gone, [1, 3]);
    expect([1, 2, 3].map((id) => controller.get(Todo, { id })?.id)).toEqual([undefined, 2, undefined]);
  });

  test('to a change of several records has the parameters of the address in each of them', () => {
    const todos = new RestEndpoint({
      ...answering(),
      method: 'PUT',
      path: '/lists/:list/todos',
      schema: [Todo],
      body: [] as readonly object[],
    });
    expect(todos.impliedResponse?.({ list: 5 }, [{ id: 1 }, { id: 2 }])).toEqual([
      { list: 5, id: 1 },
      { list: 5, id: 2 },
    ]);
  });

  test('to a change without a body has the parameters of the address in the envelope of the record', () => {
    const done = new RestEndpoint({
      ...answering(),
      method: 'PUT',
      path: '/todos/:id/done',
      schema: { todo: Todo },
      body: undefined,
    });
    expect(done.impliedResponse?.({ id: 1 })).toEqual({ todo: { id: 1 } });
  });

  test('has the fields that JSON sends, if the wire has no function for optimistic updates', () => {
    const wire = { read: (value: unknown) => value };
    const put = new RestEndpoint({ ...answering(), method: 'PUT', path: '/todos/:id', schema: Todo, wire });
    expect(put.impliedResponse?.({ id: 1 }, { title: 'b', done: undefined })).toEqual({ id: 1, title: 'b' });
  });

  test('is passed to process, which returns the data', async () => {
    const put = new RestEndpoint({
      ...answering(),
      method: 'PUT',
      path: '/todos/:id',
      schema: Todo,
      process: () => ({ id: 1, title: 'made' }),
    });
    expect(await put({ id: 1 }, { title: 'b' })).toEqual({ id: 1, title: 'made' });
  });

  test('may be a word, whatever the wire', async () => {
    const wire = {
      read(): never {
        throw new TypeError('no envelope');
      },
    };
    const change = { ...answering('OK', { other: 1 }), method: 'PUT' as const, path: '/todos/:id' as const };
    const put = new RestEndpoint({ ...change, schema: Todo, wire });
    expect(await put({ id: 1 }, { title: 'b' })).toBe('OK');
    const read = new RestEndpoint({ ...answering('OK'), path: '/todos/:id', schema: schema.Object, wire });
    await expect(read({ id: 1 })).rejects.toThrow('no envelope');
  });
});

describe('the guess of a partial update', () => {
  test('is in the same envelope as the record', async () => {
    const todos = resource({
      ...answering({ todo: { id: 1, title: 'a' } }),
      path: '/todos/:id',
      schema: Todo,
      optimistic: true,
    });
    const form = { todo: Todo };
    const controller = new Controller();
    await controller.fetch(todos.get.extend({ schema: form }), { id: 1 });
    const changed = controller.fetch(todos.partialUpdate.extend({ schema: form }), { id: 1 }, { title: 'b' });
    expect(controller.get(Todo, { id: 1 })?.title).toBe('b');
    await changed;
    expect(controller.get(Todo, { id: 1 })?.title).toBe('b');
  });

  test('of an object with several records contains only the arguments and the body', async () => {
    const form = { first: Todo, second: Todo };
    const todos = resource({ ...answering(), path: '/todos/:id', schema: Todo, optimistic: true });
    const both = todos.partialUpdate.extend({ schema: form });
    const snap = { get: () => ({ first: Todo.fromJS({ id: 1 }), second: Todo.fromJS({ id: 2 }) }) };
    expect(both.getOptimisticResponse?.(snap as never, { id: 1 }, { title: 'b' })).toEqual({ id: 1, title: 'b' });
  });

  test.each([
    ['reads', ({ kind }: Kinded) => kind],
    ['looks for', (value: Kinded) => ('kind' in value ? 'note' : undefined)],
    ['asks about', (value: Kinded) => (Object.hasOwn(value, 'kind') ? 'note' : undefined)],
  ])('has the fields that the function for the kind of a record %s, and no others', (_how, tell) => {
    const kinds = new Union({ note: Note }, tell as never);
    const notes = resource({ ...answering(), path: '/notes/:id', schema: kinds, optimistic: true });
    const snap = { get: () => Note.fromJS({ id: 1, kind: 'note', text: 'a', tags: ['x'] } as never) };
    expect(notes.partialUpdate.getOptimisticResponse?.(snap as never, { id: 1 }, { text: 'b' })).toEqual({
      id: 1,
      kind: 'note',
      text: 'b',
    });
  });

  test('of a record whose class a function decides runs no converter twice', async () => {
    class Price extends Entity {
      id = 0;
      name = '';
      amount = 0;
      static override key = 'Price';
      static override schema = { amount: (cents: number) => cents / 100 };
    }
    const kinds = new Union({ price: Price }, (value: object) => ('id' in value ? 'price' : 'price'));
    const prices = resource({ ...answering(), path: '/prices/:id', schema: kinds, optimistic: true });
    const controller = new Controller();
    void controller.set(Price, { id: 1 }, { id: 1, name: 'a', amount: 1250 });
    controller.fetch(prices.partialUpdate, { id: 1 }, { name: 'b' }).catch(() => {});
    expect(controller.get(Price, { id: 1 })).toMatchObject({ name: 'b', amount: 12.5 });
  });
});

test('an empty item among created records needs no pk', async () => {
  const todos = resource({
    ...answering([{ id: 1, title: 'a' }, {}]),
    path: '/todos/:id',
    schema: Todo,
    body: [] as object[],
  });
  expect(await todos.getList.push([{ title: 'a' }, {}])).toEqual([{ id: 1, title: 'a' }, {}]);
});
