import { expect, test } from 'vitest';
import { All, Entity, Store } from '../../src/index.ts';
import { addGuess } from '../../src/state/store/layer.ts';
import { takeSnapshot } from '../../src/state/store/store-snapshot.ts';

/** Two classes of one table. Only one of them declares that friends are people. */
function people() {
  class Person extends Entity {
    id = '';
    name = '';
    friends: unknown = [];
    static override key = 'Person';
    static override schema: Record<string, unknown> = {};
  }
  Person.schema = { friends: [Person] };
  class Contact extends Entity {
    id = '';
    name = '';
    friends: unknown = [];
    static override key = 'Person';
  }
  return { Person, Contact };
}

test('a state keeps the pks of a field, also when a later response has records in that field', () => {
  const { Person, Contact } = people();
  const store = new Store();
  store.write(Person, { id: '1', friends: ['2'] });
  store.write(Person, { id: '2', name: 'Ben' });
  const [read, unread] = [takeSnapshot(store), takeSnapshot(store)];
  const before = read.get(Contact, { id: '1' });
  store.write(Person, { id: '3', friends: [{ id: '2' }] });
  store.write(Person, { id: '1', name: 'Ann', friends: [{ id: '2' }] });

  expect(store.get(Contact, { id: '1' })?.friends).toEqual([store.get(Person, { id: '2' })]);
  expect(read.get(Contact, { id: '1' })).toBe(before);
  expect(unread.get(Contact, { id: '1' })?.friends).toEqual(['2']);
  expect(unread.get(new All(Contact))).toMatchObject([
    { id: '1', friends: ['2'] },
    { id: '2', friends: [] },
  ]);
});

test('a state has the pks of a field, also when it is first read after a response with records in that field', () => {
  const { Person, Contact } = people();
  const store = new Store();
  store.write(Person, { id: '1', friends: ['2'] });
  store.write(Person, { id: '2', name: 'Ben' });
  const state = takeSnapshot(store);
  store.write(Person, { id: '3', friends: [{ id: '2' }] });

  expect(store.get(Contact, { id: '1' })?.friends).toEqual([store.get(Person, { id: '2' })]);
  expect(state.get(Contact, { id: '1' })?.friends).toEqual(['2']);
  expect(state.get(Contact, { id: '2' })).toBe(store.get(Contact, { id: '2' }));
  expect(state.get(Person, { id: '1' })).toBe(store.get(Person, { id: '1' }));
});

test('a state reads the classes that it was taken with, also after other classes have replaced them', () => {
  const before = people();
  const store = new Store();
  store.write(before.Person, { id: '1', friends: [{ id: '2' }] });
  const classOf = (contact: { readonly friends: unknown } | undefined): unknown =>
    (contact?.friends as object[] | undefined)?.[0]?.constructor;
  expect(classOf(store.get(before.Contact, { id: '1' }))).toBe(before.Person);
  const state = takeSnapshot(store);
  const after = people();
  store.write(after.Person, { id: '1', name: 'Ann' });

  expect(classOf(store.get(before.Contact, { id: '1' }))).toBe(after.Person);
  expect(classOf(state.get(before.Contact, { id: '1' }))).toBe(before.Person);
});

test('a state reads relations of a class that is first used after the state was taken', () => {
  class Plain extends Entity {
    id = '';
    friends: unknown = [];
    static override key = 'Person';
  }
  const { Person } = people();
  const store = new Store();
  store.write(Plain, { id: '1', friends: ['2'] });
  store.write(Plain, { id: '2' });
  const state = takeSnapshot(store);

  expect(state.get(Person, { id: '1' })?.friends).toEqual([state.get(Person, { id: '2' })]);
  expect(state.get(Plain, { id: '1' })?.friends).toEqual(['2']);
  expect(store.get(Plain, { id: '1' })?.friends).toEqual(['2']);
});

test('a response that has records in a field for the first time does not run optimistic responses again', () => {
  const { Person, Contact } = people();
  const store = new Store();
  store.write(Contact, { id: '9' });
  store.get(Person, { id: '9' });
  let asked = 0;
  addGuess(store, () => (asked++, { schema: Person, response: { id: '5', name: 'Eve' } }));
  let commits = 0;
  store.onCommit(() => commits++);
  store.write(Person, { id: '1', friends: [{ id: '2' }] });
  store.get(Contact, { id: '1' });

  expect([asked, commits]).toEqual([1, 1]);
});
