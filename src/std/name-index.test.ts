import { describe, expect, it } from 'vitest';
import { NameIndex } from './name-index.ts';

const nameOf = (item: unknown): unknown => item;
const letters = (text: string): string[] => text.split('');

function placesOf(list: readonly unknown[]): NameIndex {
  const places = NameIndex.of(list, nameOf);
  if (places === undefined) throw new Error('an item is in the list twice');
  return places;
}

describe('the places of the items of a list', () => {
  it('are found by name', () => {
    const list = [{ id: '1' }, { id: '2' }, { id: '3' }];
    const places = NameIndex.of(list, (item) => (item as { readonly id: string }).id);
    expect(list.map((item) => places?.indexOf(list, { ...item }))).toEqual([0, 1, 2]);
    expect(places?.indexOf(list, { id: '4' })).toBe(-1);
  });

  it('are not known if an item is in the list twice', () => {
    expect(NameIndex.of(letters('aba'), nameOf)).toBeUndefined();
    expect(placesOf(letters('ab')).replace(letters('aba'), [], 2, 1)).toBeUndefined();
  });

  it('stay known while items leave and arrive anywhere', () => {
    const list: number[] = [];
    let places = placesOf(list);
    let made = 0;
    for (let turn = 1; turn <= 500; turn++) {
      const at = Math.floor(Math.abs(Math.sin(turn)) * list.length);
      const gone = list.splice(at, turn % 3 === 0 ? 1 : 0, turn, -turn);
      const kept = places.replace(list, gone, at, 2);
      if (kept === undefined) made++;
      places = kept ?? placesOf(list);
      for (const item of gone) expect(places.indexOf(list, item)).toBe(-1);
      expect(list.map((item) => places.indexOf(list, item))).toEqual(Array.from(list.keys()));
    }
    // Rarely, there is no room between two items.
    expect(made).toBeLessThan(10);
  });

  it.each([
    ['before', () => 1],
    ['after', (at: number) => at + 1],
  ])('stay known while many items arrive one %s the other between two others', (_, next) => {
    const list: unknown[] = ['first', 'last'];
    const places = placesOf(list);
    for (let turn = 0, at = 1; turn < 1000; turn++, at = next(at)) {
      list.splice(at, 0, turn);
      expect(places.replace(list, [], at, 1)).toBe(places);
    }
    expect(list.map((item) => places.indexOf(list, item))).toEqual(Array.from(list.keys()));
  });

  it('are given up if there is no room between two items any more', () => {
    const list: unknown[] = ['first', 'last'];
    const places = placesOf(list);
    const kept = Array.from({ length: 200 }, (_, turn) => {
      // In turn after and before the item that arrived before the last one.
      const at = turn === 0 ? 1 : list.indexOf(turn - 1) + (turn % 2);
      list.splice(at, 0, turn);
      return places.replace(list, [], at, 1);
    });
    expect(kept[10]).toBe(places);
    expect(kept).toContain(undefined);
  });
});
