import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as Mock from '@sap-ux/fe-mockserver-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Controller, Entity, resource } from '../../src/index.ts';
import { odata } from '../../src/wire.ts';
import { type Listening, listening } from './listening.ts';

class Author extends Entity {
  ID = 0;
  name = '';
  static override key = 'Author';
  override pk() {
    return String(this.ID);
  }
}
class Book extends Entity {
  ID = 0;
  title = '';
  price = 0;
  author?: Author;
  static override key = 'Book';
  static override schema = { author: Author };
  override pk() {
    return String(this.ID);
  }
}

const { default: MockServer } = createRequire(import.meta.url)(
  '@sap-ux/fe-mockserver-core',
) as (typeof Mock)['default'];

let server: Listening;
beforeAll(async () => {
  const folder = fileURLToPath(new URL('odata', import.meta.url));
  const silent = { info() {}, debug() {}, error() {}, warn() {} };
  const service = { urlPath: '/odata', metadataPath: `${folder}/metadata.xml`, mockdataPath: folder, watch: false };
  const mock = new MockServer({ services: [service], logger: silent });
  await mock.isReady;
  const router = mock.getRouter();
  server = await listening((request, response) => router(request, response, () => response.writeHead(404).end()));
});
afterAll(() => server.close());

interface Search {
  readonly $expand?: 'author';
  readonly $filter?: string;
  readonly $top?: number;
}
const searchParams: Search = {};
const booksAt = (origin: string) =>
  resource({
    urlPrefix: `${origin}/odata`,
    path: '/Books\\(:ID\\)',
    schema: Book,
    searchParams,
    nonFilterArgumentKeys: ['$expand', '$top'],
    wire: odata({ total: '@odata.count', write: { author: 'author_ID' } }),
  });

describe('the mock server of SAP Fiori, a server of OData 4', () => {
  test('sends filtered pages with expanded records', async () => {
    const { getList } = booksAt(server.url);
    const page = await new Controller().fetch(getList, { $expand: 'author', $filter: "title eq 'Views'", $top: 1 });
    expect(page.total).toBe(1);
    expect(page.items[0]?.author?.name).toBe('Bob');
    expect(server.asked()).toEqual(['GET /odata/Books?%24expand=author&%24filter=title%20eq%20%27Views%27&%24top=1']);
  });

  test('sends one record, whose annotations of the document are left out', async () => {
    const book = await new Controller().fetch(booksAt(server.url).get, { ID: 1 });
    expect(book).toEqual({ ID: 1, title: 'Joins', price: 10, author_ID: 1 });
  });

  test('creates, changes and deletes records', async () => {
    const { create, get, getList, partialUpdate, delete: remove } = booksAt(server.url);
    const controller = new Controller();
    const { items } = await controller.fetch(getList, { $expand: 'author' });
    const created = await controller.fetch(create, { ID: 5, title: 'Keys', author: items[1]?.author });
    expect(created.title).toBe('Keys');
    expect(controller.get(getList.schema.items, { $expand: 'author' })).toContain(created);
    await controller.fetch(partialUpdate, { ID: 5 }, { price: 3 });
    expect(controller.get(Book, { ID: 5 })?.price).toBe(3);
    expect((await new Controller().fetch(get, { ID: 5 })).price).toBe(3);
    await controller.fetch(remove, { ID: 5 });
    await expect(new Controller().fetch(get, { ID: 5 })).rejects.toMatchObject({ status: 404 });
  });
});
