import { describe, expect, test } from 'vitest';
import {
  Controller,
  Entity,
  httpCaching,
  NetworkManager,
  platform as realPlatform,
  resource,
  type Platform,
} from 'rejoin';

class Book extends Entity {
  ID = '';
  title = '';
  '@odata.etag' = '';
  override pk(): string {
    return this.ID;
  }
  static override key = 'Book';
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** The platform with another network. */
function network(answer: (sent: Sent) => Response): { readonly platform: Platform; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch: Platform['fetch'] = async (url, { method = '', headers }) => {
    const one = { method, url, headers: headers as Record<string, string> };
    sent.push(one);
    return answer(one);
  };
  return { platform: { ...realPlatform, fetch }, sent };
}

describe('a NetworkManager that refreshes credentials', () => {
  let token = 'old';
  const isNew = ({ headers }: Sent): boolean => headers['Authorization'] === 'new';
  const book = { ID: '1', title: 'Joins' };
  const answer = (sent: Sent): Response => (isNew(sent) ? Response.json(book) : Response.json({}, { status: 401 }));
  const options = {
    path: '/books/:ID',
    schema: Book,
    getHeaders: (headers: Record<string, string>) => ({ ...headers, Authorization: token }),
  } as const;

  test('calls the function once for all requests of its controller, and once for each controller', async () => {
    const { platform, sent } = network(answer);
    const books = resource({ ...options, platform });
    let refreshes = 0;
    const refresh = async (): Promise<void> => {
      refreshes++;
      await Promise.resolve();
      token = 'new';
    };
    const controllers = [1, 2].map(() => new Controller({ managers: [new NetworkManager({ refresh })] }));
    token = 'old';
    const ask = (controller: Controller): Promise<unknown>[] =>
      ['1', '2'].map((ID) => controller.fetch(books.get, { ID }));
    await Promise.all(controllers.flatMap(ask));
    expect(refreshes).toBe(2);
    expect(sent).toHaveLength(8);
    const unchanged = books.get.extend({ refresh: false, path: '/other/:ID' });
    token = 'old';
    await expect(controllers[0]?.fetch(unchanged, { ID: '1' })).rejects.toMatchObject({ status: 401 });
    expect(refreshes).toBe(2);
  });
});

describe('a mutation of a record whose version is one of its fields', () => {
  function scene(optimistic: boolean) {
    let version = 1;
    const { platform, sent } = network(({ method }) => {
      if (method === 'DELETE') return new Response(null, { status: 204 });
      return Response.json({ ID: '1', title: 'x', '@odata.etag': `W/"${version++}"` });
    });
    const caching = httpCaching({ ifMatch: (record: Book) => record['@odata.etag'] });
    const books = resource({ path: '/Books\\(:ID\\)', schema: Book, platform, optimistic, caching });
    return { books, sent, controller: new Controller() };
  }

  test.each([false, true])('sends the version with an update and a deletion (optimistic: %s)', async (optimistic) => {
    const { books, sent, controller } = scene(optimistic);
    await controller.fetch(books.get, { ID: '1' });
    await controller.fetch(books.update, { ID: '1' }, { ID: '1', title: 'y' });
    await controller.fetch(books.partialUpdate, { ID: '1' }, { title: 'z' });
    await controller.fetch(books.delete, { ID: '1' });
    expect(sent.map(({ method, url, headers }) => [method, url, headers['If-Match']])).toEqual([
      ['GET', '/Books(1)', undefined],
      ['PUT', '/Books(1)', 'W/"1"'],
      ['PATCH', '/Books(1)', 'W/"2"'],
      ['DELETE', '/Books(1)', 'W/"3"'],
    ]);
  });

  test('sends no version if the record is not known', async () => {
    const { books, sent, controller } = scene(true);
    await controller.fetch(books.delete, { ID: '1' });
    await controller.fetch(books.getList.push, { title: 'new' });
    expect(sent.map(({ headers }) => headers['If-Match'])).toEqual([undefined, undefined]);
  });

  test('sends the version of the confirmed record, also if an optimistic update is shown', async () => {
    const { books, sent, controller } = scene(true);
    const update = books.update.extend({
      getOptimisticResponse: (_snapshot, { ID }) => ({ ID, title: 'guess', '@odata.etag': 'guessed' }) as never,
    });
    await controller.fetch(books.get, { ID: '1' });
    await controller.fetch(update, { ID: '1' }, { ID: '1', title: 'y' });
    await controller.fetch(update, { ID: '2' }, { ID: '2', title: 'y' });
    await controller.set(Book, { ID: '3' }, { ID: '3', title: 'x', '@odata.etag': 'W/"9"' });
    const controlled = controller.fetch(books.delete, { ID: '3' });
    await controller.fetch(update, { ID: '3' }, { ID: '3', title: 'y' });
    await controlled;
    expect(sent.map(({ method, headers }) => [method, headers['If-Match']])).toEqual([
      ['GET', undefined],
      ['PUT', 'W/"1"'],
      // The first record is unknown, and the last one is optimistically deleted.
      ['PUT', undefined],
      ['DELETE', 'W/"9"'],
      ['PUT', undefined],
    ]);
  });

  test('is sent without a version if the record cannot be read', async () => {
    class Broken extends Book {
      static override fromJS(): never {
        throw new Error('unreadable');
      }
    }
    const { platform, sent } = network(() => Response.json({ ID: '1', title: 'y' }));
    const broken = resource({ path: '/Books\\(:ID\\)', schema: Broken, platform, optimistic: true });
    const controller = new Controller();
    controller.store.write(Broken, { ID: '1', title: 'x' });
    await expect(controller.fetch(broken.update, { ID: '1' }, { title: 'y' })).rejects.toThrow('unreadable');
    expect(sent.map(({ method }) => method)).toEqual(['PUT']);
    expect(controller.store.row(Broken.key, '1')).toEqual({ ID: '1', title: 'y' });
  });
});
