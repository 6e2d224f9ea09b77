import { expect, test } from 'vitest';
import { Strict } from '../../../tests/model.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Invalidate } from '../../define/schema/invalidate.ts';
import { Union } from '../../define/schema/union.ts';
import { Values } from '../../define/schema/values.ts';
import { Store } from '../store/store.ts';

class Rate extends Entity {
  id = '';
  value = 0;
  static override key = 'Rate';
}
class Fee extends Entity {
  id = '';
  kind = 'fee';
  static override key = 'Fee';
}
class Bank extends Entity {
  id = '';
  rates: Readonly<Record<string, Rate>> = {};
  static override key = 'Bank';
  static override schema = { rates: new Values(Rate) };
}
class Person extends Entity {
  id = '';
  name = '';
  friends: Readonly<Record<string, Person>> = {};
  static override key = 'Person';
}
Person.schema = { friends: new Values(Person) };

const rates = new Collection(new Values(Rate));
const here = { args: [{}] };

function mapOf(count: number, from = 0): Record<string, { id: string; value: number }> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`k${from + at}`, { id: `r${from + at}`, value: from + at }]),
  );
}

function storeWith(count: number): Store {
  const store = new Store({ frozen: true });
  store.write(rates, mapOf(count), here);
  return store;
}

const read = (store: Store): Readonly<Record<string, Rate>> => store.get(rates, {}) as Readonly<Record<string, Rate>>;

test('a changed record replaces its entry in a new map, whose other entries stay the same objects in the same order', () => {
  const store = storeWith(100);
  const before = read(store);

  store.write(Rate, { id: 'r50', value: -1 });
  const after = read(store);

  expect(after).not.toBe(before);
  expect(after['k50']).toBe(store.get(Rate, { id: 'r50' }));
  expect(after['k51']).toBe(before['k51']);
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(Object.isFrozen(after)).toBe(true);
});

test.each([1, 80])('%i deleted records leave the map, and come back to where they stood', (count) => {
  const store = storeWith(100);
  const bank = { id: '1', rates: mapOf(100) };
  store.write(Bank, bank);
  const ids = Array.from({ length: count }, (_, at) => `r${at}`);
  const before = Object.keys((store.get(Bank, { id: '1' }) as Bank).rates);
  expect(Object.keys(read(store))).toHaveLength(100);

  store.write([new Invalidate(Rate)], ids);
  expect(Object.keys(read(store))).toEqual(before.slice(count));
  expect(Object.keys((store.get(Bank, { id: '1' }) as Bank).rates)).toEqual(before.slice(count));

  store.write([Rate], ids.map((id) => ({ id, value: 7 }))); // prettier-ignore
  expect(Object.keys(read(store))).toEqual(before.slice(count));
  expect(Object.keys((store.get(Bank, { id: '1' }) as Bank).rates)).toEqual(before);
});

test('an entry that is removed and assigned again is last', () => {
  const store = storeWith(5);
  read(store);
  store.write(rates.remove, { k1: 'r1' }, here);
  expect(Object.keys(read(store))).toEqual(['k0', 'k2', 'k3', 'k4']);
  store.write(rates.assign, { k1: { id: 'r1', value: 1 } }, here);
  expect(Object.keys(read(store))).toEqual(['k0', 'k2', 'k3', 'k4', 'k1']);
});

test('an entry that is removed and assigned again between two reads changes nothing', () => {
  const store = storeWith(5);
  const before = read(store);
  store.write(rates.remove, { k1: 'r1' }, here);
  store.write(rates.assign, { k1: { id: 'r1', value: 1 } }, here);
  expect(read(store)).toBe(before);
});

test('an assigned entry shows another record in its place, and the former record changes nothing any more', () => {
  const store = storeWith(5);
  read(store);
  store.write(rates.assign, { k1: { id: 'other', value: 9 } }, here);
  const after = read(store);
  expect(Object.keys(after)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4']);
  expect(after['k1']).toBe(store.get(Rate, { id: 'other' }));

  store.write(Rate, { id: 'r1', value: 100 });
  expect(read(store)).toBe(after);
});

test('the map stays the same object when a write, a removal or an assignment changes nothing', () => {
  const store = storeWith(5);
  const before = read(store);
  store.write(rates, mapOf(5), here);
  store.write(rates.remove, { k1: 'nobody' }, here);
  store.write(rates.assign, { k1: { id: 'r1', value: 1 } }, here);
  expect(read(store)).toBe(before);
});

test('a record that is in the map twice leaves both entries, or the one that does not show another record by now', () => {
  const store = new Store();
  store.write(rates, { a: { id: 'r1', value: 1 }, b: { id: 'r1', value: 1 }, c: { id: 'r2', value: 2 } }, here);
  read(store);
  store.write(rates.assign, { a: { id: 'r2' } }, here);
  store.write(Rate, { id: 'r1', value: 5 });
  expect(Object.entries(read(store)).map(([name, { value }]) => [name, value])).toEqual([
    ['a', 2],
    ['b', 5],
    ['c', 2],
  ]);
  store.invalidate(Rate, 'r2');
  expect(Object.keys(read(store))).toEqual(['b']);
});

test('an entry can be named __proto__', () => {
  const store = storeWith(2);
  read(store);
  store.write(rates.assign, JSON.parse('{ "__proto__": { "id": "r9", "value": 9 } }'), here);
  expect(Object.keys(read(store))).toEqual(['k0', 'k1', '__proto__']);
  store.invalidate(Rate, 'r9');
  expect(Object.keys(read(store))).toEqual(['k0', 'k1']);
});

test('entries of several classes, of plain data and of nothing can be mixed', () => {
  const store = new Store({ frozen: true });
  const mixed = new Values(new Union({ rate: Rate, fee: Fee }, 'kind'));
  const readMixed = (): Readonly<Record<string, unknown>> =>
    store.resultView('mixed', mixed).current() as Readonly<Record<string, unknown>>;
  const input = { a: { kind: 'rate', id: '1' }, b: { kind: 'fee', id: '1' }, c: { kind: 'other', tags: [1] }, d: 0 };
  store.write(mixed, input, { resultKey: 'mixed' });
  const before = readMixed();
  expect(Object.keys(before)).toEqual(['a', 'b', 'c']);
  expect(before['a']).toBe(store.get(Rate, { id: '1' }));

  store.invalidate(Fee, '1');
  expect(Object.keys(readMixed())).toEqual(['a', 'c']);
  expect(readMixed()['c']).toBe(before['c']);
});

test('values of a kind that is read by a function are converted, in lists and in maps', () => {
  const kinds: Readonly<Record<string, unknown>> = {
    rate: Rate,
    day: ({ text }: { readonly text: string }) => new Date(text),
  };
  const kindOf = (value: object): string => ('text' in value ? 'day' : 'rate');
  const schema = { list: [new Union(kinds, kindOf as never)], map: new Values(new Union(kinds, kindOf as never)) };
  const [rate, day] = [{ id: '1' }, { text: '2026-05-01' }];
  const store = new Store();
  const stored = store.write(schema, { list: [rate, day], map: { rate, day } });
  const shown = [store.get(Rate, { id: '1' }), new Date('2026-05-01')];
  expect(store.read(schema, stored)).toEqual({ list: shown, map: { rate: shown[0], day: shown[1] } });
});

test('a map with an entry that its class fails to build is an error at each read, and has all entries once it does not', () => {
  const map = new Collection(new Values(Strict));
  const store = new Store();
  const names = (): string => Object.keys(store.get(map, {}) ?? {}).join();
  store.write(map, { a: { id: '1' }, b: { id: '2' }, c: { id: '3' } }, here);
  expect(names()).toBe('a,b,c');
  store.write([Strict], [{ id: '2', isBad: true }, { id: '3', isNew: true }]); // prettier-ignore
  for (let time = 0; time < 2; time++) expect(names).toThrow('mine');
  store.write(Strict, { id: '2', isBad: false });
  expect(names()).toBe('a,b,c');
  expect(store.get(map, {})?.['c']).toBe(store.get(Strict, '3'));
});

test('a converted entry stays the same object while others change', () => {
  const store = new Store();
  class Plan extends Entity {
    id = '';
    dates: Readonly<Record<string, Date>> = {};
    static override key = 'Plan';
    static override schema = { dates: new Values((text: string) => new Date(text)) };
  }
  store.write(Plan, { id: '1', dates: { a: '2020-01-01', b: '' } });
  const before = store.get(Plan, { id: '1' }) as Plan;
  expect(before.dates['a']).toEqual(new Date('2020-01-01'));
  store.write(Plan, { id: '1', name: 'other' });
  expect((store.get(Plan, { id: '1' }) as Plan).dates).toBe(before.dates);
});

test('records that hold each other in maps change together, and show each other', () => {
  const store = new Store({ frozen: true });
  store.write(Person, {
    id: '1',
    name: 'a',
    friends: { best: { id: '2', name: 'b', friends: { best: { id: '1' } } } },
  });
  const one = store.get(Person, { id: '1' }) as Person;
  expect(one.friends['best']?.friends['best']).toBe(one);

  store.write(Person, { id: '2', name: 'c' });
  const next = store.get(Person, { id: '1' }) as Person;
  expect(next).not.toBe(one);
  expect(next.friends['best']?.name).toBe('c');
  expect(next.friends['best']?.friends['best']).toBe(next);

  store.invalidate(Person, '2');
  expect(store.get(Person, { id: '1' })?.friends).toEqual({});
});

test('a map of maps builds only the inner map that changed', () => {
  const store = new Store();
  const nested = new Values(new Values(Rate));
  const readMixed = (): Readonly<Record<string, unknown>> =>
    store.resultView('nested', nested).current() as Readonly<Record<string, unknown>>;
  store.write(nested, { a: mapOf(3), b: mapOf(3, 3) }, { resultKey: 'nested' });
  const before = readMixed();
  store.write(Rate, { id: 'r0', value: 9 });
  expect(readMixed()['a']).not.toBe(before['a']);
  expect(readMixed()['b']).toBe(before['b']);
  store.write(nested, { a: mapOf(2), b: mapOf(3, 3) }, { resultKey: 'nested' });
  expect(readMixed()['b']).toBe(before['b']);
});

test('a map is frozen unless the store has frozen: false, also after one entry has changed', () => {
  const isFrozen = (store: Store): boolean[] => {
    const schema = new Values(Rate);
    const view = store.resultView('rates', schema);
    store.write(schema, mapOf(2), { resultKey: 'rates' });
    const first = Object.isFrozen(view.current());
    store.write(Rate, { id: 'r0', value: 9 });
    return [first, Object.isFrozen(view.current())];
  };
  expect(isFrozen(new Store())).toEqual([true, true]);
  expect(isFrozen(new Store({ frozen: false }))).toEqual([false, false]);
});
