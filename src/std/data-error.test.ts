import { afterEach, expect, it, vi } from 'vitest';
import { DataError, withoutCredentials } from './data-error.ts';
import { inDevelopment } from './development.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

it('an error has its code, its entity and its path', () => {
  const error = new DataError('pk-missing', 'Post has no pk.', { entity: 'Post', path: 'author' });
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe('DataError');
  expect(error.code).toBe('pk-missing');
  expect(error.entity).toBe('Post');
  expect(error.path).toBe('author');
  expect('cause' in error).toBe(false);
});

it('the message says what to do, except in production', () => {
  const make = (): DataError =>
    new DataError('pk-missing', 'Post has no pk.', { cure: inDevelopment(() => 'Give it one.') });
  const page = 'See node_modules/rejoin/docs/errors.md#pk-missing.';
  expect(make().message).toBe(`Post has no pk. Give it one. ${page}`);
  vi.stubEnv('NODE_ENV', 'production');
  expect(make().message).toBe(`Post has no pk. ${page}`);
  vi.unstubAllEnvs();
  // A page that was not bundled.
  vi.stubGlobal('process', undefined);
  const { message } = make();
  vi.unstubAllGlobals();
  expect(message).toBe(`Post has no pk. ${page}`);
});

it('the message ends with the heading that explains the code', () => {
  expect(new DataError('pk-missing', 'Post has no pk.').message).toBe(
    'Post has no pk. See node_modules/rejoin/docs/errors.md#pk-missing.',
  );
});

it('an error without a record has no entity and no path', () => {
  const error = new DataError('args-invalid', 'No.');
  expect(error.entity).toBeUndefined();
  expect(error.path).toBeUndefined();
});

it('the cause is the value that the application threw, also when it is undefined', () => {
  const cause = new Error('mine');
  expect(new DataError('hook-failed', 'No.', { cause }).cause).toBe(cause);
  expect('cause' in new DataError('hook-failed', 'No.', { cause: undefined })).toBe(true);
});

it('at() adds the place of the record before the known place inside the record', () => {
  const inside = new DataError('too-deep', 'No.', { path: 'settings' });
  expect(inside.at('[3]')).toBe(inside);
  expect(inside.path).toBe('[3].settings');
  expect(inside.message).toBe('At [3].settings: No. See node_modules/rejoin/docs/errors.md#too-deep.');
});

it('at() with an empty path keeps the known path, and names the top if there is none', () => {
  expect(new DataError('pk-missing', 'No.', { path: 'author' }).at('').path).toBe('author');
  expect(new DataError('pk-missing', 'No.').at('').message).toMatch(/^At the top: No\./);
});

it('at() sets the path of an error that has none', () => {
  expect(new DataError('pk-missing', 'No.').at('author').path).toBe('author');
});

it('the message contains no user and no password of a URL', () => {
  const error = new DataError('x', "GET https://me:secret@api.test/a 'ftp://x@b' http://a:p@ss@c/d@e of me@home.", {});
  expect(error.message).toBe(
    "GET https://api.test/a 'ftp://b' http://c/d@e of me@home. See node_modules/rejoin/docs/errors.md#x.",
  );
});

it.each([
  ['https://me@a', 'https://a'],
  ['//me:pw@a', '//a'],
  ['///me:pw@a', '///a'],
  ["https://me:it's@a/b", 'https://a/b'],
  ['https://me:pw@a//you:pw@b https://we:pw@c', 'https://a//b https://c'],
  ['https://me:@', 'https://'],
  ['see "//", me@home', 'see "//", me@home'],
  ['https://a/b?c=d@e#//f', 'https://a/b?c=d@e#//f'],
  ['https://a\\b@c', 'https://a\\b@c'],
  ['//', '//'],
  ['', ''],
])('the text %j without credentials is %j', (text, expected) => {
  expect(withoutCredentials(text)).toBe(expected);
});
