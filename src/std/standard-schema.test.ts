import { describe, expect, test } from 'vitest';
import { type StandardIssue, type StandardResult, type StandardSchema, validateWith } from './standard-schema.ts';

function validator(
  validate: (value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>,
): StandardSchema {
  return { '~standard': { version: 1, vendor: 'test', validate } };
}
const refusing = (...issues: readonly StandardIssue[]): StandardSchema => validator(() => ({ issues }));

describe('a value that is valid', () => {
  test('is what the validator returns', () => {
    expect(
      validateWith(
        validator((value) => ({ value: [value] })),
        5,
        'It',
      ),
    ).toEqual([5]);
  });

  test('is a promise if the validator returns a promise', async () => {
    expect(
      await validateWith(
        validator(async (value) => ({ value: [value] })),
        5,
        'It',
      ),
    ).toEqual([5]);
  });
});

describe('a value that is refused', () => {
  test('is an error that names the rule and where it was broken', () => {
    const issue = { message: 'expected text', path: ['items', 0, { key: 'name' }] };
    expect(() => validateWith(refusing(issue), 5, 'The response')).toThrow(
      expect.objectContaining({
        code: 'validation-failed',
        path: 'items[0].name',
        cause: [issue],
        message:
          'The response was refused at items[0].name: expected text. Nothing was stored. ' +
          'See node_modules/rejoin/docs/errors.md#validation-failed.',
      }),
    );
  });

  test('is an error whose path includes the place of the value', () => {
    const place = { entity: 'Post', path: '[3]' };
    expect(() => validateWith(refusing({ message: 'no', path: ['title'] }), 5, 'Post', place)).toThrow(
      expect.objectContaining({ entity: 'Post', path: '[3].title' }),
    );
  });

  test('is reported with the number of the other faults', () => {
    expect(() => validateWith(refusing({ message: 'a' }, { message: 'b' }, { message: 'c' }), 5, 'It')).toThrow(
      'It was refused: a (and 2 more).',
    );
  });

  test('is an error also if the validator gives no reason', () => {
    expect(() => validateWith(refusing(), 5, 'It')).toThrow(
      expect.objectContaining({
        path: undefined,
        message: expect.stringContaining('It was refused: no reason given.') as string,
      }),
    );
  });

  test('rejects the promise of an asynchronous validator', async () => {
    const slow = validator(async () => ({ issues: [{ message: 'late', path: [Symbol('s')] }] }));
    await expect(validateWith(slow, 5, 'It')).rejects.toMatchObject({ path: 'Symbol(s)' });
  });
});
