import { describe, expect, it } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { All, Collection, Controller, Endpoint, Union } from '../../index.ts';

const todos = new Collection([Todo]);
const getTodos = new Endpoint(async () => [], { name: 'getTodos', schema: todos });

/** A controller with the list of todo 1, and mutations that fail when `fail` is called. */
async function listed() {
  const controller = new Controller();
  await controller.setResponse(getTodos, [{ id: '1', title: 'a' }]);
  let fail = (): void => {};
  const mutation = (name: string, schema: unknown) =>
    new Endpoint(
      (_body: object) =>
        new Promise((_, reject) => {
          fail = () => reject(new Error('no'));
        }),
      { name, schema, sideEffect: true, getOptimisticResponse: (_snapshot, body: object) => body },
    );
  const send = (endpoint: ReturnType<typeof mutation>, body: object) => {
    const done = controller.fetch(endpoint, body).catch(() => {});
    return async (): Promise<void> => {
      fail();
      await done;
    };
  };
  const [update, create] = [mutation('update', Todo), mutation('create', todos.push)];
  return { controller, update, create, send };
}

describe('a function given to set() beside an optimistic update', () => {
  it('gets the confirmed record, so that a failed update is rolled back', async () => {
    const { controller, update, send } = await listed();
    const fail = send(update, { id: '1', title: 'guess' });
    await controller.set(Todo, { id: '1' }, (todo) => Object.assign({}, todo, { done: true }));
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'guess', done: true });
    await fail();
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'a', done: true });
  });

  it('counts on the confirmed number, and the update on top of it', async () => {
    const { controller, update, send } = await listed();
    const longer = update.extend({
      getOptimisticResponse: (snapshot) => ({ id: '1', title: `${snapshot.get(Todo, { id: '1' })?.title}+` }),
    });
    const fail = send(longer, {});
    await controller.set(Todo, { id: '1' }, ({ title }) => ({ id: '1', title: `${title}!` }));
    expect(controller.get(Todo, { id: '1' })?.title).toBe('a!+');
    await fail();
    expect(controller.get(Todo, { id: '1' })?.title).toBe('a!');
  });

  it('gets the confirmed list, so that a failed create leaves it', async () => {
    const { controller, create, send } = await listed();
    const fail = send(create, { title: 'new' });
    await controller.set(todos, (list) => [...list, { id: '2', title: 'b' }]);
    expect(controller.get(todos)?.map(({ title }) => title)).toEqual(['a', 'b', 'new']);
    await fail();
    expect(controller.get(new All(Todo))?.map(({ title }) => title)).toEqual(['a', 'b']);
  });

  it('gets the record that is being created', async () => {
    const { controller, create, send } = await listed();
    send(create, { title: 'new' });
    const { id = '' } = controller.get(todos)?.[1] ?? {};
    await controller.set(Todo, { id }, (todo) => Object.assign({}, todo, { title: 'newer' }));
    expect(controller.get(Todo, { id })).toBeDefined();
  });

  it('is not called for a record that is missing or deleted', async () => {
    const { controller, update, send } = await listed();
    send(update, { id: '1', title: 'guess' });
    controller.store.invalidate(Todo, '2');
    const never = (): never => {
      throw new Error('It was called.');
    };
    await controller.set(Todo, { id: '2' }, never);
    await controller.set(Todo, { id: '3' }, never);
    expect(controller.get(new All(Todo))?.length).toBe(1);
  });

  it('gets the record of a union', async () => {
    const { controller, update, send } = await listed();
    send(update, { id: '1', title: 'guess' });
    const anything = new Union({ todo: Todo }, () => 'todo');
    await controller.set(anything, { id: '1' }, (todo: Todo) => Object.assign({}, todo, { done: true }));
    expect(controller.get(Todo, { id: '1' })?.done).toBe(true);
  });
});
