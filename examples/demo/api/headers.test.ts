import { describe, expect, test } from 'vitest';
import { attachment } from './content-disposition.ts';
import { etagOf, isKnown, isMeant } from './etag.ts';
import { Problem } from './problem.ts';
import { cursorOf, cursorReply, pageOf, pageReply } from './paging.ts';
import type { ApiRequest } from './route.ts';

describe('an ETag', () => {
  const tag = etagOf('text');

  test('is strong, the same for the same text and another for another', () => {
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(etagOf('text')).toBe(tag);
    expect(etagOf('texts')).not.toBe(tag);
  });

  test.each([
    ['nothing', null, false],
    ['the tag', tag, true],
    ['the tag, weak', `W/${tag}`, true],
    ['one of several', `"a", ${tag} ,"b"`, true],
    ['another', '"a"', false],
    ['whatever there is', ' * ', true],
    ['no tag at all', 'nonsense', false],
    ['the tag without its quotes', tag.slice(1, -1), false],
  ])('of a client that has %s is known or not', (_, header, is) => {
    expect(isKnown(header, tag)).toBe(is);
  });

  test.each([
    ['the tag', tag, true],
    ['whatever there is', '*', true],
    ['one of several', `"a",${tag}`, true],
    ['the tag, weak', `W/${tag}`, false],
    ['another', '"a"', false],
  ])('of a write that expects %s is meant or not', (_, header, is) => {
    expect(isMeant(header, tag)).toBe(is);
  });
});

describe('the name of a download', () => {
  test.each([
    [null, 'attachment'],
    ['report.csv', 'attachment; filename="report.csv"'],
    ['a "b"; \\c.txt', String.raw`attachment; filename="a \"b\"; \\c.txt"`],
    ['résumé.txt', `attachment; filename="resume.txt"; filename*=UTF-8''r%C3%A9sum%C3%A9.txt`],
    ['日本', `attachment; filename="__"; filename*=UTF-8''%E6%97%A5%E6%9C%AC`],
    ["né's (1)*.txt", `attachment; filename="ne's (1)*.txt"; filename*=UTF-8''n%C3%A9%27s%20%281%29%2A.txt`],
    ['line\nbreak', `attachment; filename="line_break"; filename*=UTF-8''line%0Abreak`],
  ])('%s', (name, header) => {
    expect(attachment(name)).toBe(header);
  });
});

const asked = (path: string, query: Readonly<Record<string, unknown>>): ApiRequest =>
  ({ url: new URL(path, 'http://127.0.0.1:4600'), query }) as unknown as ApiRequest;
const linkOf = (request: ApiRequest, total: number): string => pageReply(request, [], total).headers?.['link'] ?? '';
const relations = (link: string): Record<string, string> =>
  Object.fromEntries(
    [...link.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, address = '', rel = '']) => [
      rel,
      new URL(address).searchParams.get('page') ?? '',
    ]),
  );

describe('a page of a list', () => {
  const page = (number: number): ApiRequest => asked(`/api/todos?page=${number}`, { page: number, perPage: 20 });

  test('has its number, its limit and its offset', () => {
    expect(pageOf(page(1))).toEqual({ page: 1, limit: 20, offset: 0 });
    expect(pageOf(page(4))).toEqual({ page: 4, limit: 20, offset: 60 });
  });

  test.each([
    ['the only one', 1, 20, { last: '1' }],
    ['of nothing', 1, 0, { last: '1' }],
    ['the first', 1, 21, { next: '2', last: '2' }],
    ['in the middle', 2, 60, { first: '1', prev: '1', next: '3', last: '3' }],
    ['the last', 3, 60, { first: '1', prev: '2', last: '3' }],
    ['behind the last', 9, 60, { first: '1', prev: '3', last: '3' }],
  ])('%s names its neighbours', (_, number, total, neighbours) => {
    expect(relations(linkOf(page(number), total))).toEqual(neighbours);
  });

  test('the links to its neighbours have the parameters of its own request', () => {
    const link = linkOf(asked('/api/todos?userId=3&perPage=5', { page: 1, perPage: 5 }), 10);
    expect(link).toContain('<http://127.0.0.1:4600/api/todos?userId=3&perPage=5&page=2>; rel="next"');
  });

  test('has the total number of records', () => {
    expect(pageReply(page(1), ['a'], 41)).toMatchObject({
      status: 200,
      body: ['a'],
      headers: { 'x-total-count': '41' },
    });
  });
});

describe('a cursor', () => {
  const feed = (query: Readonly<Record<string, unknown>>): ApiRequest =>
    asked('/api/feed?limit=2', { limit: 2, ...query });
  const found = [{ id: 3 }, { id: 5 }, { id: 8 }];

  test('without a value begins with the first record', () => {
    expect(cursorOf(feed({}))).toBe(0);
  });

  test('continues after the last record of the previous page', () => {
    const { body, headers } = cursorReply(feed({}), found);
    const { results, nextCursor } = body as { results: unknown[]; nextCursor: string };
    expect(results).toEqual([{ id: 3 }, { id: 5 }]);
    expect(cursorOf(feed({ cursor: nextCursor }))).toBe(5);
    expect(headers?.['link']).toBe(`<http://127.0.0.1:4600/api/feed?limit=2&cursor=${nextCursor}>; rel="next"`);
  });

  test.each([[found.slice(0, 2)], [[]]])('does not exist if no record follows', (rest) => {
    expect(cursorReply(feed({}), rest)).toEqual({
      status: 200,
      body: { results: rest, nextCursor: null },
      headers: {},
    });
  });

  test.each([
    'nonsense',
    '',
    'after:5',
    Buffer.from('before:5').toString('base64url'),
    Buffer.from('after:-1').toString('base64url'),
  ])('"%s" is not one that was given out', (cursor) => {
    expect(() => cursorOf(feed({ cursor }))).toThrow(Problem);
  });
});
