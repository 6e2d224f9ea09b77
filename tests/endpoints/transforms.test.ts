/* oxlint-disable typescript/no-explicit-any -- the subclasses are written as the specification writes them */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  camelCaseKeys,
  Controller,
  cursorIn,
  fileNameOf,
  readFile,
  renameKeys,
  RestEndpoint,
  type RestGenerics,
  restoreKeys,
  snakeCaseKeys,
  withLink,
} from '../../src/index.ts';
import { Stream } from '../seed/stream.ts';
import { type Api, json, startApi } from './api-server.ts';

const link = '</posts?cursor=abc>; rel="next"';
const bytes = new Uint8Array([0, 255, 37, 80]);
const stream = { title: 'x', game: 'chess', current_viewers: 7, live: true };
const binary = { 'Content-Type': 'application/octet-stream' };

let api: Api;
beforeAll(async () => {
  const user = { first_name: 'Ann', home: { zip_code: null }, past_jobs: [{ job_title: 'x', tags: [1, 'c_d'] }] };
  api = await startApi({
    'GET /users/1': () => json(user),
    'PUT /users/1': () => json(user),
    'PATCH /dishes/1': () => json({ id: 1, carrotsUsed: 5 }),
    'GET /linked': () => json([{ id: 1 }], { Link: link }),
    'GET /list': () => json([{ id: 1 }]),
    'GET /one': () => json({ id: 1 }),
    'GET /dishes/1': () => json({ id: 1, carrotsUsed: 5 }),
    'GET /ann': () => json(stream),
    'GET /products/BTC-USD/ticker': () => json({ price: 5 }),
    'GET /files/5/download': () => ({
      headers: { ...binary, 'Content-Disposition': 'attachment; filename="report.bin"' },
      body: bytes,
    }),
    'GET /files/6/download': () => ({ headers: binary, body: bytes }),
  });
});
afterAll(() => api.close());

describe('1. Key case transform', () => {
  class CamelEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override getRequestInit(body: any) {
      return body ? super.getRequestInit(snakeCaseKeys(body)) : super.getRequestInit(body);
    }
    override process(value: any) {
      return camelCaseKeys(value);
    }
  }
  const answer = { firstName: 'Ann', home: { zipCode: null }, pastJobs: [{ jobTitle: 'x', tags: [1, 'c_d'] }] };

  test('converts the body to snake_case and the response to camelCase, at every depth and in arrays', async () => {
    const update = new CamelEndpoint({ urlPrefix: api.url, path: '/users/:id', method: 'PUT' });
    const body = { firstName: 'Ann', pastJobs: [{ jobTitle: null, inner: { deepKey: 0 } }] };
    expect(await new Controller().fetch(update, { id: 1 }, body)).toEqual(answer);
    expect(api.received.at(-1)).toEqual({
      method: 'PUT',
      url: '/users/1',
      body: '{"first_name":"Ann","past_jobs":[{"job_title":null,"inner":{"deep_key":0}}]}',
    });
  });

  test('with no body, sends no body', async () => {
    const get = new CamelEndpoint({ urlPrefix: api.url, path: '/users/:id' });
    expect(await new Controller().fetch(get, { id: 1 })).toEqual(answer);
    expect(api.received.at(-1)).toEqual({ method: 'GET', url: '/users/1', body: '' });
  });
});

describe('2. Key rename', () => {
  const names = { carrotsUsed: 'carrots' };
  class RenamedEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override getRequestInit(body: any) {
      return super.getRequestInit(body && restoreKeys(body, names));
    }
    override process(value: any) {
      return renameKeys(value, names);
    }
  }

  test('renames in process, removes the original key, and does the inverse for a body with the client name', async () => {
    const update = new RenamedEndpoint({ urlPrefix: api.url, path: '/dishes/:id', method: 'PATCH' });
    expect(await update({ id: 1 }, { carrots: 6 })).toEqual({ id: 1, carrots: 5 });
    expect(api.received.at(-1)?.body).toBe('{"carrotsUsed":6}');
    await update({ id: 1 }, { name: 'x' });
    expect(api.received.at(-1)?.body).toBe('{"name":"x"}');
  });

  test('can be written by hand', async () => {
    const get = new RestEndpoint({
      urlPrefix: api.url,
      path: '/dishes/:id',
      process(value) {
        const { carrotsUsed, ...rest } = value;
        return { ...rest, carrots: carrotsUsed as number };
      },
    });
    expect(await get({ id: 1 })).toEqual({ id: 1, carrots: 5 });
  });
});

describe('3. Header access', () => {
  class LinkedEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override async parseResponse(response: Response) {
      return withLink(response, await super.parseResponse(response));
    }
  }

  test.each([
    ['a link header', '/linked', { link, results: [{ id: 1 }] }],
    ['an array', '/list', { link: null, results: [{ id: 1 }] }],
    ['neither', '/one', { id: 1 }],
  ])(
    'returns the link and the results of a response with a link or an array, and otherwise the body: %s',
    async (_name, path, expected) => {
      const get = new LinkedEndpoint({ urlPrefix: api.url, path });
      expect(await new Controller().fetch(get)).toEqual(expected);
    },
  );

  test('returns the cursor in a link', () => {
    expect(cursorIn(link, 'cursor')).toBe('abc');
  });
});

describe('4. File download', () => {
  const options = { path: '/files/:id/download', schema: undefined, dataExpiryLength: 0 } as const;
  class BlobEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override async parseResponse(response: Response): Promise<any> {
      return readFile(response);
    }
    override process(value: any): { blob: Blob; filename: string } {
      return value;
    }
  }

  test.each([
    ['5', 'report.bin'],
    ['6', 'download'],
  ])('of the file %s returns its blob and the name %s', async (id, filename) => {
    const download = new BlobEndpoint({ ...options, urlPrefix: api.url });
    const controller = new Controller();
    const file = await controller.fetch(download, { id });
    expect(file.filename).toBe(filename);
    expect(file.blob).toBeInstanceOf(Blob);
    expect(new Uint8Array(await file.blob.arrayBuffer())).toEqual(bytes);
    expect(controller.store.stats().rows).toBe(0);
  });

  test('is fetched again each time, and is removed from memory by the next garbage collection', async () => {
    const world = { time: 0 };
    const controller = new Controller({ now: () => world.time });
    const download = new BlobEndpoint({ ...options, urlPrefix: api.url });
    await controller.fetch(download, { id: '5' });
    world.time = 1;
    const before = api.received.length;
    await controller.fetchIfStale(download, { id: '5' });
    expect(api.received.length).toBe(before + 1);
    expect(controller.store.result(download.key({ id: '5' }))).toBeDefined();
    world.time = 1_000_000;
    for (const _ of controller.store.collect());
    expect(controller.store.result(download.key({ id: '5' }))).toBe(undefined);
  });

  test('may read the body as an array buffer instead', async () => {
    class BufferEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
      override async parseResponse(response: Response): Promise<any> {
        return {
          buffer: await response.arrayBuffer(),
          filename: fileNameOf(response.headers.get('Content-Disposition')),
        };
      }
      override process(value: any): { buffer: ArrayBuffer; filename: string } {
        return value;
      }
    }
    const { buffer, filename } = await new BufferEndpoint({ ...options, urlPrefix: api.url })({ id: '5' });
    expect(new Uint8Array(buffer)).toEqual(bytes);
    expect(filename).toBe('report.bin');
  });
});

describe('5. Joined input', () => {
  test('adds fields from the arguments of the path', async () => {
    const getStream = new RestEndpoint({
      urlPrefix: api.url,
      path: '/:username',
      schema: Stream,
      process(value, { username }) {
        value.username = username;
        return value;
      },
    });
    expect(await getStream({ username: 'ann' })).toEqual({ ...stream, username: 'ann' });
    const getTicker = new RestEndpoint({
      urlPrefix: api.url,
      path: '/products/:productId/ticker',
      pollFrequency: 2000,
      process(value, { productId }) {
        value.product_id = productId;
        return value;
      },
    });
    expect(await getTicker({ productId: 'BTC-USD' })).toEqual({ price: 5, product_id: 'BTC-USD' });
    expect(getTicker.pollFrequency).toBe(2000);
  });
});
