import fortune from 'fortune';
import listen from 'fortune-http';
import serializer from 'fortune-json-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Controller, Entity, resource } from '../../src/index.ts';
import { jsonApi } from '../../src/wire.ts';
import { type Listening, listening } from './listening.ts';

class Person extends Entity {
  id = '';
  name = '';
  articles: Article[] = [];
  static override key = 'Person';
}
class Tag extends Entity {
  id = '';
  label = '';
  static override key = 'Tag';
}
class Article extends Entity {
  id = '';
  title = '';
  author?: Person;
  tags: Tag[] = [];
  static override key = 'Article';
  static override schema = { author: Person, tags: [Tag] };
}
Person.schema = { articles: [Article] };

let server: Listening;
beforeAll(async () => {
  const store = fortune({
    person: { name: String, articles: [Array('article'), 'author'] },
    article: { title: String, author: ['person', 'articles'], tags: [Array('tag'), 'articles'] },
    tag: { label: String, articles: [Array('article'), 'tags'] },
  });
  await store.create('person', [
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Bob' },
  ]);
  await store.create('tag', [{ id: 1, label: 'x' }]);
  await store.create('article', [
    { id: 1, title: 'Joins', author: 1, tags: [1] },
    { id: 2, title: 'Views', author: 1, tags: [] },
  ]);
  server = await listening(listen(store, { serializers: [serializer] }));
});
afterAll(() => server.close());

interface Search {
  readonly include?: readonly string[];
  readonly sort?: string;
  readonly page?: { readonly offset?: number; readonly limit?: number };
}
const searchParams: Search = {};
const articlesAt = (urlPrefix: string) =>
  resource({
    urlPrefix,
    path: '/articles/:id',
    schema: Article,
    searchParams,
    optimistic: true,
    wire: jsonApi('articles', {
      relations: { author: 'people', tags: 'tags' },
      total: 'meta.count',
      next: 'links.next',
    }),
  });

describe('Fortune, a server of JSON:API', () => {
  test('sends pages with included records, which are joined in a circle', async () => {
    const { getList } = articlesAt(server.url);
    const page = await new Controller().fetch(getList, {
      include: ['author', 'author.articles', 'tags'],
      sort: '-title',
      page: { limit: 1 },
    });
    expect(server.asked()).toEqual([
      'GET /articles?include=author%2Cauthor.articles%2Ctags&page%5Blimit%5D=1&sort=-title',
    ]);
    expect(page.total).toBe(2);
    expect(page.next).toContain('page%5Boffset%5D=1');
    expect(page.items.map(({ title }) => title)).toEqual(['Views']);
    const { author } = page.items[0] as Article;
    expect(author?.name).toBe('Ann');
    expect(author?.articles.map(({ title }) => title).toSorted()).toEqual(['Joins', 'Views']);
    expect(author?.articles).toContain(page.items[0]);
  });

  test('creates, changes and deletes records', async () => {
    const { create, get, getList, partialUpdate, delete: remove } = articlesAt(server.url);
    const controller = new Controller();
    const page = await controller.fetch(getList, { include: ['author'], sort: 'title' });
    const author = page.items[0]?.author;
    const created = await controller.fetch(create, { title: 'New', author, tags: ['1'] });
    expect(created.author).toBe(controller.get(Person, { id: '1' }));
    await controller.fetch(partialUpdate, { id: created.id }, { title: 'Newer', author: '2', tags: [] });
    const read = await new Controller().fetch(get, { id: created.id, include: ['author'] } as { id: string });
    expect([read.title, read.author?.name, read.tags]).toEqual(['Newer', 'Bob', []]);
    await controller.fetch(remove, { id: created.id });
    await expect(new Controller().fetch(get, { id: created.id })).rejects.toMatchObject({
      status: 404,
      message: 'No records match the request.',
    });
  });
});
