import { describe, expect, test } from 'vitest';
import { platform as realPlatform } from '../../std/platform.ts';
import { Entity } from '../schema/entity.ts';
import { RestEndpoint } from './rest-endpoint.ts';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

/** An endpoint whose mutation is answered with `ok` and the address of a record, and the requests that it sends. */
function located(
  method: 'POST' | 'PUT',
  read: () => Response = () => Response.json({ id: 3, title: 'made' }),
  Location = '/todos/3',
  urlPrefix = 'https://api.example',
  answeredAt = '',
) {
  const sent: string[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    sent.push(`${init.method} ${url} ${Object.keys(init.headers as object).join()}`);
    if (init.method === 'GET') return read();
    const answer = Response.json({ ok: true }, { status: 201, headers: { Location } });
    return Object.defineProperty(answer, 'url', { value: answeredAt });
  };
  const endpoint = new RestEndpoint({
    urlPrefix,
    platform: { ...realPlatform, fetch },
    method,
    path: '/todos',
    schema: Todo,
    body: {},
  });
  return { endpoint, sent };
}

describe('the record at the Location of an answer', () => {
  test('is read without the headers that concern only the mutation', async () => {
    const { endpoint, sent } = located('POST');
    const headers = { 'Idempotency-Key': 'a', 'Idempotency-Key-Scope': 'b', 'If-Match': 'c', 'X-Notif-Token': 'd' };
    const create = endpoint.extend({ getHeaders: (given: object) => ({ ...given, ...headers }) });
    expect(await create({ title: 'a' })).toEqual({ id: 3, title: 'made' });
    expect(sent).toEqual([
      'POST https://api.example/todos Content-Type,Idempotency-Key,Idempotency-Key-Scope,If-Match,X-Notif-Token,Accept',
      'GET https://api.example/todos/3 Idempotency-Key-Scope,X-Notif-Token,Accept',
    ]);
  });

  test('is not read after a method other than POST', async () => {
    const { endpoint, sent } = located('PUT');
    await endpoint({ title: 'a' });
    expect(sent).toHaveLength(1);
  });

  test('does not replace the answer if it cannot be read', async () => {
    const { endpoint, sent } = located('POST', () => new Response(null, { status: 404 }));
    expect(await endpoint({ title: 'a' })).toEqual({ ok: true });
    expect(sent).toHaveLength(2);
  });

  test.each([
    ['https://api.example', 'https://evil.example/todos/3'],
    ['https://api.example', '//evil.example/todos/3'],
    ['https://api.example', 'http://api.example/todos/3'],
    ['https://api.example', 'https://api.example:8080/todos/3'],
    ['https://api.example', 'data:application/json,{"id":4}'],
    ['https://api.example', 'https://['],
    ['/api', 'https://evil.example/todos/3'],
    ['capacitor://localhost', 'capacitor://evil/todos/3'],
  ])('is not read by an endpoint with the urlPrefix %s if the Location is %s', async (prefix, location) => {
    const { endpoint, sent } = located('POST', undefined, location, prefix);
    expect(await endpoint({ title: 'a' })).toEqual({ ok: true });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['https://api.example', 'https://api.example:443/todos/3?a=1', 'https://api.example/todos/3?a=1'],
    ['/api', '/todos/3?a=1', '/todos/3?a=1'],
    ['capacitor://localhost', '3', 'capacitor://localhost/3'],
  ])('of %s is read at %s', async (prefix, location, address) => {
    const { endpoint, sent } = located('POST', undefined, location, prefix);
    expect(await endpoint({ title: 'a' })).toEqual({ id: 3, title: 'made' });
    expect(sent[1]).toBe(`GET ${address} Accept`);
  });

  test.each([
    ['https://page.example/todos/3', ['GET https://page.example/todos/3 Accept']],
    ['/todos/3', ['GET https://page.example/todos/3 Accept']],
    ['https://evil.example/todos/3', []],
  ])('is on the origin of the page if the address of the mutation is relative: %s', async (location, reads) => {
    const { endpoint, sent } = located('POST', undefined, location, '/api', 'https://page.example/api/todos');
    await endpoint({ title: 'a' });
    expect(sent.slice(1)).toEqual(reads);
  });
});
