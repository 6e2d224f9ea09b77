import { expect, it } from 'vitest';
import { fieldsReadBy } from './fields-read.ts';

it('fieldsReadBy() returns the fields that a function reads or checks for, each once', () => {
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

it('fieldsReadBy() returns the fields that a function has read before it throws', () => {
  const read = (value: object): unknown => (value as { readonly a: { readonly b: unknown } }).a.b;
  expect(fieldsReadBy(read, {})).toEqual(['a']);
});
