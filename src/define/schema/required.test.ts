import { expect, it } from 'vitest';
import { validateRequired } from './required.ts';

it('validateRequired names the first field that is missing', () => {
  expect(validateRequired({ id: '1' }, { id: '', title: '', author: '' })).toBe('Missing key title');
});

it('validateRequired returns undefined if every field is there, whatever its value', () => {
  expect(validateRequired({ id: '', title: undefined, extra: 1 }, { id: '', title: '' })).toBeUndefined();
});

it('validateRequired does not count an inherited member as a field', () => {
  expect(validateRequired({}, { toString: '' })).toBe('Missing key toString');
});
