import { expect, test } from 'vitest';
import { converted } from './converted.ts';

test.each([
  [{ entity: 'Todo', path: 'due' }, 'The function that Todo.schema has for due could not read a string: no date.'],
  [{}, 'The function that a schema is could not read a string: no date.'],
])('an error of a function names its place %j', (place, message) => {
  const convert = (): never => {
    throw new Error('no date');
  };
  expect(converted(convert, 'x', place)).toMatchObject({
    code: 'field-invalid',
    message: expect.stringContaining(
      `${message} The error is in its place; the rest of the record can be used.`,
    ) as unknown,
  });
});
