import { describe, expect, it } from 'vitest';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Invalidate } from '../../define/schema/invalidate.ts';
import { ObjectSchema } from '../../define/schema/object.ts';
import { Query } from '../../define/schema/query.ts';
import { Union } from '../../define/schema/union.ts';
import { ExpiryStatus } from '../view/expiry-status.ts';
import { Controller } from './controller.ts';

class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}
const getTodo = new Endpoint(async ({ id }: { id: string }) => ({ id, title: 'b' }), { name: 'getTodo', schema: Todo });
const one = { id: '1' };

describe('a state as the last argument', () => {
  it('is read instead of the present state', async () => {
    const controller = new Controller();
    const empty = controller.getState();
    await controller.setResponse(getTodo, one, { id: '1', title: 'a' });
    const before = controller.snapshot();
    await controller.setResponse(getTodo, one, { id: '1', title: 'b' });
    expect(controller.get(Todo, one, empty)).toBeUndefined();
    expect(controller.get(Todo, one, before)?.title).toBe('a');
    expect(controller.get(Todo, one)?.title).toBe('b');
    expect(controller.getQueryMeta(Todo, one, before).data?.title).toBe('a');
    expect(controller.getQueryMeta(Todo, one).data?.title).toBe('b');
    expect(before.getQueryMeta(Todo, one).data).toBe(controller.get(Todo, one, before));
    expect(controller.getResponse(getTodo, one, before).data?.title).toBe('a');
    expect(controller.getResponseMeta(getTodo, one, before)).toMatchObject({ expiryStatus: ExpiryStatus.Valid });
    expect(controller.getResponse(getTodo, one).data?.title).toBe('b');
    expect(controller.getError(getTodo, one, before)).toBeUndefined();
    const error = new Error('no');
    await controller.setError(getTodo, one, error);
    const failed = controller.getState();
    expect([controller.getError(getTodo, one), controller.getError(getTodo, one, before)]).toEqual([error, undefined]);
    await controller.setResponse(getTodo, one, { id: '1', title: 'c' });
    expect(controller.getError(getTodo, one, failed)).toBe(error);
  });

  it('makes a snapshot with the given time of the request', async () => {
    const controller = new Controller({ now: () => 5 });
    const state = controller.getState();
    await controller.set(Todo, one, { id: '1' });
    expect(controller.snapshot().fetchedAt).toBe(5);
    const snapshot = controller.snapshot(state, 3);
    expect([snapshot.fetchedAt, snapshot.get(Todo, one)]).toEqual([3, undefined]);
  });

  it('may follow null in place of the arguments', () => {
    const controller = new Controller();
    const state = controller.getState();
    expect(controller.getResponse(getTodo, null, state)).toEqual(controller.getResponse(getTodo, null));
    expect(controller.getError(getTodo, null, state)).toBeUndefined();
  });
});

describe('the methods of a controller', () => {
  it('work without the controller in front of them', async () => {
    const { fetch, get, set, invalidate, getResponse, dispose } = new Controller();
    expect(await fetch(getTodo, one)).toMatchObject({ title: 'b' });
    await set(Todo, one, { id: '1', title: 'c' });
    expect(get(Todo, one)?.title).toBe('c');
    await invalidate(getTodo, one);
    expect(getResponse(getTodo, one).expiryStatus).toBe(ExpiryStatus.Invalid);
    dispose();
  });

  it('can be overridden in a subclass, which calls super', async () => {
    const keys: string[] = [];
    class Traced extends Controller {
      override async invalidateAll(only: { testKey(key: string): boolean }): Promise<void> {
        await super.invalidateAll({
          testKey: (key) => {
            keys.push(key);
            return only.testKey(key);
          },
        });
      }
    }
    const { fetch, invalidateAll } = new Traced();
    await fetch(getTodo, one);
    await invalidateAll(getTodo);
    expect(keys).toEqual([getTodo.key(one)]);
  });
});

describe('a clock that is set back', () => {
  it('makes answers and errors stale that were stored at a later time', async () => {
    let time = 10_000_000;
    const controller = new Controller({ now: () => time });
    await controller.setResponse(getTodo, one, { id: '1' });
    await controller.setError(getTodo, { id: '2' }, new Error('no'));
    expect(controller.getResponse(getTodo, { id: '2' }).expiresAt).toBe(time + 1000);
    time -= 7_200_000;
    expect(controller.getResponse(getTodo, one)).toMatchObject({ data: { id: '1' }, expiresAt: 1 });
    expect(controller.getResponse(getTodo, { id: '2' }).expiresAt).toBe(1);
    await controller.expireAll(getTodo);
    expect(controller.getResponse(getTodo, { id: '2' }).expiresAt).toBe(1);
    expect(await controller.fetchIfStale(getTodo, one)).toMatchObject({ title: 'b' });
  });
});

describe('a reset that fills the store again', () => {
  it('is one commit: no reader sees the store empty', async () => {
    const controller = new Controller();
    await controller.fetch(getTodo, one);
    const statuses: string[] = [];
    controller.watch(Todo, one, ({ status }) => void statuses.push(status));
    controller.watch(getTodo, one, ({ status }) => void statuses.push(status));
    await controller.dispatch({
      type: 'rejoin/reset',
      fill: () => void controller.store.write(Todo, { id: '1', title: 'z' }),
    });
    expect(controller.get(Todo, one)).toMatchObject({ title: 'z' });
    expect(statuses).not.toContain('missing');
  });
});

describe('an answer that was not fetched', () => {
  it('is inferred only where rows are found for every member', async () => {
    const controller = new Controller();
    const todos = new Collection([Todo]);
    const feed = new Endpoint(async () => ({ results: [{ id: '1' }], next: 'x', about: { first: { id: '1' } } }), {
      name: 'feed',
      schema: { results: todos, next: '', none: null, about: new ObjectSchema({ list: todos }) },
    });
    expect(controller.getResponse(feed)).toEqual({
      data: { results: undefined, next: '', none: null, about: { list: undefined } },
      expiryStatus: ExpiryStatus.InvalidIfStale,
      expiresAt: 1,
    });
    expect(controller.getResponse(feed, null).data).toBe(controller.getResponse(feed).data);
    expect(controller.getState().getResponse(feed).data).toBe(controller.getResponse(feed).data);
    await controller.set(todos, [{ id: '1' }]);
    expect(controller.getResponse(feed)).toMatchObject({
      data: { results: [{ id: '1' }], next: '', about: { list: [{ id: '1' }] } },
      expiryStatus: ExpiryStatus.Valid,
    });
  });

  it('is inferred for an endpoint with invalidIfStale as long as it is fresh', async () => {
    let time = 1000;
    const controller = new Controller({ now: () => time });
    const strict = getTodo.extend({ name: 'strict', invalidIfStale: true });
    await controller.setResponse(getTodo, one, { id: '1', title: 'a' });
    const view = controller.view(strict, one);
    expect(view.current()).toEqual({ status: 'fresh', value: controller.get(Todo, one) });
    expect(controller.getResponse(strict, one).expiryStatus).toBe(ExpiryStatus.InvalidIfStale);
    time += 60_001;
    expect(view.current()).toEqual({ status: 'missing' });
  });
});

describe('an answer to a read that is not data', () => {
  const answers = [null, undefined, '', 'text', 0, 5, true];
  it.each([
    ['a record', Todo, 'A record of Todo'],
    ['a union', new Union({ todo: Todo }, () => 'todo' as const), 'A record'],
    ['a query of a record', new Query(Todo, (todo: Todo) => todo), 'A record of Todo'],
  ])('is an error if the schema expects %s', async (_what, schema, expected) => {
    for (const answer of answers) {
      const controller = new Controller();
      const read = new Endpoint(async (): Promise<unknown> => answer, { name: 'read', schema });
      await expect(controller.fetch(read)).rejects.toMatchObject({
        code: 'input-invalid',
        status: 400,
        message: expect.stringContaining(`At the top: ${expected} was expected`),
      });
      expect(controller.getError(read)).toMatchObject({ status: 400 });
    }
  });

  it('is an error if it is null or undefined and the schema has records; without a schema it is returned', async () => {
    const controller = new Controller();
    for (const schema of [[Todo], { todos: [Todo] }, new Collection([Todo])])
      for (const answer of [null, undefined]) {
        const read = new Endpoint(async (): Promise<unknown> => answer, { name: 'read', schema });
        await expect(controller.fetch(read)).rejects.toMatchObject({ code: 'input-invalid', status: 400 });
      }
    for (const schema of [undefined, null, '', Date]) {
      const plain = new Endpoint(async (): Promise<unknown> => null, { name: 'plain', schema });
      expect(await controller.fetch(plain)).toBeNull();
    }
  });

  it('is the error `answer-empty` for a mutation', async () => {
    const controller = new Controller();
    const change = new Endpoint(async () => null, { name: 'change', schema: Todo, sideEffect: true });
    await expect(controller.fetch(change)).rejects.toMatchObject({ code: 'answer-empty' });
  });
});

it('a delete that is answered with only an id resolves to an instance of the record that its arguments name', async () => {
  const controller = new Controller();
  const remove = new Endpoint(async ({ id }: { id: string }) => id, {
    name: 'remove',
    schema: new Invalidate(Todo),
    sideEffect: true,
  });
  await controller.set(Todo, one, { id: '1', title: 'a' });
  const deleted: unknown = await controller.fetch(remove, one);
  expect(deleted).toBeInstanceOf(Todo);
  expect(deleted).toMatchObject(one);
  expect(controller.get(Todo, one)).toBeUndefined();
});
