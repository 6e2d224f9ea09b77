import { afterEach, describe, expect, test, vi } from 'vitest';
import { fetchGuarded } from './redirects.ts';

/** A fetcher whose first answer is a redirect, and the requests that it gets. */
function redirecting(status: number, origins: readonly string[] = []) {
  const sent: (readonly [url: string, init: RequestInit])[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    sent.push([url, init]);
    if (sent.length > 1) return Response.json({ id: '5' });
    return new Response(null, { status, headers: { Location: 'https://api.example/end' } });
  };
  return { sent, fetcher: { urlPrefix: 'https://api.example', path: '/posts', origins, platform: { fetch } } };
}
const headers = { Authorization: 'a', 'Content-Type': 'text/plain', 'Content-Language': 'en' };
afterEach(() => void vi.unstubAllGlobals());

describe('a redirect that is followed', () => {
  test.each([
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [303, 'GET', 'GET'],
    [302, 'POST', 'GET'],
    [302, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
  ])('by a %i makes a %s to a %s', async (status, method, then) => {
    const { sent, fetcher } = redirecting(status);
    await fetchGuarded(fetcher, 'https://api.example/posts', { method, headers, redirect: 'follow' });
    expect(sent.map(([url, init]) => `${init.method} ${url}`)).toEqual([
      `${method} https://api.example/posts`,
      `${then} https://api.example/end`,
    ]);
    expect(Object.keys(sent[1]?.[1].headers as object)).toEqual(
      method === then ? Object.keys(headers) : ['Authorization'],
    );
  });

  test('sends no body with the GET that it becomes, even if a stream was the body', async () => {
    const { sent, fetcher } = redirecting(303);
    const body = new ReadableStream();
    await fetchGuarded(fetcher, 'https://api.example/posts', { method: 'POST', headers, body, redirect: 'follow' });
    expect(sent[1]?.[1]).not.toHaveProperty('body');
  });

  test('to another origin is refused, with the address that redirects', async () => {
    const { fetcher } = redirecting(307);
    const strict = { ...fetcher, urlPrefix: 'https://old.example' };
    const refused = fetchGuarded(strict, 'https://old.example/posts', { headers, redirect: 'follow' });
    await expect(refused).rejects.toThrow('The redirect of https://old.example/posts would send headers');
  });

  test.each([
    ['https://app.example/posts', 'follow', 'same-origin'],
    ['/posts', 'follow', 'same-origin'],
    ['https://api.example/posts', 'manual', undefined],
  ])('on a page, of %s, has the option %s', async (url, redirect, mode) => {
    vi.stubGlobal('location', { origin: 'https://app.example' });
    const { sent, fetcher } = redirecting(200);
    await fetchGuarded(fetcher, url, { headers, redirect: 'follow' });
    expect(sent[0]?.[1]).toMatchObject({ redirect, ...(mode && { mode }) });
  });
});
