import { expect, it } from 'vitest';
import { inputInvalid } from './input-invalid.ts';

it.each([
  [null, 'has null'],
  [[], 'has a list'],
  ['text', 'has a value of type string'],
  [{}, 'has a value of type object'],
])('says what was found instead: %o', (input, found) => {
  const error = inputInvalid('A map', input, 'Rate');
  expect(error.message).toContain(`A map was expected, but the response ${found}.`);
  expect([error.code, error.entity]).toEqual(['input-invalid', 'Rate']);
});
