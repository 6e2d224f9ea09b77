import { describe, expect, it, vi } from 'vitest';
import { Post, Todo } from '../../../tests/model.ts';
import { Collection, Store, undecidable, Union, Values } from '../../index.ts';

const todos = new Collection([Todo]);
const records = new Collection([
  new Union({ todo: Todo, post: Post }, ({ title }) => (title === '' ? 'post' : 'todo')),
]);
const map = new Collection(new Values(Todo));
const todo = { id: '1', title: 'a', done: false };

it.each([
  ['of one class first', [todos, records, map]],
  ['of several classes first', [records, map, todos]],
])(
  'a record that changes leaves and joins the lists and maps of every collection of its class: those %s',
  (_order, collections) => {
    const store = new Store();
    for (const collection of collections)
      for (const done of [true, false])
        store.write(collection, collection === map ? (done ? {} : { 1: todo }) : done ? [] : [todo], {
          args: [{ done }],
        });
    const counts = (done: boolean): readonly number[] =>
      [todos, records, map].map((of) => Object.keys(store.get<Collection>(of, { done }) ?? {}).length);
    expect([counts(false), counts(true)]).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ]);
    store.write(Todo, { id: '1', done: true });
    expect([counts(false), counts(true)]).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
  },
);

describe('two collections of a class, whose lists are kept together', () => {
  const warningsOf = (...collections: readonly Collection[]): readonly unknown[] => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const store = new Store();
    for (const collection of collections) store.write(collection, [todo], { args: [{}] });
    const messages = warned.mock.calls.map(([message]): unknown => message);
    warned.mockRestore();
    return messages;
  };
  const byTitle = (): Collection =>
    new Collection([Todo], { orderBy: (one, other) => (one.title < other.title ? -1 : 1) });

  it('cause a warning if their rules differ', () => {
    const byId = new Collection([Todo], {
      where: { done: undecidable },
      orderBy: (one, other) => (one.id < other.id ? -1 : 1),
    });
    expect(warningsOf(byTitle(), byId)).toEqual([
      expect.stringMatching(
        /^Two collections of \[Todo\] have other values of where and orderBy\. .*list-rules-shared/,
      ),
    ]);
  });

  it('cause no warning if their rules are the same, or if one has none', () => {
    expect(warningsOf(byTitle(), byTitle(), new Collection([Todo]))).toEqual([]);
  });
});
