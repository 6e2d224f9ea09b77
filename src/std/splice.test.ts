import { describe, expect, it } from 'vitest';
import {
  closeList,
  copyOf,
  differencesOf,
  moved,
  noteDifferences,
  openCopy,
  passNameIndex,
  indexByName,
  replaceStretch,
  restorerOf,
  type Splice,
  spliced,
  splicedBy,
  withoutOnly,
  withRange,
} from './splice.ts';

const list = ['a', 'b', 'c', 'd'];

describe('the difference of two lists', () => {
  it('is empty if they are equal', () => {
    expect(differencesOf(list, ['a', 'b', 'c', 'd'])).toEqual([]);
  });

  it.each<[string, readonly string[], Splice]>([
    ['one more at the end', ['a', 'b', 'c', 'd', 'e'], { at: 4, removed: 0, added: 1 }],
    ['one more at the beginning', ['z', 'a', 'b', 'c', 'd'], { at: 0, removed: 0, added: 1 }],
    ['one less in the middle', ['a', 'c', 'd'], { at: 1, removed: 1, added: 0 }],
    ['a stretch', ['a', 'x', 'y', 'z', 'd'], { at: 1, removed: 2, added: 3 }],
    ['everything', [], { at: 0, removed: 4, added: 0 }],
    ['the same one twice', ['a', 'b', 'b', 'c', 'd'], { at: 2, removed: 0, added: 1 }],
  ])('is found: %s', (_, now, splice) => {
    expect(differencesOf(list, now)).toEqual([splice]);
  });

  it('turns the one list into the other', () => {
    for (const now of [['x'], ['a', 'd'], ['b', 'a', 'd', 'c'], ['a', 'b', 'x', 'c', 'd'], ['d', 'd', 'd', 'd', 'd']]) {
      const [splice] = differencesOf(list, now) as readonly [Splice];
      expect(withRange(list, splice, now.slice(splice.at, splice.at + splice.added))).toEqual(now);
    }
  });
});

describe('an item that is moved', () => {
  it.each([
    [0, 3, ['b', 'c', 'd', 'a']],
    [3, 0, ['d', 'a', 'b', 'c']],
    [1, 2, ['a', 'c', 'b', 'd']],
  ])('from %s to %s', (from, to, due) => {
    const now = moved(list, from, to);
    expect(now).toEqual(due);
    expect(differencesOf(list, now)).toEqual([
      { at: from, removed: 1, added: 0 },
      { at: to, removed: 0, added: 1 },
    ]);
    expect(list).toEqual(['a', 'b', 'c', 'd']);
  });
});

it('several splices are applied in order, and are used as the recorded difference', () => {
  const splices = [
    { at: 3, removed: 1, added: 0 },
    { at: 0, removed: 1, added: 0 },
    { at: 1, removed: 0, added: 2 },
  ];
  const now = splicedBy(list, splices, ['x', 'y']);
  expect(now).toEqual(['b', 'x', 'y', 'c']);
  expect(differencesOf(list, now)).toBe(splices);
  expect(list).toEqual(['a', 'b', 'c', 'd']);
});

it('a list gets a recorded difference only if it is a new list, and the list before it loses its own', () => {
  const cut = [{ at: 3, removed: 1, added: 0 }];
  const first = splicedBy(list, cut, []);
  expect(noteDifferences(first, ['a', 'b', 'c', 'x'], cut)).toBe(first);
  expect(differencesOf(list, first)).not.toBe(cut);
  const second = splicedBy(first, [{ at: 0, removed: 1, added: 0 }], []);
  expect(noteDifferences(list, second, [{ at: 0, removed: 2, added: 4 }])).toBe(list);
  expect(differencesOf(first, second)).toEqual([{ at: 0, removed: 1, added: 0 }]);
  expect(differencesOf(second, list)).toEqual([{ at: 0, removed: 2, added: 4 }]);
});

describe('a stretch that is replaced', () => {
  it('returns the removed items, and changes the list in place', () => {
    const own = [...list];
    expect(replaceStretch(own, { at: 1, removed: 2, added: 1 }, ['x'])).toEqual(['b', 'c']);
    expect(own).toEqual(['a', 'x', 'd']);
    expect(replaceStretch(own, { at: 1, removed: 1, added: 3 }, ['1', '2', '3'])).toEqual(['x']);
    expect(own).toEqual(['a', '1', '2', '3', 'd']);
    expect(replaceStretch(own, { at: 1, removed: 2, added: 2 }, ['4', '5'])).toEqual(['1', '2']);
    expect(own).toEqual(['a', '4', '5', '3', 'd']);
  });

  it('can add many items', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => at);
    expect(withRange(list, { at: 1, removed: 2, added: many.length }, many)).toEqual(['a', ...many, 'd']);
  });

  it('does not change a list when a copy is requested', () => {
    expect(withRange(list, { at: 4, removed: 0, added: 1 }, ['e'])).toEqual([...list, 'e']);
    expect(withRange(list, { at: 1, removed: 2, added: 0 }, [])).toEqual(['a', 'd']);
    expect(withRange(list, { at: 1, removed: 1, added: 1 }, ['x'])).toEqual(['a', 'x', 'c', 'd']);
    expect(list).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('a copy', () => {
  it.each([
    ['', list],
    [' of a frozen list', Object.freeze([...list])],
  ])('is another list that can be changed%s', (_, given) => {
    for (const copy of [copyOf(given), withRange(given, { at: 4, removed: 0, added: 0 }, [])]) {
      expect(copy).toEqual(list);
      expect(copy).not.toBe(given);
      expect(Object.isFrozen(copy)).toBe(false);
    }
    expect(withRange(given, { at: 1, removed: 1, added: 2 }, ['x', 'y'])).toEqual(['a', 'x', 'y', 'c', 'd']);
  });
});

describe('a list that was made from another list', () => {
  it('is not compared: the recorded change is used as the difference, once', () => {
    const from = ['a', 'a', 'a'];
    // A comparison could only find one more item at the end.
    const now = spliced(from, 0, 0, ['a']);
    expect(now).toEqual(['a', 'a', 'a', 'a']);
    expect(differencesOf(from, now)).toEqual([{ at: 0, removed: 0, added: 1 }]);
    expect(differencesOf(from, now)).toEqual([{ at: 3, removed: 0, added: 1 }]);
  });

  it('is compared with any list but that one', () => {
    const from = ['a', 'a'];
    const now = spliced(from, 0, 0, ['a']);
    expect(differencesOf([...from], now)).toEqual([{ at: 2, removed: 0, added: 1 }]);
    expect(differencesOf(from, now)).toEqual([{ at: 0, removed: 0, added: 1 }]);
  });

  it('has a recorded difference from an earlier list, if the lists between them have only lost members', () => {
    const from = ['a', 'b', 'c', 'd', 'e'];
    const now = spliced(spliced(spliced(from, 3, 1, []), 1, 1, []), 0, 0, ['d']);
    expect(now).toEqual(['d', 'a', 'c', 'e']);
    expect(differencesOf(from, now)).toEqual([
      { at: 3, removed: 1, added: 0 },
      { at: 1, removed: 1, added: 0 },
      { at: 0, removed: 0, added: 1 },
    ]);
  });

  it('loses its recorded difference when another list is made from it, so former lists are not kept in memory', () => {
    const from = ['a', 'a'];
    const one = spliced(from, 0, 0, ['a']);
    const two = spliced(one, 0, 0, ['a']);
    expect(differencesOf(from, one)).toEqual([{ at: 2, removed: 0, added: 1 }]);
    expect(differencesOf(one, two)).toEqual([{ at: 0, removed: 0, added: 1 }]);
  });

  it('has no recorded difference from a list that is many steps older', () => {
    const from = Array.from({ length: 100 }, () => 'a');
    let now: readonly unknown[] = from;
    for (let step = 0; step < 50; step++) now = spliced(now, 0, 1, []);
    expect(differencesOf(from, now)).toEqual([{ at: 50, removed: 50, added: 0 }]);
  });

  it('can lack one item, if the first list has that item once', () => {
    expect(withoutOnly(list, 'b')).toEqual(['a', 'c', 'd']);
    expect(withoutOnly(list, 'x')).toBeUndefined();
    expect(withoutOnly(['a', 'b', 'a'], 'a')).toBeUndefined();
  });
});

describe('an open list', () => {
  const from = ['a', 'b'];
  const opened = (): readonly unknown[] => {
    const copy = spliced(from, 2, 0, ['c']);
    openCopy(copy, from);
    return copy;
  };

  it('gets further items itself', () => {
    const copy = opened();
    expect(spliced(copy, 3, 0, ['e'])).toBe(copy);
    expect(spliced(copy, 3, 0, ['d'])).toBe(copy);
    expect(copy).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(differencesOf(from, copy)).toEqual([{ at: 2, removed: 0, added: 3 }]);
    expect(from).toEqual(['a', 'b']);
  });

  it('is only a copy of that list, which is no more changed after it is closed', () => {
    const copy = opened();
    openCopy(copy, from);
    closeList(copy);
    closeList([]);
    expect(spliced(copy, 3, 0, ['d'])).not.toBe(copy);
    const other = spliced(from, 2, 0, ['c']);
    openCopy(other, []);
    expect(spliced(other, 3, 0, ['d'])).not.toBe(other);
    expect(restorerOf(other)).toBeUndefined();
  });

  it('can be restored as a copy of what it was, also after it is closed', () => {
    const copy = opened();
    const atFirst = restorerOf(copy);
    spliced(copy, 0, 0, ['x']);
    const afterwards = restorerOf(copy);
    spliced(copy, 4, 0, ['d', 'e']);
    closeList(copy);
    expect(afterwards?.()).toEqual(['x', 'a', 'b', 'c']);
    expect(atFirst?.()).toEqual(['a', 'b', 'c']);
    expect(copy).toEqual(['x', 'a', 'b', 'c', 'd', 'e']);
  });
});

describe('the index by name of a list', () => {
  const nameOf = (item: unknown): unknown => item;
  const long = Array.from({ length: 100 }, (_, at) => `item ${at}`);
  const search = (items: readonly unknown[], times: number): (number | undefined)[] =>
    Array.from({ length: times }, (_, at) => indexByName(items, long[at % 100], nameOf));

  it('is made after many searches, and not for a short list', () => {
    const found = search([...long], 100);
    expect(found[0]).toBeUndefined();
    expect(found.slice(50)).toEqual(Array.from({ length: 50 }, (_, at) => at + 50));
    expect(search(long.slice(0, 10), 100).every((at) => at === undefined)).toBe(true);
  });

  it('belongs to the latest copy of the list, and another copy makes its own', () => {
    const items = [...long];
    search(items, 50);
    const copy = spliced(items, 1, 2, ['new']);
    expect(indexByName(copy, 'new', nameOf)).toBe(1);
    expect(indexByName(copy, 'item 2', nameOf)).toBe(-1);
    expect(indexByName(copy, 'item 99', nameOf)).toBe(98);
    expect(indexByName(items, 'item 99', nameOf)).toBeUndefined();
    const other = moved(items, 99, 0);
    expect(indexByName(other, 'item 99', nameOf)).toBe(0);
    expect(indexByName(other, 'item 0', nameOf)).toBe(1);
    expect(indexByName(moved(other, 0, 99), 'item 99', nameOf)).toBe(99);
  });

  it('is not made for a list that has an item twice, nor for its copies', () => {
    const items = [...long, 'item 5'];
    expect(search(items, 100).every((at) => at === undefined)).toBe(true);
    expect(search(spliced(items, 0, 1, []), 100).every((at) => at === undefined)).toBe(true);
  });

  it('is passed on by hand for a list that is changed in place', () => {
    const items = [...long];
    search(items, 50);
    items.push('new');
    passNameIndex(items, items, [], 100, 1);
    expect(indexByName(items, 'new', nameOf)).toBe(100);
  });
});
