import { expect, test } from 'vitest';
import { platform as realPlatform } from '../../std/platform.ts';
import { RestEndpoint } from './rest-endpoint.ts';
import { retrying } from './retrying.ts';

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

test('an answer of 401 is the error if nothing refreshes the credentials', async () => {
  let count = 0;
  const fetch = async (): Promise<Response> => {
    count++;
    return new Response(null, { status: 401 });
  };
  const get = new RestEndpoint({ platform: { ...realPlatform, fetch }, path: '/todos/:id' });
  await expect(get({ id: '1' })).rejects.toMatchObject({ status: 401, cause: undefined });
  expect(count).toBe(1);
});

test('credentials that end during the wait before a repeat are refreshed, though another request has refreshed them meanwhile', async () => {
  let valid = 1;
  let known = 0;
  let refreshes = 0;
  let answersBusy = 1;
  const fetch = async (url: string, { headers }: RequestInit): Promise<Response> => {
    if (url.endsWith('/busy') && answersBusy-- > 0) {
      await get({ id: 'other' });
      valid = 2;
      return new Response(null, { status: 503 });
    }
    const isValid = new Headers(headers).get('authorization') === String(valid);
    return isValid ? Response.json({ id: '1' }) : new Response(null, { status: 401 });
  };
  const get = new RestEndpoint({
    urlPrefix: 'https://api.example',
    platform: { ...realPlatform, fetch, random: () => 0 },
    path: '/todos/:id',
    retry: retrying(),
    getHeaders: (given: Record<string, string>) => ({ ...given, Authorization: String(known) }),
    refresh: async () => {
      known = valid;
      refreshes++;
    },
  });
  expect(await get({ id: 'busy' })).toEqual({ id: '1' });
  expect(refreshes).toBe(2);
});
