import { expect, it } from 'vitest';
import { ArraySchema } from '../../define/schema/array.ts';
import { All, Collection, Entity, Lazy, Query, Store, Union, Values } from '../../index.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import { isNormalized } from './normalized.ts';

class Todo extends Entity {
  id = '';
  type = 'todo';
  static override key = 'Todo';
}
const kinds = { todo: Todo };
const ref = { id: '1', schema: 'todo' };
const record = { id: '1', type: 'todo' };

it.each([
  ['a pk', Todo, '1', true],
  ['a record', Todo, record, false],
  ['a list of pks', [Todo], ['1', '2'], true],
  ['a list with a record', [Todo], ['1', record], false],
  ['a list of refs of several kinds', new ArraySchema(kinds, 'type'), [ref, null], true],
  ['a list with a record of several kinds', new ArraySchema(kinds, 'type'), [ref, record], false],
  ['a ref of one of several kinds', new Union(kinds, 'type'), ref, true],
  ['a record of one of several kinds', new Union(kinds, 'type'), record, false],
  ['a map of refs of several kinds', new Values(kinds, 'type'), { a: ref }, true],
  ['a map with a record of several kinds', new Values(kinds, 'type'), { a: ref, b: record }, false],
  ['an object with pks and plain data', { todo: Todo, note: undefined }, { todo: '1', note: { text: 'a' } }, true],
  ['an object with a record', { todo: Todo }, { todo: record }, false],
  ['a map, whose members are not known from outside', new Values(Todo), { a: '1' }, true],
  ['a pk of a relation that is not read with its record', new Lazy(Todo), '1', true],
  ['a record of a relation that is not read with its record', new Lazy(Todo), record, false],
  ['a list with a record that a query reads', new Query([Todo], (todos) => todos), ['1', record], false],
  ['a list of pks of every record', new All(Todo), ['1', '2'], true],
  ['a list with a record among every record', new All(Todo), ['1', record], false],
  ['a list of every record of several kinds', new All(new Union(kinds, 'type')), [ref], true],
  ['plain data in place of every record', new All(Todo), { text: 'a' }, false],
])('isNormalized returns whether a field contains the refs of stored records: %s', (_, schema, stored, isExpected) => {
  const { planOf } = new CellFinder(false).space;
  expect(isNormalized(planOf(schema), stored, planOf)).toBe(isExpected);
});

it('stored members of several classes stay when another class declares the field', () => {
  class Summary extends Entity {
    id = '';
    todos: unknown[] = [];
    static override key = 'Board';
    static override schema: Record<string, ArraySchema> = {};
  }
  class Board extends Summary {
    static override key = 'Board';
    static override schema = { todos: new ArraySchema(kinds, (() => 'todo') as never) };
  }
  const store = new Store();
  store.write(Summary, { id: 'b', todos: [ref] });
  store.write(Todo, record);
  expect(store.get(Board, 'b')?.todos).toEqual([store.get(Todo, '1')]);
});

it.each([
  ['one', new Union(kinds, 'type'), record, (read: unknown) => read],
  ['a list', [new Union(kinds, 'type')], [record], (read: unknown) => (read as unknown[])[0]],
  ['a map', new Values(kinds, 'type'), { a: record }, (read: unknown) => (read as { a: unknown }).a],
  ['all', new All(Todo), [record], (read: unknown) => (read as unknown[])[0]],
  ['a query', new Query(new Collection([Todo]), (todos) => todos), [record], (read: unknown) => (read as unknown[])[0]],
])('records of several kinds that no class knew of are records once a class does: %s', (_, schema, given, inside) => {
  class Summary extends Entity {
    id = '';
    static override key = 'Board';
  }
  class Board extends Entity {
    id = '';
    todos: unknown = undefined;
    static override key = 'Board';
    static override schema = { todos: schema };
  }
  const store = new Store();
  store.write(Summary, { id: 'b', todos: given });
  expect(inside(store.get(Board, 'b')?.todos)).toBe(store.get(Todo, '1'));
  expect(store.get(Todo, '1')).toBeInstanceOf(Todo);
});

it('a record that no class knew of is read by the query of a Lazy relation once a class declares it', () => {
  class Summary extends Entity {
    id = '';
    static override key = 'Board';
  }
  class Board extends Entity {
    id = '';
    todo: unknown = undefined;
    static override key = 'Board';
    static override schema = { todo: new Lazy(Todo) };
  }
  const store = new Store();
  store.write(Summary, { id: 'b', todo: record });
  expect(store.get(Board, 'b')?.todo).toBe('1');
  expect(store.get(Board.schema.todo.query, '1')).toBeInstanceOf(Todo);
});
