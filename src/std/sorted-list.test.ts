import { describe, expect, test } from 'vitest';
import { Random } from '../../tests/oracle/random.ts';
import { SortedList } from './sorted-list.ts';

const byNumber = (one: unknown, other: unknown): number => (one as number) - (other as number);
const byTag = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const made = (): SortedList<string> => new SortedList<string>(byNumber, byTag);

describe('a sorted list', () => {
  test('keeps values in order, and equal ones in the order of their tags', () => {
    const list = made();
    list.replaceAll([
      [2, 'b'],
      [1, 'a'],
      [2, 'a'],
    ]);
    expect(list.values(0, 9)).toEqual([1, 2, 2]);
    expect(list.tags(0, 9)).toEqual(['a', 'a', 'b']);
    expect(list.values(1, 2)).toEqual([2]);
    expect(list.size).toBe(3);
  });

  test('returns whether an entry is before a place: an added entry, a removed entry, and one that stays', () => {
    const list = made();
    expect(list.remove(1, 'a', 9)).toBe(false);
    expect(list.insert(5, 'a', 0)).toBe(false);
    expect(list.insert(7, 'a', 1)).toBe(false);
    expect(list.insert(5, 'b', 2)).toBe(true);
    expect(list.isBefore(7, 'a', 2)).toBe(false);
    expect(list.isBefore(7, 'a', 3)).toBe(true);
    expect(list.placeBehind(5, 'b')).toBe(2);
    expect(list.placeBehind(6, 'b')).toBe(2);
    expect(list.remove(7, 'b', 9)).toBe(false);
    expect(list.remove(7, 'a', 2)).toBe(false);
    expect(list.remove(5, 'b', 2)).toBe(true);
    expect(list.remove(5, 'a', 1)).toBe(true);
    expect(list.size).toBe(0);
    expect(list.values(0, 1)).toEqual([]);
  });

  test('equals a sorted array after thousands of changes, in many chunks', () => {
    const random = new Random(7);
    const list = made();
    const truth: [number, string][] = [];
    for (let step = 0; step < 6000; step++) {
      if (truth.length === 0 || random.chance(0.8)) {
        const entry: [number, string] = [random.below(500), `t${step}`];
        truth.push(entry);
        list.insert(...entry);
      } else list.remove(...(truth.splice(random.below(truth.length), 1)[0] as [number, string]));
    }
    truth.sort(([one, tag], [other, otherTag]) => one - other || byTag(tag, otherTag));
    expect(list.tags(0, list.size)).toEqual(truth.map(([, tag]) => tag));
    expect(list.values(2000, 2010)).toEqual(truth.slice(2000, 2010).map(([value]) => value));
    const [value, tag] = truth[3000] as [number, string];
    expect(list.isBefore(value, tag, 3000)).toBe(false);
    expect(list.remove(value, tag, 3001)).toBe(true);
    expect(list.insert(value, tag, 3001)).toBe(true);
    expect(list.placeBehind(value, tag)).toBe(3001);
  });
});
