import { describe, expect, test } from 'vitest';
import { type Platform, platform as realPlatform } from '../endpoint/platform.ts';
import { Entity } from '../schema/entity.ts';
import { fileNameOf, readFile } from './content-disposition.ts';
import type { Loose } from '../schema/infer-schema.ts';
import type { RestGenerics } from './infer-args.ts';
import { camelCaseKeys, snakeCaseKeys } from './key-case.ts';
import { renameKeys, restoreKeys } from './key-rename.ts';
import { cursorIn, withLink } from './link-header.ts';
import { RestEndpoint } from './rest-endpoint.ts';

/** A network with one answer, that keeps the bodies it was sent. */
function answering(response: () => Response): { readonly platform: Platform; readonly bodies: unknown[] } {
  const bodies: unknown[] = [];
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    bodies.push(init.body);
    return response();
  };
  return { platform: { ...realPlatform, fetch }, bodies };
}

class Stream extends Entity {
  username = '';
  title = '';
  game = '';
  currentViewers = 0;
  live = false;
  override pk(): string {
    return this.username;
  }
  static override key = 'Stream';
}

describe('1. the key case transform', () => {
  class CamelEndpoint<O extends RestGenerics = Loose> extends RestEndpoint<O> {
    override getRequestInit(body: Loose) {
      return body ? super.getRequestInit(snakeCaseKeys(body)) : super.getRequestInit(body);
    }
    override process(value: Loose) {
      return camelCaseKeys(value);
    }
  }
  const response = (): Response =>
    Response.json({
      first_name: 'Ann',
      home_address: { zip_code: null },
      past_jobs: [{ job_title: 'x', a_b: [1, 'c_d'] }],
    });

  test('sends snake_case and gives camelCase, at every depth and in arrays', async () => {
    const { platform, bodies } = answering(response);
    const update = new CamelEndpoint({ path: '/users/:id', method: 'PUT', platform });
    const value = await update({ id: 1 }, { firstName: 'Ann', pastJobs: [{ jobTitle: null, nested: { deepKey: 0 } }] });
    expect(value).toEqual({
      firstName: 'Ann',
      homeAddress: { zipCode: null },
      pastJobs: [{ jobTitle: 'x', aB: [1, 'c_d'] }],
    });
    expect(bodies).toEqual(['{"first_name":"Ann","past_jobs":[{"job_title":null,"nested":{"deep_key":0}}]}']);
  });

  test('passes through what has no body', async () => {
    const { platform, bodies } = answering(response);
    await new CamelEndpoint({ path: '/users/:id', platform })({ id: 1 });
    expect(bodies).toEqual([undefined]);
  });
});

describe('2. the key rename', () => {
  const names = { carrotsUsed: 'carrots' };
  class RenamedEndpoint<O extends RestGenerics = Loose> extends RestEndpoint<O> {
    override getRequestInit(body: Loose) {
      return super.getRequestInit(body && restoreKeys(body, names));
    }
    override process(value: Loose) {
      return renameKeys(value, names);
    }
  }

  test('gives the shorter name, removes the original, and does the inverse for a body', async () => {
    const { platform, bodies } = answering(() => Response.json({ id: 1, carrotsUsed: 5 }));
    const update = new RenamedEndpoint({ path: '/dishes/:id', method: 'PATCH', platform });
    expect(await update({ id: 1 }, { carrots: 6 })).toEqual({ id: 1, carrots: 5 });
    await update({ id: 1 }, { name: 'x' });
    expect(bodies).toEqual(['{"carrotsUsed":6}', '{"name":"x"}']);
  });

  test('works written by hand, as well', async () => {
    const { platform } = answering(() => Response.json({ id: 1, carrotsUsed: 5 }));
    const get = new RestEndpoint({
      path: '/dishes/:id',
      platform,
      process(value) {
        const { carrotsUsed, ...rest } = value;
        return { ...rest, carrots: carrotsUsed as number };
      },
    });
    expect(await get({ id: 1 })).toEqual({ id: 1, carrots: 5 });
  });
});

describe('3. header access', () => {
  class LinkedEndpoint<O extends RestGenerics = Loose> extends RestEndpoint<O> {
    override async parseResponse(response: Response) {
      return withLink(response, await super.parseResponse(response));
    }
  }
  const get = new LinkedEndpoint({ path: '/posts' });

  test('gives the link and the results of a list, or of what has a link', async () => {
    const link = '</posts?cursor=abc>; rel="next"';
    const linked = answering(() => Response.json([{ id: 1 }], { headers: { Link: link } }));
    const page = (await get.extend({ platform: linked.platform })()) as { link: string };
    expect(page).toEqual({ link, results: [{ id: 1 }] });
    expect(cursorIn(page.link, 'cursor')).toBe('abc');
    const list = answering(() => Response.json([{ id: 1 }]));
    expect(await get.extend({ platform: list.platform })()).toEqual({ link: null, results: [{ id: 1 }] });
  });

  test('gives the body of anything else', async () => {
    const { platform } = answering(() => Response.json({ id: 1 }));
    expect(await get.extend({ platform })()).toEqual({ id: 1 });
  });
});

describe('4. the file download', () => {
  const response =
    (headers: Record<string, string> = {}) =>
    (): Response =>
      new Response('%PDF', { headers: { 'Content-Type': 'application/pdf', ...headers } });
  const download = new RestEndpoint({
    path: '/files/:id/download',
    schema: undefined,
    dataExpiryLength: 0,
    parseResponse: readFile,
    process: (value): { blob: Blob; filename: string } => value,
  });

  test('gives the blob and the name of the file', async () => {
    const { platform } = answering(response({ 'Content-Disposition': 'attachment; filename="report.pdf"' }));
    const { blob, filename } = await download.extend({ platform })({ id: '5' });
    expect(filename).toBe('report.pdf');
    expect(blob).toBeInstanceOf(Blob);
    expect(await blob.text()).toBe('%PDF');
    expect(download.schema).toBe(undefined);
    expect(download.dataExpiryLength).toBe(0);
  });

  test('has the name download where the response has none', async () => {
    const { platform } = answering(response());
    expect((await download.extend({ platform })({ id: '5' })).filename).toBe('download');
  });

  test('may be read as an array buffer', async () => {
    const { platform } = answering(response({ 'Content-Disposition': 'attachment; filename=a.bin' }));
    const buffered = download.extend({
      platform,
      async parseResponse(answer: Response) {
        return { buffer: await answer.arrayBuffer(), filename: fileNameOf(answer.headers.get('Content-Disposition')) };
      },
      process: (value): { buffer: ArrayBuffer; filename: string } => value,
    });
    const { buffer, filename } = await buffered({ id: '5' });
    expect([buffer.byteLength, filename]).toEqual([4, 'a.bin']);
  });
});

describe('5. the joined input', () => {
  test('has fields of the path arguments', async () => {
    const body = { title: 'x', game: 'chess', current_viewers: 7, live: true };
    const { platform } = answering(() => Response.json(body));
    const getStream = new RestEndpoint({
      urlPrefix: 'https://api.example',
      path: '/:username',
      schema: Stream,
      platform,
      process(value, { username }) {
        value.username = username;
        return value;
      },
    });
    expect(await getStream({ username: 'ann' })).toEqual({ ...body, username: 'ann' });
    const getTicker = new RestEndpoint({
      path: '/products/:productId/ticker',
      pollFrequency: 2000,
      platform,
      process(value, { productId }) {
        value.product_id = productId;
        return value;
      },
    });
    expect(await getTicker({ productId: 'BTC-USD' })).toEqual({ ...body, product_id: 'BTC-USD' });
    expect(getTicker.pollFrequency).toBe(2000);
  });
});
