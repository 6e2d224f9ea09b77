import { expect, it } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { All } from '../../define/schema/all.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import { ObjectSchema } from '../../define/schema/object.ts';
import { Query } from '../../define/schema/query.ts';
import type { DenormalizeDelegate } from '../../define/schema/delegate.ts';
import type { SchemaSimple } from '../../define/schema/schema.ts';
import { from } from '../query/live-query.ts';
import { Store } from './store.ts';

class Author extends Entity {
  id = '';
  name = '';
  age = 0;
  static override key = 'Author';
  static override indexes = ['name'] as const;
}

class Book extends Entity {
  id = '';
  title = '';
  author?: Author;
  static override key = 'Book';
  static override schema = { author: Author };
  static override createIfValid(row: { readonly title?: string }): never {
    return (row.title === '' ? undefined : this.fromJS(row)) as never;
  }
}

class Shelf extends Entity {
  id = '';
  readonly books: readonly Shelved[] = [];
  static override key = 'Shelf';
}

class Shelved extends Entity {
  id = '';
  shelfId = '';
  votes = 0;
  static override key = 'Shelved';
}
Shelf.schema = { books: from(Shelved).where({ shelfId: 'a' }).orderBy('votes', 'desc').limit(1) } as never;

const done = new Query(new All(Todo), (todos) => todos.filter((todo) => todo.done).length);

/** The number of todos that are done, as a schema of an application counts them. */
const counted: SchemaSimple = {
  normalize: (input, parent, key, delegate) => delegate.visit([Todo], input, parent, key),
  denormalize: (stored: unknown, delegate: DenormalizeDelegate) => {
    const todos = delegate.unvisit([Todo], stored) as readonly Todo[] | undefined;
    return todos?.filter((todo) => todo.done).length;
  },
  queryKey: () => ['1', '2'],
};

const rename = (store: Store): void => void store.write(Todo, { id: '1', title: 'another' });

it.each<readonly [what: string, queryable: unknown, args: readonly unknown[], write: (store: Store) => void]>([
  ['a query', done, [], rename],
  ['a query of a query', new Query(done, (count = 0) => count > 1), [], rename],
  [
    'a query that makes an object of the same members',
    new Query(new All(Todo), (all) => ({ n: all.length })),
    [],
    rename,
  ],
  ['a query of a collection', new Query(new Collection([Todo]), (list) => list.length), [], rename],
  ['an object with a query in it', new ObjectSchema({ done }), [], rename],
  ['a schema of an application', counted, [], rename],
  ['a live query', from(Todo).where({ done: true }), [], (store) => store.write(Todo, { id: '2', title: 'another' })],
  ['a count', from(Todo).where({ done: true }).count(), [], rename],
  [
    'a query of a live query',
    new Query(from(Todo).where({ done: true }) as never, (list: readonly unknown[]) => [...list].length),
    [],
    rename,
  ],
  ['a record that is looked up', Author, [{ name: 'Ann' }], (store) => store.write(Author, { id: '2', age: 3 })],
  ['a record that cannot be made', Book, ['1'], (store) => store.write(Book, { id: '1', pages: 2 })],
  ['a list of a record that cannot be made', new All(Book), [], (store) => store.write(Book, { id: '1', pages: 2 })],
  ['a relation', Shelf, ['a'], (store) => store.write(Shelved, { id: '2', votes: 1 })],
  ['a list of records with a relation', new All(Shelf), [], (store) => store.write(Shelved, { id: '2', votes: 1 })],
])(
  '%s whose value stays the same after a write notifies no observer, and notifies of the next change',
  (_, queryable, args, write) => {
    const store = new Store();
    store.write([Todo], [{ id: '1', done: true, title: 'one' }, { id: '2', title: 'two' }]); // prettier-ignore
    store.write(new Collection([Todo]), [{ id: '1' }, { id: '2' }]);
    store.write([Author], [{ id: '1', name: 'Ann' }, { id: '2', name: 'Bob' }]); // prettier-ignore
    store.write(Book, { id: '1', title: '' });
    store.write([Shelved], [{ id: '1', shelfId: 'a', votes: 5 }, { id: '2', shelfId: 'a', votes: 0 }]); // prettier-ignore
    store.write(Shelf, { id: 'a' });
    const view = store.query(queryable as Queryable, args);
    const read = (): unknown => [view.current()].flat().map((value) => (value instanceof Shelf ? value.books : value));
    let calls = 0;
    view.subscribe(() => calls++);
    read();
    const before = view.current();
    write(store);

    expect(view.current()).toBe(before);
    expect(calls).toBe(0);

    store.batch(() => {
      store.write([Todo], [{ id: '1', title: 'last' }, { id: '2', done: true }, { id: '3', done: true }]); // prettier-ignore
      store.write(Author, { id: '1', age: 9 });
      store.write(Book, { id: '1', title: 'A title' });
      store.write(Shelved, { id: '2', votes: 9 });
      store.write(new Collection([Todo]).push, { id: '4' });
    });
    expect(view.current()).not.toBe(before);
    expect(calls).toBe(1);
  },
);
