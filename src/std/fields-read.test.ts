import { expect, it } from 'vitest';
import { fieldsReadBy } from './fields-read.ts';

it('finds fields that are read or looked for, each once', () => {
  const read = (value: object): unknown => {
    const { a } = value as { readonly a?: unknown };
    return [
      a,
      (value as { readonly a?: unknown }).a,
      'b' in value,
      Object.hasOwn(value, 'c'),
      `${Symbol.iterator in value}`,
    ];
  };
  expect(fieldsReadBy(read, { a: 1, d: 2 })).toEqual(['a', 'b', 'c']);
});

it('finds the fields until the function throws', () => {
  const read = (value: object): unknown => (value as { readonly a: { readonly b: unknown } }).a.b;
  expect(fieldsReadBy(read, {})).toEqual(['a']);
});
