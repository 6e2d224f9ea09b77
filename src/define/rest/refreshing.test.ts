import { expect, test } from 'vitest';
import { platform as realPlatform } from '../../std/platform.ts';
import { RestEndpoint } from './rest-endpoint.ts';

test('credentials that end again are refreshed again', async () => {
  const credentials = { valid: 1, known: 0 };
  const refreshed: number[] = [];
  const fetch = async (_url: string, { headers }: RequestInit): Promise<Response> => {
    const isValid = new Headers(headers).get('authorization') === String(credentials.valid);
    return isValid ? Response.json({ id: '1' }) : new Response(null, { status: 401 });
  };
  const get = new RestEndpoint({
    urlPrefix: 'https://api.example',
    platform: { ...realPlatform, fetch },
    path: '/todos/:id',
    getHeaders: (given: Record<string, string>) => ({ ...given, Authorization: String(credentials.known) }),
    refresh: async () => {
      credentials.known = credentials.valid;
      refreshed.push(credentials.valid);
    },
  });
  await get({ id: '1' });
  expect(refreshed).toEqual([1]);
  credentials.valid = 2;
  await get({ id: '1' });
  await get({ id: '1' });
  expect(refreshed).toEqual([1, 2]);
});
