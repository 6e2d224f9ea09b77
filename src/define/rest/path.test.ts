import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesPath } from './path-match.ts';
import { parseTemplate } from './path-template.ts';
import { addressOf, getUrlBase, getUrlTokens, searchToString, withSearch } from './url.ts';

const fill = (path: string, params: Readonly<Record<string, unknown>> = {}): string => getUrlBase(path)(params);
const code = (wanted: string): unknown => expect.objectContaining({ code: wanted });

const shortenPath = (path: string): string => parseTemplate(path).shortened;

describe('a path', () => {
  test.each([
    ['/posts', {}, '/posts'],
    ['/posts/:id', { id: '5' }, '/posts/5'],
    ['/posts/:id', { id: 5 }, '/posts/5'],
    ['/posts/:id', { id: 12345678901234567890n }, '/posts/12345678901234567890'],
    ['/posts/:draft', { draft: false }, '/posts/false'],
    ['/:a.:b-:c', { a: 1, b: 2, c: 3 }, '/1.2-3'],
    ['/users/:userId/posts/:id', { userId: 'a/b', id: 'ü ?#%' }, '/users/a%2Fb/posts/%C3%BC%20%3F%23%25'],
    ['/files/*path', { path: ['a', 'b c'] }, '/files/a/b%20c'],
    ['/posts{/:id}', {}, '/posts'],
    ['/posts{/:id}', { id: 1 }, '/posts/1'],
    ['/:a{/:b{/:c}}', { a: 1, b: 2 }, '/1/2'],
    ['/:a{/:b{/:c}}', { a: 1, c: 3 }, '/1'],
    ['/posts{.json}', {}, '/posts.json'],
    ['/:"post-id"/*"the rest"', { 'post-id': 1, 'the rest': ['x'] }, '/1/x'],
    ['/a\\:b/\\{c\\}\\*\\\\d', {}, undefined],
    ['/a\\:b/\\{c\\}\\*\\(d\\)', {}, '/a:b/{c}*(d)'],
    ['/search?q=:q+more', { q: 'x y' }, '/search?q=x%20y+more'],
    ['/search?in=..', {}, '/search?in=..'],
    ['/a#..', {}, '/a#..'],
    ['/a#b?..', {}, '/a#b?..'],
    ['/café/:größe$1', { größe$1: 1 }, '/café/1'],
    [`${'{'.repeat(16)}/a${'}'.repeat(16)}`, {}, '/a'],
  ])('%s with %o', (path, params, filled) => {
    if (filled === undefined) expect(() => fill(path, params)).toThrow(code('path-invalid'));
    else expect(fill(path, params)).toBe(filled);
  });

  test.each([
    ['{', "cannot be read at '{'"],
    ['/{a}{:b/{c}', "at '{:b/{c}'"],
    ['/a}', "at '}'"],
    ['/:', "at ':'"],
    ['/:/a', "at ':/a'"],
    ['/*', "at '*'"],
    ['/:"', "at ':\"'"],
    ['/:""', `at ':""'`],
    ['/a\\', "at '/a\\'"],
    ['/(a)', "at '(a)'. A parameter takes no pattern, and a parenthesis is written \\\\(."],
    ['/a)', "at ')'"],
    ['/a}}', "The path '/a}}' cannot be read at '}}'. Correct the path of the endpoint."],
    [`${'{'.repeat(17)}/a${'}'.repeat(17)}`, `at '{/a}}}}`],
    ['{'.repeat(40), `at '${'{'.repeat(20)}'`],
    ['/a\tb', "at '/a\tb'"],
    ['/a/:b\\\\c', "at '\\\\c'"],
    ['/./a', 'a segment of dots'],
    ['/a/..', 'a segment of dots'],
    ['/%2E%2e/a', 'a segment of dots'],
  ])('%s is an error', (path, message) => {
    expect(() => fill(path)).toThrow(code('path-invalid'));
    expect(() => fill(path)).toThrow(message);
  });

  test('is an error without a required parameter', () => {
    expect(() => fill('/posts/:id')).toThrow(code('param-missing'));
    expect(() => fill('/posts/:id', { id: undefined })).toThrow(
      "The path '/posts/:id' needs the parameter id, but was given none. Pass { id: … } as the first argument",
    );
    expect(() => fill('/posts/:id', { postId: 5, page: undefined })).toThrow('the parameter id, but was given postId.');
    expect(() => fill('/files/*path')).toThrow(code('param-missing'));
    expect(() => fill('/:toString')).toThrow(code('param-missing'));
  });

  test.each([
    ['', "cannot be ''"],
    ['.', "cannot be '.'"],
    ['..', "cannot be '..'"],
    [null, "cannot be 'null'"],
    [Number.NaN, "cannot be 'NaN'"],
    [Number.POSITIVE_INFINITY, "cannot be 'Infinity'"],
    [2 ** 60, "cannot be '1152921504606847000'"],
    [{}, 'cannot be of type object'],
    [['a'], 'cannot be of type object'],
    [() => 1, 'cannot be of type function'],
    [Symbol('s'), "cannot be 'Symbol(s)'"],
    ['\ud800', "cannot be '\ud800'"],
  ])('refuses %o as a parameter', (value, message) => {
    expect(() => fill('/posts/:id', { id: value })).toThrow(code('param-invalid'));
    expect(() => fill('/posts/:id', { id: value })).toThrow(message);
    expect(() => fill('/files/*path', { path: ['a', value] })).toThrow(code('param-invalid'));
  });

  test('refuses a wildcard that is not a list of segments', () => {
    expect(() => fill('/files/*path', { path: 'a/b' })).toThrow("cannot be 'a/b'. Pass");
    expect(() => fill('/files/*path', { path: [] })).toThrow('for a wildcard, a list');
  });

  test('does not let two parameters form a segment of dots', () => {
    expect(() => fill('/:a.:b', { a: 'x', b: 'y' })).not.toThrow();
    expect(() => fill('/{.:a}.', {})).toThrow(code('path-invalid'));
  });

  test('has the names of its parameters', () => {
    expect([...getUrlTokens('/:a{/:b}/*c')]).toEqual(['a', 'b', 'c']);
    expect([...getUrlTokens('/posts')]).toEqual([]);
  });

  test('is parsed correctly after thousands of other paths', () => {
    for (let at = 0; at < 2100; at++) expect(fill(`/posts${at}/:id`, { id: 1 })).toBe(`/posts${at}/1`);
    expect(fill('/posts0/:id', { id: 2 })).toBe('/posts0/2');
  });

  test('without its last parameter is that of the list', () => {
    expect(shortenPath('/posts/:id')).toBe('/posts');
    expect(shortenPath('/users/:userId/posts/:id')).toBe('/users/:userId/posts');
    expect(shortenPath('/posts/:id/edit')).toBe('/posts');
    expect(shortenPath('/posts{/:id}')).toBe('/posts');
    expect(shortenPath('/a{/:b{/:c}}')).toBe('/a{/:b}');
    expect(shortenPath('/a{/:b/:c}')).toBe('/a{/:b}');
    expect(shortenPath('/a{/b/:c}')).toBe('/a');
    expect(shortenPath('/a{/b{/c{/:d}}}')).toBe('/a');
    expect(shortenPath('/a{/b}/:c')).toBe('/a{/b}');
    expect(shortenPath('/files/:"the id"/*path')).toBe('/files/:"the id"');
    expect(shortenPath('/files/*path/:id')).toBe('/files/*path');
    expect(shortenPath('https\\://api.example/\\(a\\)/:id')).toBe('https\\://api.example/\\(a\\)');
    expect(shortenPath('/:id')).toBe('');
    expect(shortenPath('/posts')).toBe('/posts');
  });

  test('of a list keeps the suffix of the path of a record', () => {
    expect(shortenPath('/issues/:id.json')).toBe('/issues.json');
    expect(shortenPath('/projects/:project/issues/:id.tar.gz')).toBe('/projects/:project/issues.tar.gz');
    expect(shortenPath('/issues{/:id}.json')).toBe('/issues.json');
    expect(shortenPath('/issues{/:id.json}')).toBe('/issues');
    expect(shortenPath('/files/:"the id".json')).toBe('/files.json');
    expect(shortenPath('/files/*path.json')).toBe('/files.json');
    expect(shortenPath('/issues/:id.json/edit')).toBe('/issues');
    expect(shortenPath('/issues/:id/')).toBe('/issues/');
    expect(shortenPath('/issues{/:id}/')).toBe('/issues/');
    expect(shortenPath('/:id/')).toBe('/');
    expect(shortenPath('/issues/:id-draft')).toBe('/issues');
  });

  test('of a list has none of the parameters that name a record', () => {
    expect(shortenPath('/books/:id-:slug')).toBe('/books');
    expect(shortenPath('/books/:id-:slug.json')).toBe('/books.json');
    expect(shortenPath('/books/:id?lang=:lang')).toBe('/books');
  });

  test('of a list keeps a suffix that is a parameter', () => {
    expect(shortenPath('/books/:id.:format')).toBe('/books.:format');
    expect(shortenPath('/books/:id{.:format}')).toBe('/books{.:format}');
    expect(shortenPath('/:lang/books/:id-:slug.:format')).toBe('/:lang/books.:format');
    expect(shortenPath('/books/v.:format')).toBe('/books/v.');
  });

  test('of a list has no parentheses around the parameter', () => {
    expect(shortenPath('/Books\\(:ID\\)')).toBe('/Books');
    expect(shortenPath("/Books\\(':ID'\\)")).toBe('/Books');
    expect(shortenPath('/Books\\(ID=:ID,IsActive=:IsActive\\)')).toBe('/Books');
    expect(shortenPath('/Orders\\(:order\\)/Items\\(:id\\)')).toBe('/Orders\\(:order\\)/Items');
    expect(shortenPath('/Books\\(:ID\\).json')).toBe('/Books.json');
    expect(shortenPath('/Books\\(:ID\\)/Author')).toBe('/Books');
    expect(shortenPath('/a\\(b\\)/:id')).toBe('/a\\(b\\)');
    expect(shortenPath('/a\\(b/:id')).toBe('/a\\(b');
  });
});

describe('a path that is generated', () => {
  test('is refused if it is longer than any address, and not cached if it is longer than real paths', () => {
    const long = `/${'a'.repeat(2000)}/:id`;
    expect(getUrlBase(long)({ id: 5 })).toBe(long.replace(':id', '5'));
    expect(getUrlTokens(long)).not.toBe(getUrlTokens(long));
    expect(getUrlTokens('/short/:id')).toBe(getUrlTokens('/short/:id'));
    expect(() => getUrlBase(`/${'a'.repeat(70_000)}`)).toThrow(
      expect.objectContaining({
        code: 'path-invalid',
        message: expect.stringContaining(
          `The path '/${'a'.repeat(49)}…' is longer than any address. Correct the path of the endpoint.`,
        ),
      }),
    );
  });
});

describe('the test whether a path matches a template', () => {
  test.each([
    ['/posts', '/posts', true],
    ['/posts', '/post', false],
    ['/posts', '/posts/', false],
    ['/posts/:id', '/posts/5', true],
    ['/posts/:id', '/posts/', false],
    ['/posts/:id', '/posts/5/comments', false],
    ['/:a.:b', '/x.y.z', true],
    ['/files/*path', '/files/a/b/c', true],
    ['/files/*path', '/files/', false],
    ['/posts{/:id}', '/posts', true],
    ['/posts{/:id}', '/posts/1', true],
    ['/posts{/:id}', '/posts/1/2', false],
    ['/:a{/:b{/:c}}/x', '/1/2/x', true],
    ['/a\\:b', '/a:b', true],
    ['/search?q=:q', '/search', true],
    ['/search?q=:q', '/searches', false],
    ['/search{?q=:q}', '/search', true],
    ['/search{?q=:q}{&page=:page}', '/search', true],
    ['/search?q=:q/more', '/search', true],
    ['/posts{/:id?part=:part}', '/posts/5', true],
    ['/posts{/:id?part=:part}', '/posts/5/6', false],
    ['/posts?', '/posts', true],
    ['', '', true],
    ['', '/', false],
  ])('%s, %s: %s', (template, path, is) => {
    expect(matchesPath(template, path)).toBe(is);
    expect(matchesPath(template, path)).toBe(is);
  });

  test('takes no longer for a path that almost matches', () => {
    const template = `${'{/:a}'.repeat(12)}${'/*b'.repeat(8)}/end`;
    const path = '/a'.repeat(2000);
    const from = process.cpuUsage();
    expect(matchesPath(template, path)).toBe(false);
    expect(process.cpuUsage(from).user).toBeLessThan(1_000_000);
  });
});

describe('an address', () => {
  const address = (prefix: string, path: string, params: Readonly<Record<string, unknown>> = {}): string =>
    addressOf(prefix, path, params).address;

  test('is the prefix and the path', () => {
    expect(address('https://api.example', '/posts/:id', { id: 1 })).toBe('https://api.example/posts/1');
    expect(address('https://api.example/v1/', 'posts', {})).toBe('https://api.example/v1/posts');
    expect(address('/api', '/posts', {})).toBe('/api/posts');
    expect(address('', '/posts', {})).toBe('/posts');
    expect(address('', 'posts/:id', { id: 1 })).toBe('posts/1');
    expect(address('', ':id', { id: 'javascript:alert(1)' })).toBe('javascript%3Aalert(1)');
    expect(address('app://host', '/posts', {})).toBe('app://host/posts');
  });

  test('may have its host in the path, as long as no parameter is part of it', () => {
    expect(address('', 'https\\://api.example/posts/:id', { id: 1 })).toBe('https://api.example/posts/1');
    expect(address('', '//api.example/posts/:id', { id: 1 })).toBe('//api.example/posts/1');
  });

  test.each([
    ['https://api.example', '.evil.example/posts', {}],
    ['https://api.example', ':id', { id: '.evil.example' }],
    ['https://api.example', ':id', { id: ':8080' }],
    ['https://api.example', '@evil.example', {}],
    ['', 'https\\://:host/posts', { host: 'evil.example' }],
    ['', 'https\\://api.example:host/posts', { host: '.evil.example' }],
    ['', '//:host/posts', { host: 'evil.example' }],
    ['', '/{:a}/evil.example', {}],
    ['/', '/evil.example', {}],
    ['https:', '//:host', { host: 'evil.example' }],
    ['https://a b', '/posts', {}],
    ['capacitor://localhost', '.evil/posts', {}],
  ])('of %s and %s does not lead away', (prefix, path, params) => {
    expect(() => address(prefix, path, params)).toThrow(code('path-invalid'));
  });

  test('is checked again if parameters can change its origin', () => {
    expect(address('', '/{:a}/:b', { a: 1, b: 'x' })).toBe('/1/x');
    expect(() => address('', '/{:a}/:b', { b: 'evil.example' })).toThrow(code('path-invalid'));
    expect(address('https://api.example', '\\::port/x', { port: 443 })).toBe('https://api.example:443/x');
    expect(() => address('https://api.example', '\\::port/x', { port: 8080 })).toThrow(code('path-invalid'));
    expect(address('', '/a/%2:b', { b: 'x' })).toBe('/a/%2x');
    expect(() => address('', '/a/%2:b', { b: 'e' })).toThrow(code('path-invalid'));
    expect(address('', '//api.example\\::port/a', { port: 80 })).toBe('//api.example:80/a');
    expect(() => address('', '//api.example\\::port/a', { port: 8080 })).toThrow(code('path-invalid'));
    expect(address('/', '/:host', { host: 'here.invalid' })).toBe('//here.invalid');
    expect(() => address('/', '/:host', { host: 'evil.example' })).toThrow(code('path-invalid'));
  });

  test('that leads away is an error that says how to correct the path', () => {
    expect(() => address('https://api.example', 'posts')).toThrow(
      "The path 'posts' leads away from the origin of urlPrefix 'https://api.example'. Begin the path with a slash.",
    );
    expect(() => address('', '/{:a}/evil.example')).toThrow("urlPrefix ''. Correct the path of the endpoint.");
  });

  test('returns the remaining parameters for the query', () => {
    const { rest } = addressOf('', '/posts/:id', { id: 1, page: 2, __proto__: 3 });
    expect(rest).toEqual({ page: 2 });
  });

  const names = fc.stringMatching(/^[a-z]{1,5}$/);
  const literal = fc.stringMatching(/^[a-z0-9._~-]{1,6}$/).filter((text) => text !== '.' && text !== '..');
  const segment = fc.oneof(
    { weight: 2, arbitrary: literal.map((text) => ({ text })) },
    { weight: 3, arbitrary: names.map((name) => ({ text: `:${name}` })) },
    {
      weight: 1,
      arbitrary: fc.tuple(literal, names).map(([text, name]) => ({ text: `${text}:${name}` })),
    },
  );
  const hostile = fc.constantFrom(
    '..',
    '.',
    '',
    '%2e%2e',
    '..%2f',
    '../..',
    '\\',
    '/',
    '//evil.example',
    'https://evil.example',
    '@evil.example',
    ':80',
    '?q',
    '#f',
    '\t',
    '\r\nX: 1',
    '\u0000',
    '\ud800',
    'ü',
    ' ',
    ';',
  );
  const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), hostile, fc.integer(), fc.constant(null));

  test(
    'keeps its origin, its prefix and its segments, whatever the parameters are, or is an error',
    { timeout: 600_000 },
    () => {
      const prefixes = fc.constantFrom('', 'https://api.example', 'https://api.example/v1', '/api', '//cdn.example');
      let built = 0;
      const property = fc.property(
        prefixes,
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(value),
        (prefix, segments, values) => {
          const path = segments.map(({ text }) => `/${text}`).join('');
          const params: Record<string, unknown> = {};
          for (const name of getUrlTokens(path)) params[name] = values.next().value;
          let url: string;
          try {
            url = address(prefix, path, params);
          } catch (error) {
            expect(error).toMatchObject({ name: 'DataError' });
            return;
          }
          built++;
          const parsed = new URL(url, 'https://page.example');
          const expected = new URL(`${prefix}/x`, 'https://page.example');
          expect(parsed.origin).toBe(expected.origin);
          expect(url.startsWith(prefix)).toBe(true);
          const own = parsed.pathname.slice(expected.pathname.length - 1).split('/');
          expect(own.length).toBe(segments.length);
          segments.forEach(({ text }, at) => {
            const colon = text.indexOf(':');
            const wanted = colon < 0 ? text : text.slice(0, colon) + String(params[text.slice(colon + 1)]);
            expect(decodeURIComponent(own[at] ?? '')).toBe(wanted);
          });
        },
      );
      fc.assert(property, { numRuns: 10_000 });
      expect(built).toBeGreaterThan(2000);
    },
  );
});

describe('a query', () => {
  test('is sorted by name', () => {
    expect(searchToString({ b: 1, a: 'x y', c: true })).toBe('a=x%20y&b=1&c=true');
  });

  test('has %20 for a space and %2B for a plus sign', () => {
    expect(searchToString({ $filter: "name eq 'a + b'" })).toBe('%24filter=name%20eq%20%27a%20%2B%20b%27');
    expect([...new URLSearchParams(searchToString({ 'a b': 'c + d' }))]).toEqual([['a b', 'c + d']]);
  });

  test('leaves out what is undefined, and repeats the name of an array', () => {
    expect(searchToString({ a: undefined, tag: ['x', undefined, 'y'], z: null })).toBe('tag=x&tag=y&z=null');
  });

  test('prints values that have a toString of their own', () => {
    expect(searchToString({ at: new URL('https://a.example/'), id: 12345678901234567890n })).toBe(
      'at=https%3A%2F%2Fa.example%2F&id=12345678901234567890',
    );
  });

  test('has dates as JSON has them', () => {
    expect(searchToString({ since: new Date(0), or: [new Date(1)] })).toBe(
      'or=1970-01-01T00%3A00%3A00.001Z&since=1970-01-01T00%3A00%3A00.000Z',
    );
  });

  test('refuses an invalid date with an error', () => {
    expect(() => searchToString({ since: new Date(NaN) })).toThrow(
      expect.objectContaining({
        code: 'search-param-invalid',
        message: expect.stringContaining('The search parameter since cannot be an invalid Date.'),
      }),
    );
  });

  test('has the JSON of an instance of a class, if that is a text or a number', () => {
    const json = (value: unknown): object => Object.create({ toJSON: () => value }) as object;
    expect(searchToString({ day: json('2026-01-01'), price: [json(5)] })).toBe('day=2026-01-01&price=5');
    expect(() => searchToString({ price: json({ cents: 5 }) })).toThrow(code('search-param-invalid'));
  });

  test('names the parameter to write in place of an object', () => {
    for (const filter of [{ state: 'open' }, [{ state: 'open' }]])
      expect(() => searchToString({ filter })).toThrow(
        "such as { 'filter[state]': … }, or convert it in searchToString().",
      );
  });

  test('names the allowed values in place of an empty object', () => {
    expect(() => searchToString({ filter: {} })).toThrow('or arrays of them, or convert it in searchToString().');
    expect(searchToString({ q: '[object Object]' })).toBe('q=%5Bobject%20Object%5D');
  });

  test.each([
    [{ a: {} }],
    [{ a: [['x']] }],
    [{ a: new Map([[1, 2]]) }],
    [{ a: Symbol('s') }],
    [{ a: () => 1 }],
    [{ a: ['x', '\ud800'] }],
  ])('refuses %o', (params) => {
    expect(() => searchToString(params)).toThrow(code('search-param-invalid'));
  });

  test('is appended to a query that is there', () => {
    expect(withSearch('/posts', '')).toBe('/posts');
    expect(withSearch('/posts', 'a=1')).toBe('/posts?a=1');
    expect(withSearch('/posts?q=1', 'a=1')).toBe('/posts?q=1&a=1');
  });
});
