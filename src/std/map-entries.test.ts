import { expect, it } from 'vitest';
import { changedNames, withEntries, withoutEntries } from './map-entries.ts';

const withProto = (): object => JSON.parse('{"a":1,"__proto__":2,"b":3}') as object;

it('a changed copy of a map keeps the order of its entries, and an entry named __proto__', () => {
  const map = withProto();
  const changed = withEntries(
    map,
    [
      ['a', 4],
      ['c', 5],
    ],
    ['b', 'missing'],
  );
  expect(JSON.stringify(changed)).toBe('{"a":4,"__proto__":2,"c":5}');
  expect(changedNames(map, changed)).toEqual(['a', 'c', 'b']);
});

it('a copy without entries keeps an entry named __proto__, or is without it', () => {
  const isEven = (value: unknown): boolean => (value as number) % 2 === 0;
  expect(JSON.stringify(withoutEntries(withProto(), (value) => !isEven(value)))).toBe('{"__proto__":2}');
  const left = withoutEntries(withProto(), isEven);
  expect(JSON.stringify(left)).toBe('{"a":1,"b":3}');
  expect(Object.getPrototypeOf(left)).toBe(Object.prototype);
});
