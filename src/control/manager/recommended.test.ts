import { expect, test } from 'vitest';
import { platform } from '../../std/platform.ts';
import { RestEndpoint } from '../../define/rest/rest-endpoint.ts';
import { Controller } from '../controller/controller.ts';
import { GCPolicy, ImmortalGCPolicy } from '../controller/gc-policy.ts';
import { getDefaultManagers } from './default-managers.ts';
import { recommended, type RecommendedOptions } from './recommended.ts';
import { RefetchManager } from './refetch-manager.ts';

/** How often each method is tried of a server that is down for a moment. */
async function tries(options: RecommendedOptions, method: string): Promise<number> {
  let count = 0;
  const endpoint = new RestEndpoint({
    urlPrefix: 'https://api.test',
    path: '/posts/:id',
    method,
    body: undefined,
    platform: {
      ...platform,
      random: () => 0,
      fetch: async () => Response.json({}, { status: ++count === 4 ? 200 : 503 }),
    },
  });
  const controller = new Controller(recommended(options));
  await controller.fetch(endpoint, { id: '1' }).catch(() => {});
  controller.dispose();
  return count;
}

test('a read that fails is sent again three times, and a change is not', async () => {
  expect(await tries({}, 'GET')).toBe(4);
  expect(await tries({}, 'PUT')).toBe(1);
  expect(await tries({ retry: false }, 'GET')).toBe(1);
  expect(await tries({ networkManager: { dataExpiryLength: 1 } }, 'GET')).toBe(4);
});

test('stale data is fetched on focus and on reconnect, and one option switches off each of them', () => {
  const isRefetching = (options?: RecommendedOptions): boolean =>
    recommended(options).managers.some((manager) => manager instanceof RefetchManager);
  expect(isRefetching()).toBe(true);
  expect(isRefetching({ refetchOnFocus: false })).toBe(true);
  expect(isRefetching({ refetchOnReconnect: false })).toBe(true);
  expect(isRefetching({ refetchOnFocus: false, refetchOnReconnect: false })).toBe(false);
});

test('data that is not shown is garbage-collected, except with `collect: false`', () => {
  expect(recommended().gcPolicy).toBeInstanceOf(GCPolicy);
  expect(recommended({ collect: false }).gcPolicy).toBeInstanceOf(ImmortalGCPolicy);
});

test('the other managers are the default ones', () => {
  const kinds = (managers: readonly object[]): unknown[] => managers.map(({ constructor }) => constructor);
  expect(kinds(recommended({ refetchOnFocus: false, refetchOnReconnect: false }).managers)).toEqual(
    kinds(getDefaultManagers()),
  );
  expect(recommended({ subscriptionManager: null }).managers).toHaveLength(2);
});
