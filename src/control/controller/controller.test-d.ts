/* oxlint-disable vitest/expect-expect -- the compiler checks the expectations */
import { expectTypeOf, test } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { LogoutManager } from '../manager/logout-manager.ts';
import type { Subscribed, Subscription } from '../manager/polling-subscription.ts';
import { resource } from '../../define/rest/resource.ts';
import { SubscriptionManager } from '../manager/subscription-manager.ts';
import { Controller } from './controller.ts';
import type { Manager } from './manager.ts';
import type { List } from '../../define/schema/infer-schema.ts';
const getTodo = new Endpoint(async ({ id }: { id: string }) => ({ id, raw: true }), { schema: Todo });
const controller = new Controller();

test('fetch takes the arguments of the endpoint and resolves to the value of its schema', () => {
  expectTypeOf(controller.fetch(getTodo, { id: '' })).toEqualTypeOf<Promise<Todo>>();
  // @ts-expect-error an id is text
  void controller.fetch(getTodo, { id: 5 });
  // @ts-expect-error it is not left out
  void controller.fetch(getTodo);
});

test('the type of a read includes undefined', () => {
  expectTypeOf(controller.getResponse(getTodo, { id: '' }).data).toEqualTypeOf<Todo | undefined>();
  expectTypeOf(controller.getResponse(getTodo, null).data).toEqualTypeOf<Todo | undefined>();
  expectTypeOf(controller.get(Todo, { id: '' })).toEqualTypeOf<Todo | undefined>();
});

test('the listener of watch() gets the type of the endpoint or class that it watches', () => {
  controller.watch(getTodo, { id: '' }, (answer) => {
    if (answer.status === 'fresh') expectTypeOf(answer.value).toEqualTypeOf<Todo>();
  });
  controller.watch(Todo, { id: '' }, (answer) => {
    if (answer.status === 'fresh') expectTypeOf(answer.value).toEqualTypeOf<Todo>();
  });
});

const getTodos = new Endpoint(async (_params?: { page: number }) => [{ id: '' }], { schema: [Todo] });
test('an optional argument can be left out before a listener, a response and a state', () => {
  controller.watch(getTodos, (answer) => {
    if (answer.status === 'fresh') expectTypeOf(answer.value).toEqualTypeOf<List<Todo>>();
  });
  controller.watch(getTodos, { page: 1 }, (answer) => {
    if (answer.status === 'fresh') expectTypeOf(answer.value).toEqualTypeOf<List<Todo>>();
  });
  void controller.setResponse(getTodos, [{ id: '1' }]);
  void controller.setResponse(getTodos, { page: 1 }, [{ id: '1' }]);
  void controller.setError(getTodos, new Error('no'));
  const state = controller.getState();
  expectTypeOf(controller.getResponse(getTodos, state).data).toEqualTypeOf<List<Todo> | undefined>();
  expectTypeOf(controller.getResponse(getTodos, { page: 1 }, state).data).toEqualTypeOf<List<Todo> | undefined>();
  expectTypeOf(controller.get(Todo, { id: '' }, state)).toEqualTypeOf<Todo | undefined>();
  // @ts-expect-error an argument that has to be given has to be given here too
  controller.watch(getTodo, () => {});
  // @ts-expect-error a page has a number
  void controller.setResponse(getTodos, { page: 'one' }, []);
});

test('fetch resolves to a list if the body of a create is a list', () => {
  const { getList, create, partialUpdate } = resource({ path: '/lists/:list/todos/:id', schema: Todo });
  expectTypeOf(controller.fetch(create, { list: 1 }, [{ title: 'a' }])).toEqualTypeOf<Promise<List<Todo>>>();
  expectTypeOf(controller.fetch(getList.unshift, { list: 1 }, [])).toEqualTypeOf<Promise<List<Todo>>>();
  expectTypeOf(controller.fetch(getList.push, { list: 1 }, { title: 'a' })).toEqualTypeOf<Promise<Todo>>();
  expectTypeOf(controller.request(getList.push, { list: 1 }, [{ title: 'a' }])).toEqualTypeOf<Promise<List<Todo>>>();
  // @ts-expect-error -- the field is called title
  void controller.fetch(create, { list: 1 }, [{ titel: 'a' }]);
  // @ts-expect-error -- one record is changed
  void controller.fetch(partialUpdate, { list: 1, id: 1 }, [{ title: 'a' }]);
  const todos = resource({ path: '/todos/:id', schema: Todo, searchParams: undefined });
  expectTypeOf(controller.fetch(todos.create, [{ title: 'a' }])).toEqualTypeOf<Promise<List<Todo>>>();
  expectTypeOf(controller.fetch(todos.create, { title: 'a' })).toEqualTypeOf<Promise<Todo>>();
});

test('set takes a record that was read, and its fields', () => {
  const todo = Todo.fromJS({ id: '1' });
  void controller.set(todo, { title: 'x', owner: '7' });
  void controller.set(todo, ({ done }) => ({ done: !done }));
  void controller.set(Todo, { id: '1' }, { id: '1' });
  void controller.set(Todo, { id: '1' }, (present) => {
    expectTypeOf(present).toEqualTypeOf<Todo>();
    return { id: '1', done: !present.done };
  });
  // @ts-expect-error a title is text
  void controller.set(todo, { title: 1 });
  // @ts-expect-error unknown
  void controller.set(todo, { titel: 'x' });
  // @ts-expect-error a method
  void controller.set(todo, { pk: () => '2' });
  // @ts-expect-error a class has no fields to set
  void controller.set(Todo, { title: 'x' });
});

test('custom subscriptions and logout handlers have typed controllers and errors', () => {
  class Pushed implements Subscription {
    readonly controller: Controller;
    constructor(_subscribed: Subscribed, given: Controller) {
      this.controller = given;
    }
    add(): void {}
    remove(): boolean {
      return true;
    }
    cleanup(): void {}
  }
  const logout = new LogoutManager({
    shouldLogout: (error) => error.status === 403,
    handleLogout: (given: Controller) => given.resetEntireStore(),
  });
  expectTypeOf([logout, new SubscriptionManager(Pushed)]).toExtend<Manager[]>();
});
