import { afterEach, expect, it, vi } from 'vitest';
import { randomText } from './random-text.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([['with crypto'], ['without crypto, as in React Native']])(
  'randomText() returns another text each time, %s',
  (name) => {
    if (name !== 'with crypto') vi.stubGlobal('crypto', undefined);
    const texts = Array.from({ length: 100 }, () => randomText());
    expect(new Set(texts).size).toBe(100);
    expect(texts.filter((text) => !/^[\da-z]{21}$/.test(text))).toEqual([]);
  },
);
