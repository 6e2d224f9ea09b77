import { expect, test } from 'vitest';
import { Collection, Entity, Store, Union, Values } from '../../index.ts';
import { isListsOf } from './list-table.ts';

class Photo extends Entity {
  id = '';
  kind = '';
  static override key = 'Photo';
}
class Film extends Entity {
  id = '';
  kind = '';
  static override key = 'Film';
}
const all = { args: [{}] };

test('collections of the same classes under other names have lists of their own', () => {
  const store = new Store();
  const short = new Collection([new Union({ p: Photo, f: Film }, 'kind')]);
  const long = new Collection([new Union({ photo: Photo, film: Film }, 'kind')]);
  store.write(short, [{ id: '1', kind: 'p' }], all);
  // Before, it was the stored form of the other collection: { id: '1', schema: 'p' }.
  expect(store.get(long, {})).toBeUndefined();
  store.write(long, [{ id: '2', kind: 'film' }], all);
  expect(store.get(long, {})).toEqual([store.get(Film, '2')]);
  expect(store.get(short, {})).toEqual([store.get(Photo, '1')]);
});

test('collections with the same names share their lists, whatever tells their members apart', () => {
  const store = new Store();
  store.write(new Collection([new Union({ photo: Photo }, 'kind')]), [{ id: '1', kind: 'photo' }], all);
  const other = new Collection([new Union({ photo: Photo }, () => 'photo')]);
  expect(store.get(other, {})).toEqual([store.get(Photo, '1')]);
});

test('the name of a table tells which records its lists have', () => {
  const Odd = class extends Entity {
    id = '';
    static override key = 'a=b;Film%';
  };
  const keys = [
    new Collection([Photo]),
    new Collection(new Values(Photo)),
    new Collection([new Union({ one: Photo, 'x;y=Odd': Odd }, 'kind')]),
    new Collection([Odd]),
  ].map(({ key }) => key);
  expect(keys.map((key) => isListsOf(key, 'Photo'))).toEqual([true, true, true, false]);
  expect(keys.map((key) => isListsOf(key, Odd.key))).toEqual([false, false, true, true]);
  expect(keys.some((key) => isListsOf(key, 'Film') || isListsOf(key, 'Odd'))).toBe(false);
  expect(isListsOf('Photo', 'Photo')).toBe(false);
  expect(new Set(keys).size).toBe(4);
});
