import { describe, expectTypeOf, test } from 'vitest';
import { All } from './all.ts';
import type { Collection } from './collection.ts';
import { Entity } from './entity.ts';
import type { Denormalize, List } from './infer-schema.ts';
import { Query } from './query.ts';
import { Values } from './values.ts';

class Todo extends Entity {
  id = '';
  title = '';
  priority = 0;
}
class Note extends Entity {
  id = '';
  text = '';
}
declare const todos: Denormalize<Collection<[typeof Todo]>>;
declare const page: Denormalize<{ results: [typeof Todo]; next: string }>;
const byName = new Values(Todo);
declare const named: Denormalize<typeof byName>;

describe('a list that was read', () => {
  test('is assignable to an array, and an array to it', () => {
    const show = (list: Todo[]): number => list.length;
    const look = (list: readonly Todo[]): number => list.length;
    show(todos);
    look(todos);
    const props: { todos: Todo[] } = { todos };
    expectTypeOf(props.todos).toEqualTypeOf<Todo[]>();
    let shown = todos;
    shown = shown.filter(({ title }) => title !== '');
    shown = [];
    const either: Todo[] = shown.length > 0 ? todos : [];
    show(either);
    const mutable: { results: Todo[]; next: string } = page;
    const map: Record<string, Todo> = named;
    return [mutable, map];
  });

  test('has every method that returns another value', () => {
    expectTypeOf(todos.map(({ title }) => title)).toEqualTypeOf<string[]>();
    expectTypeOf(todos.filter(Boolean)).toEqualTypeOf<Todo[]>();
    expectTypeOf([...todos].sort((one, other) => one.priority - other.priority)).toEqualTypeOf<Todo[]>();
    expectTypeOf(todos.slice().reverse()).toEqualTypeOf<Todo[]>();
    expectTypeOf(todos.concat(todos)).toEqualTypeOf<Todo[]>();
    expectTypeOf(todos.find(({ id }) => id === '1')).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(todos.reduce((sum, { title }) => sum + title.length, 0)).toBeNumber();
    expectTypeOf(todos[0]).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(todos.at(-1)).toEqualTypeOf<Todo | undefined>();
    const [first, ...others] = todos;
    expectTypeOf(first).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(others).toEqualTypeOf<Todo[]>();
    for (const todo of todos) expectTypeOf(todo).toEqualTypeOf<Todo>();
    expectTypeOf<typeof todos extends readonly (infer Item)[] ? Item : never>().toEqualTypeOf<Todo>();
  });

  test('of one class or another can be iterated', () => {
    const either = todos as List<Todo> | List<Note>;
    expectTypeOf(either.map(({ id }) => id)).toEqualTypeOf<string[]>();
    expectTypeOf(either.some(({ id }) => id === '')).toBeBoolean();
  });

  test('does not compile with changes in place', () => {
    expectTypeOf(todos).toExtend<Todo[]>();
    // @ts-expect-error -- a copy is
    todos.sort();
    // @ts-expect-error -- a copy is
    todos.reverse();
    // @ts-expect-error -- a record is added by a create
    todos.push(new (class extends Todo {})());
    // @ts-expect-error -- nor taken out
    todos.pop();
    // @ts-expect-error -- at either end
    todos.shift();
    // @ts-expect-error -- nor put there
    todos.unshift();
    // @ts-expect-error -- nor in the middle
    todos.splice(0, 1);
    // @ts-expect-error -- nor copied over others
    todos.copyWithin(0, 1);
    // @ts-expect-error -- nor filled
    todos.fill(todos[0] as Todo);
    // @ts-expect-error -- nor replaced
    todos[0] = todos[1] as Todo;
    // @ts-expect-error -- nor emptied
    todos.length = 0;
  });
});

test('an object or a map that was read does not compile with changes in place', () => {
  expectTypeOf(page).toExtend<{ results: Todo[]; next: string }>();
  // @ts-expect-error -- a member of it is not replaced
  page.results = [];
  // @ts-expect-error -- whatever it is
  page.next = '';
  // @ts-expect-error -- nor its list changed
  page.results.sort();
  // @ts-expect-error -- nor an entry set
  named['a'] = new (class extends Todo {})();
});

test('a list that a query makes does not compile with changes in place, and a tuple stays one', () => {
  const titles = new Query(new All(Todo), (all) => all.map(({ title }) => title));
  expectTypeOf<Denormalize<typeof titles>>().toEqualTypeOf<List<string>>();
  const ends = new Query(new All(Todo), (all): [Todo | undefined, number] => [all[0], all.length]);
  expectTypeOf<Denormalize<typeof ends>>().toEqualTypeOf<[Todo | undefined, number]>();
  const count = new Query(new All(Todo), (all) => all.length);
  expectTypeOf<Denormalize<typeof count>>().toBeNumber();
  const loose = new Query(new All(Todo), (all): any => all);
  expectTypeOf<Denormalize<typeof loose>>().toBeAny();
});
