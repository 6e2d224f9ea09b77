import { afterEach, expect, test, vi } from 'vitest';
import { Store } from 'rejoin';
import { Post } from '../model.ts';

function isFrozen(): boolean {
  const store = new Store();
  store.write(Post, { id: '1' });
  return Object.isFrozen(store.get(Post, { id: '1' }));
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test('values are frozen, except in production', () => {
  vi.stubEnv('NODE_ENV', 'development');
  expect(isFrozen()).toBe(true);
  vi.stubEnv('NODE_ENV', 'production');
  expect(isFrozen()).toBe(false);
});

test('values are frozen in a page without a bundler, because that counts as development', () => {
  vi.stubGlobal('process', undefined);
  expect(isFrozen()).toBe(true);
});
