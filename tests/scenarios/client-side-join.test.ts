import { describe, expect, test } from 'vitest';
import { Entity, Store } from '../../src/index.ts';
import { respond } from './respond.ts';
import { Todo, User } from '../seed/todos.ts';

const getTodos = () => [
  { id: 1, userId: 1, title: 'delectus aut autem', completed: false },
  { id: 2, userId: 1, title: 'quis ut nam', completed: true },
  { id: 3, userId: 2, title: 'fugiat veniam', completed: false },
];
const getUsers = () => [
  { id: 1, name: 'Leanne Graham' },
  { id: 2, name: 'Ervin Howell' },
];

describe('Client-side join (Todo and User)', () => {
  test('a todo is joined with its user by the reference key, although the API nests nothing', () => {
    const store = new Store();
    const todos = [Todo];
    const stored = store.write(todos, getTodos());
    const users = respond<User[]>(store, [User], getUsers());

    const [first, second, third] = store.read(todos, stored) as Todo[];

    expect(first?.user).toBe(users[0]);
    expect(second?.user).toBe(users[0]);
    expect(third?.user).toBe(users[1]);
    expect(first?.userId).toBe(1);
  });

  test('a todo has no user until the user has been fetched', () => {
    const store = new Store();
    const todo = respond<Todo>(store, Todo, getTodos()[0], [{ id: 1 }]);
    expect(todo.title).toBe('delectus aut autem');
    expect(todo.user).toBeUndefined();

    store.write(User, getUsers()[0]);

    const joined = store.get(Todo, { id: 1 }) as Todo;
    expect(joined).not.toBe(todo);
    expect(joined.user?.name).toBe('Leanne Graham');
  });

  test('the observer of a todo is notified of changes of its user', () => {
    const store = new Store();
    store.write([Todo], getTodos());
    const watched = store.query(Todo, [{ id: 3 }]);
    watched.current();
    let calls = 0;
    const stop = watched.subscribe(() => calls++);

    store.write(User, { id: 2, name: 'Ervin Howell' });
    expect(calls).toBe(1);
    expect((watched.current() as Todo).user?.name).toBe('Ervin Howell');

    store.write(User, { id: 1, name: 'Leanne Graham' });
    expect(calls).toBe(1);
    stop();
  });

  test('a todo with another user id has the other user', () => {
    const store = new Store();
    store.write([User], getUsers());
    store.write([Todo], getTodos());
    expect((store.get(Todo, { id: 1 }) as Todo).user?.id).toBe(1);

    store.write(Todo, { ...getTodos()[0], userId: 2 });

    expect((store.get(Todo, { id: 1 }) as Todo).user).toBe(store.get(User, { id: 2 }));
  });

  test('a deleted user is undefined in the todo, because the field is optional', () => {
    const store = new Store();
    store.write([User], getUsers());
    store.write([Todo], getTodos());

    store.invalidate(User, '1');

    expect((store.get(Todo, { id: 1 }) as Todo).user).toBeUndefined();
  });

  test('a response without the reference key leaves the user of a todo as it is', () => {
    const store = new Store();
    const [user] = respond<User[]>(store, [User], getUsers());
    store.write(Todo, getTodos()[0]);

    store.write(Todo, { id: 1, completed: true });

    const todo = store.get(Todo, { id: 1 }) as Todo;
    expect(todo.completed).toBe(true);
    expect(todo.user).toBe(user);
  });

  test('a field that process() leaves out because of what has arrived is removed', () => {
    class Check extends Entity {
      id = '';
      error?: string;
      static override key = 'Check';
      static override process = (value: object) => ({
        ...value,
        error: 'ok' in value && value.ok === true ? undefined : 'failed',
      });
    }
    const store = new Store();
    store.write(Check, { id: '1', ok: false });
    expect(store.get(Check, '1')?.error).toBe('failed');
    store.write(Check, { id: '1', ok: true });
    expect(store.get(Check, '1')?.error).toBeUndefined();
  });

  test('a response without a field stays readable if process() expects a nested record where the row has its key', () => {
    class Label extends Entity {
      id = '';
      owner?: User;
      ownerName?: string;
      static override key = 'Label';
      static override schema = { owner: User };
      static override process = (value: { owner?: { name: string } | undefined }) => ({
        ...value,
        ownerName: value.owner?.name.toUpperCase(),
      });
    }
    const store = new Store();
    store.write(Label, { id: '1', owner: { id: 1, name: 'Leanne' } });
    store.write(Label, { id: '1' });
    expect(store.get(Label, '1')).toMatchObject({ ownerName: 'LEANNE' });
  });
});
