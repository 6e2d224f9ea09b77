import { expect, test } from 'vitest';
import { All, Collection, Entity, hasMany, keyOf, Store } from '../../index.ts';
import { User } from '../../../tests/model.ts';
import { changePk } from './change-pk.ts';
import { addGuess } from './layer.ts';

class Tag extends Entity {
  id = '';
  ownerId = '';
  static override key = 'PkTag';
}
class Owner extends Entity {
  id = '';
  static override key = 'PkOwner';
  static tags = hasMany(Tag, 'ownerId');
}
class Pin extends Entity {
  id = '';
  readonly owner: Owner | undefined = undefined;
  static override key = 'PkPin';
  static override schema = { owner: Owner };
}
const change = { table: 'PkOwner', from: '1', to: '2', fields: { id: '2' }, edited: 0 };

test('a record that is not in the store does not get another pk', () => {
  const store = new Store();
  expect(changePk(store.writer, change)).toEqual({ rows: [], wasKnown: false });
  store.write(User, { id: '1', name: 'A' });
  expect(changePk(store.writer, { ...change, table: User.key, from: '3' })).toEqual({ rows: [], wasKnown: false });
  expect(store.get(User, { id: '2' })).toBe(undefined);
});

test('a record keeps its pk and its temporary pk if the batch fails in which it got another one', () => {
  const store = new Store();
  const owners = new Collection([Owner]);
  const args = [{}];
  store.write(owners, [], { args });
  const layer = addGuess(store, () => ({ schema: owners.push, response: {}, args }));
  const key = keyOf(store.get(owners, {})?.[0] as Owner);
  layer.confirm(owners.push, { id: '1' }, { args });
  const failing = (): void =>
    store.batch(() => {
      changePk(store.writer, change);
      throw new Error('refused');
    });
  expect(failing).toThrow('refused');
  expect(store.get(Owner, { id: '2' })).toBe(undefined);
  expect(keyOf(store.get(Owner, { id: '1' }) as Owner)).toBe(key);
});

test('a relation to a class that is declared later has no records that could refer to the record', () => {
  class Early extends Entity {
    id = '';
    static override key = 'PkEarly';
    static later = hasMany(() => Later, 'earlyId');
  }
  const store = new Store();
  store.write(Early, { id: '1' });
  const { rows } = changePk(store.writer, { ...change, table: 'PkEarly' });
  expect(rows.map(({ pk }) => pk)).toEqual(['2', '1']);
  expect(store.get(Early, { id: '2' })?.id).toBe('2');
  class Later extends Entity {
    id = '';
    earlyId = '';
    static override key = 'PkLater';
  }
});

test('records of an answer from before the change refer to the record, also in tables that were empty', () => {
  const store = new Store();
  store.write(Owner, { id: '1' });
  store.get(new All(Tag));
  store.get(new All(Pin));
  const [first, second, third] = [store.begin(), store.begin(), store.begin()];
  changePk(store.writer, change);
  store.write([Tag], [{ id: '1', ownerId: '1' }], { request: first });
  store.write([Pin], [{ id: '1', owner: '1' }], { request: second });
  expect(store.get(Tag, { id: '1' })?.ownerId).toBe('2');
  expect(store.get(Pin, { id: '1' })?.owner?.id).toBe('2');
  store.write([Tag], [{ id: '2', ownerId: '1' }], { request: third });
  expect(store.get(Tag, { id: '2' })?.ownerId).toBe('2');
});

test('records refer to owners by the pks that they arrive with, after all owners were removed', () => {
  const store = new Store();
  store.write(Owner, { id: '1' });
  store.write(Tag, { id: '1', ownerId: '1' });
  changePk(store.writer, change);
  expect(store.get(Tag, { id: '1' })?.ownerId).toBe('2');
  store.reset();
  store.write(Tag, { id: '1', ownerId: '1' });
  expect(store.get(Tag, { id: '1' })?.ownerId).toBe('1');
});
