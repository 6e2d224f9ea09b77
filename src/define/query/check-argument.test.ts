import { afterEach, expect, test, vi } from 'vitest';
import { checkArgument, checkField } from './check-argument.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('checkArgument throws an error that names the given value and the allowed values, and accepts allowed values', () => {
  expect(() => checkArgument('where()', [], () => 'conditions')).toThrow(
    'where() of a query was given a list. Pass conditions.',
  );
  expect(() => checkArgument('where()', {}, () => false)).not.toThrow();
  expect(() => checkField('orderBy()', 'votes')).not.toThrow();
});

test('checkArgument checks nothing in production, and nothing where a page has no process', () => {
  const takes = vi.fn<() => string>(() => 'conditions');
  vi.stubEnv('NODE_ENV', 'production');
  checkArgument('where()', [], takes);
  const { process } = globalThis;
  Reflect.deleteProperty(globalThis, 'process');
  checkArgument('where()', [], takes);
  globalThis.process = process;
  expect(takes).not.toHaveBeenCalled();
});
