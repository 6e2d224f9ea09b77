import { expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Store } from '../../state/store/store.ts';
import { All } from './all.ts';
import { Collection } from './collection.ts';
import { Entity } from './entity.ts';
import { Query } from './query.ts';
import { INVALID } from './row.ts';

class Todo extends Entity {
  id = '';
  name = '';
  done = false;
  static override key = 'Todo';
}

keepsTheSchemaLaws({
  schema: () => new Query([Todo], (todos) => todos.map((todo) => todo.name)),
  response: () => [
    { id: '1', name: 'a' },
    { id: '2', name: 'b' },
  ],
  part: { entity: Todo, pk: '1', record: { id: '1', name: 'a' } },
  withoutPart: ['b'],
  wrong: [[{}]],
});

it('a Query computes its value from the value of its schema and the arguments of the reader', () => {
  const store = new Store();
  store.write([Todo], [{ id: '1', done: true }, { id: '2' }]);
  const byState = new Query(new All(Todo), (todos, { done }: { done: boolean }) =>
    todos.filter((todo) => todo.done === done).map((todo) => todo.id),
  );
  expect(store.get(byState, { done: true })).toEqual(['1']);
  expect(store.get(byState, { done: false })).toEqual(['2']);
});

it('a Query runs again only when its parts have changed, over a list, a collection and a record', () => {
  const list = new Collection([Todo]);
  let runs = 0;
  const count = <Value>(value: Value): Value => {
    runs++;
    return value;
  };
  for (const [schema, ...args] of [
    [new Query(new All(Todo), count)],
    [new Query(list, count), {}],
    [new Query(Todo, count), '1'],
  ]) {
    const store = new Store();
    store.write(list, [{ id: '1' }, { id: '2' }], { args: [{}] });
    runs = 0;
    const read = (): unknown => store.get(schema as Query<typeof Todo>, ...(args as [string]));
    const before = read();
    store.write(class Other extends Entity {}, { id: '1' });
    expect(read()).toBe(before);
    expect(runs).toBe(1);
  }
});

it('a Query takes the arguments of its schema', () => {
  const store = new Store();
  const name = new Query(Todo, (todo) => todo.name);
  expect(store.get(name, '1')).toBeUndefined();
  store.write(Todo, { id: '1', name: 'a' });
  expect(store.get(name, '1')).toBe('a');
});

it('a Query can be the schema of a response', () => {
  const store = new Store();
  const names = new Query({ results: [Todo] }, ({ results }) => results.map((todo) => todo.name));
  const stored = store.write(names, { results: [{ id: '1', name: 'a' }] });
  expect(stored).toEqual({ results: ['1'] });
  expect(store.read(names, stored)).toEqual(['a']);
});

it('a Query passes an invalid value on without running', () => {
  const store = new Store();
  const fails = new Query(Todo, () => {
    throw new Error('ran');
  });
  store.write(Todo, { id: '1' });
  store.invalidate(Todo, '1');
  expect(store.query(fails, ['1']).current()).toBe(INVALID);
  expect(store.query(new Query(new All(class Never extends Entity {}), (all) => all.length)).current()).toBe(INVALID);
});

it('a Query runs with undefined for a record that is missing', () => {
  const isThere = new Query(Todo, (todo: Todo | undefined) => todo !== undefined);
  expect(new Store().read(isThere, '404')).toBe(false);
});
