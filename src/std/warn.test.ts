import { afterEach, describe, expect, it, vi } from 'vitest';
import { DataError } from './data-error.ts';
import { warn } from './warn.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => {
  log.mockClear();
  vi.unstubAllEnvs();
});

describe('a warning', () => {
  it('is logged once for each object, with the address of its documentation', () => {
    const [one, other] = [{}, {}];
    const twice = (about: object): void => {
      warn(about, 'some-mistake', () => 'This is wrong. Do that.');
      warn(about, 'some-mistake', () => 'This is wrong. Do that.');
    };
    twice(one);
    expect(log.mock.calls).toEqual([['This is wrong. Do that. See node_modules/rejoin/docs/errors.md#some-mistake.']]);
    twice(other);
    warn(one, 'some-mistake', () => 'That is wrong too.');
    expect(log).toHaveBeenCalledTimes(3);
  });

  it('that quotes an error has only the address of that error', () => {
    const error = new DataError('pk-missing', 'A record has no pk.');
    warn({}, 'write-failed', () => `set() did nothing: ${error.message}`);
    expect(log.mock.calls).toEqual([
      ['set() did nothing: A record has no pk. See node_modules/rejoin/docs/errors.md#pk-missing.'],
    ]);
  });

  it('is not logged when its text is undefined', () => {
    warn({}, 'some-mistake', () => undefined);
    expect(log).not.toHaveBeenCalled();
  });

  it('is not logged in production, nor when there is no global `process`', () => {
    vi.stubEnv('NODE_ENV', 'production');
    const text = vi.fn<() => string>(() => 'never');
    warn({}, 'some-mistake', text);
    vi.stubGlobal('process', undefined);
    warn({}, 'some-mistake', text);
    vi.unstubAllGlobals();
    expect(text).not.toHaveBeenCalled();
    expect(log).not.toHaveBeenCalled();
  });
});
