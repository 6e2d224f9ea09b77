import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Controller } from '../../src/index.ts';
import { blogAt, Todo } from './blog.ts';
import { type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
let controller: Controller;
let todos: ReturnType<typeof blogAt>['todos'];
beforeEach(async () => {
  server = await startRestServer();
  controller = new Controller();
  todos = blogAt(server.url, true).todos;
  await controller.fetch(todos.getList);
});
afterEach(async () => {
  controller.dispose();
  await server.close();
});

const shown = (): string[] => (controller.getResponse(todos.getList).data ?? []).map(({ title }) => title);

describe('an optimistic resource, while the server has not answered', () => {
  test('update and partialUpdate show the sent values, and then the answer of the server', async () => {
    const release = server.hold('PATCH');
    const changed = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Guess' });
    expect(shown()).toEqual(['Guess', 'Test', 'Rest']);
    const replaced = controller.fetch(todos.update, { id: 2 }, { title: 'Put', userId: 1, completed: false });
    expect(shown()).toEqual(['Guess', 'Put', 'Rest']);
    await replaced;
    expect(shown()).toEqual(['Guess', 'Put', 'Rest']);
    release();
    expect(await changed).toBe(controller.get(Todo, { id: 1 }));
    expect(shown()).toEqual(['Guess', 'Put', 'Rest']);
  });

  test('delete removes the record, which returns to its place when the server refuses', async () => {
    const before = controller.getResponse(todos.getList).data;
    server.refuse('DELETE', 500);
    const release = server.hold('DELETE');
    const deleted = controller.fetch(todos.delete, { id: 2 });
    expect(shown()).toEqual(['Write', 'Rest']);
    expect(controller.get(Todo, { id: 2 })).toBe(undefined);
    release();
    await expect(deleted).rejects.toMatchObject({ status: 500 });
    expect(shown()).toEqual(['Write', 'Test', 'Rest']);
    expect(controller.getResponse(todos.getList).data).toEqual(before);
  });

  test('push shows a record that has no id yet, and later has the id of the server', async () => {
    const received: (readonly Todo[])[] = [];
    const stop = controller.watch(todos.getList, (answer) => {
      if ('value' in answer) received.push(answer.value);
    });
    const release = server.hold('POST');
    const created = controller.fetch(todos.getList.push, { title: 'New', userId: 2, completed: false });
    expect(shown()).toEqual(['Write', 'Test', 'Rest', 'New']);
    const guessed = controller.getResponse(todos.getList).data?.at(-1);
    release();
    const todo = await created;
    expect(todo.id).toBe(4);
    expect(controller.getResponse(todos.getList).data?.at(-1)).toBe(todo);
    expect(guessed?.pk()).not.toBe('4');
    stop();
    expect(received.map((list) => list.length)).toEqual([3, 4, 4]);
    expect(controller.store.stats().rows).toBe(5);
  });

  test('after two creates at the same time, of which one fails, the list equals that of the server', async () => {
    const release = server.hold('POST');
    const first = controller.fetch(todos.getList.push, { title: 'A' });
    const second = controller.fetch(todos.getList.unshift, { title: 'B' });
    server.refuse('POST', 503);
    const third = controller.fetch(todos.getList.push, { title: 'C' });
    expect(shown()).toEqual(['B', 'Write', 'Test', 'Rest', 'A', 'C']);
    const settled = Promise.allSettled([first, second, third]);
    release();
    const failed = (await settled).filter(({ status }) => status === 'rejected');
    expect(failed).toHaveLength(1);
    const ours = shown().toSorted();
    await controller.fetch(todos.getList);
    expect(shown().toSorted()).toEqual(ours);
    expect(ours).toHaveLength(5);
  });

  test('move shows the record in its new list at once, and in its old list again when the server refuses', async () => {
    await controller.fetch(todos.getList, { userId: 1 });
    await controller.fetch(todos.getList, { userId: 2 });
    const titlesOf = (userId: number): string[] =>
      (controller.getResponse(todos.getList, { userId }).data ?? []).map(({ title }) => title);
    server.refuse('PATCH', 500);
    const release = server.hold('PATCH');
    const moved = controller.fetch(todos.getList.move, { id: 1 }, { userId: 2 });
    expect([titlesOf(1), titlesOf(2)]).toEqual([['Test'], ['Rest', 'Write']]);
    release();
    await expect(moved).rejects.toMatchObject({ status: 500 });
    expect([titlesOf(1), titlesOf(2)]).toEqual([['Write', 'Test'], ['Rest']]);
    expect(controller.get(Todo, { id: 1 })?.userId).toBe(1);
  });

  test('after changes that are answered in another order than they were sent, the values are those of the server', async () => {
    const release = server.hold('PATCH');
    const first = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'First' });
    const list = controller.fetch(todos.getList);
    await list;
    expect(shown()[0]).toBe('First');
    const second = controller.fetch(todos.update, { id: 1 }, { title: 'Second', completed: true });
    await second;
    release();
    await first;
    // For fields that both mutations set, the later one wins until the next fetch.
    expect(shown()[0]).toBe('Second');
    const fresh = await controller.fetch(todos.get, { id: 1 });
    expect([fresh.title, fresh.completed]).toEqual(['First', true]);
    expect(shown()[0]).toBe('First');
  });

  test('a read that was sent before a change was answered does not undo the change', async () => {
    const release = server.hold('GET');
    const early = controller.fetch(todos.getList, { userId: 1 });
    await controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'Changed' });
    release();
    await early;
    expect(controller.get(Todo, { id: 1 })?.title).toBe('Changed');
    expect(shown()[0]).toBe('Changed');
  });

  test('the guess of a change whose answer cannot be stored is removed', async () => {
    const nameless = todos.partialUpdate.extend({ process: () => ({ todo: { id: 1, title: 'Elsewhere' } }) });
    const changed = controller.fetch(nameless, { id: 1 }, { title: 'Guess' });
    expect(shown()[0]).toBe('Guess');
    await expect(changed).rejects.toMatchObject({ name: 'DataError', entity: 'Todo' });
    expect(shown()).toEqual(['Write', 'Test', 'Rest']);
    expect((await controller.fetch(todos.get, { id: 1 })).title).toBe('Guess');
  });
});
