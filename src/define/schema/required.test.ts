import { expect, it } from 'vitest';
import { validateRequired } from './required.ts';

it('names the first field that is missing', () => {
  expect(validateRequired({ id: '1' }, { id: '', title: '', author: '' })).toBe('Missing key title');
});

it('says nothing where every field is there, whatever it holds', () => {
  expect(validateRequired({ id: '', title: undefined, extra: 1 }, { id: '', title: '' })).toBeUndefined();
});

it('does not take what every object inherits for a field', () => {
  expect(validateRequired({}, { toString: '' })).toBe('Missing key toString');
});
