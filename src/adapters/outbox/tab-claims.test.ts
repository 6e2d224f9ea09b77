import { expect, test } from 'vitest';
import { TabClaims } from './tab-claims.ts';

test('a lock that the browser grants only after the end of its tab is released at once', async () => {
  const grants: (() => void)[] = [];
  const claims = new TabClaims('app', {
    request: (_name, _options, run) => new Promise((resolve) => grants.push(() => resolve(run()))),
    query: async () => ({ held: [] }),
  });
  void claims.alone(async () => {});
  const ended = claims.end();
  for (const apply of grants) apply();
  await expect(ended).resolves.toBeUndefined();
});
