import { afterEach, describe, expect, it, vi } from 'vitest';
import { warn } from './warn.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => {
  log.mockClear();
  vi.unstubAllEnvs();
});

describe('a warning', () => {
  it('is given once for what it is about, with the address of its page', () => {
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

  it('is none where there is nothing to tell', () => {
    warn({}, 'some-mistake', () => undefined);
    expect(log).not.toHaveBeenCalled();
  });

  it('is not made in production, nor where a page has no process', () => {
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
