/* oxlint-disable vitest/expect-expect, typescript/no-unnecessary-type-assertion --
   the compiler checks the expectations, and `{} as T` is how an endpoint gets a type */
import { describe, expectTypeOf, test } from 'vitest';
import { User } from '../../../tests/model.ts';
import type { ArgsOf, EndpointInterface, MutationEndpoint, ReadEndpoint } from '../endpoint/infer-endpoint.ts';
import type { ResolveType, ValueOf } from '../endpoint/infer-value.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';
import { Collection } from '../schema/collection.ts';
import { Entity } from '../schema/entity.ts';
import { Values } from '../schema/values.ts';
import type {
  AddEndpoint,
  Defaults,
  FetchGet,
  FetchMutate,
  MoveEndpoint,
  PaginationFieldEndpoint,
  RemoveEndpoint,
  RestEndpointConstructorOptions,
  RestEndpointExtendOptions,
  RestEndpointOptions,
  RestInstance,
  RestTypeNoBody,
  RestTypeWithBody,
} from './infer-rest-aliases.ts';
import type { RestGenerics } from './infer-args.ts';
import type { GetEndpoint } from './infer-rest.ts';
import { RestEndpoint } from './rest-endpoint.ts';
import type { List } from '../schema/infer-schema.ts';

type Id = string | number;
class Post extends Entity {
  id = '';
  title = '';
  author: User = User.fromJS();
  static override schema = { author: User };
}

describe('the arguments of a call', () => {
  test('are those of the path', () => {
    const getPost = new RestEndpoint({ path: '/posts/:id', schema: Post });
    expectTypeOf<ArgsOf<typeof getPost>>().toEqualTypeOf<[params: { readonly id: Id }]>();
    void getPost({ id: 5 });
    // @ts-expect-error the id is missing
    void getPost({});
    // @ts-expect-error there have to be params
    void getPost();
    // @ts-expect-error there is no such param
    void getPost({ id: 5, page: 1 });
    // @ts-expect-error an id is not an object
    void getPost({ id: {} });
    // @ts-expect-error a GET has no body
    void getPost({ id: 5 }, { title: '' });
    // @ts-expect-error the same holds of keys
    getPost.key({});
  });

  test('are none if path and query have none', () => {
    const getPosts = new RestEndpoint({ path: '/posts', schema: [Post] });
    expectTypeOf<ArgsOf<typeof getPosts>>().toEqualTypeOf<[]>();
    // @ts-expect-error nothing was said of search parameters
    void getPosts({ page: 1 });
  });

  test('include the search parameters', () => {
    const getPosts = new RestEndpoint({
      path: '/users/:userId/posts',
      schema: [Post],
      searchParams: {} as { page: number; sort?: 'asc' | 'desc' },
    });
    void getPosts({ userId: 1, page: 2 });
    void getPosts({ userId: 1, page: 2, sort: 'asc' });
    // @ts-expect-error the page is required
    void getPosts({ userId: 1 });
    // @ts-expect-error a sort that is none
    void getPosts({ userId: 1, page: 2, sort: 'up' });
  });

  test('may be left out if every one of them is optional', () => {
    const optional = new RestEndpoint({ path: '/posts', searchParams: {} as { page: number } | undefined });
    void optional();
    void optional({ page: 1 });
    // @ts-expect-error a page is a number
    void optional({ page: 'one' });
    const group = new RestEndpoint({ path: '/posts{/:id}' });
    void group();
    void group({ id: 1 });
    const all = new RestEndpoint({ path: '/posts', searchParams: {} as { page?: number } });
    void all();
  });

  test('end with the body if the method has one', () => {
    const update = new RestEndpoint({ path: '/posts/:id', method: 'PUT', body: {} as { title: string }, schema: Post });
    expectTypeOf<ArgsOf<typeof update>>().toEqualTypeOf<[params: { readonly id: Id }, body: { title: string }]>();
    void update({ id: 1 }, { title: 'x' });
    // @ts-expect-error the body is missing
    void update({ id: 1 });
    // @ts-expect-error the title is missing
    void update({ id: 1 }, {});
    // @ts-expect-error the title is not a number
    void update({ id: 1 }, { title: 5 });
  });

  test('may begin with the body if no parameter is required', () => {
    const create = new RestEndpoint({
      path: '/posts',
      method: 'POST',
      body: {} as { title: string },
      searchParams: {} as { draft?: boolean },
    });
    void create({ title: 'x' });
    void create({ draft: true }, { title: 'x' });
    // @ts-expect-error the title is missing
    void create({ draft: true });
  });

  test('have any body if none is declared, and no body with body: undefined or DELETE', () => {
    const post = new RestEndpoint({ path: '/posts', method: 'POST' });
    void post({ anything: 1 });
    void post([1, 2]);
    void post(new FormData());
    const loose = new RestEndpoint({ path: '/posts/:id', method: 'PUT', body: {} as any, searchParams: {} as any });
    void loose({ id: 1, page: 2 }, 5);
    // @ts-expect-error there has to be one
    void loose();
    const vote = new RestEndpoint({ path: '/posts/:id/vote', method: 'POST', body: undefined });
    void vote({ id: 1 });
    // @ts-expect-error there is no body
    void vote({ id: 1 }, {});
    const head = new RestEndpoint({ path: '/posts/:id', method: 'HEAD' });
    void head({ id: 1 });
    // @ts-expect-error -- HEAD has no body
    void head({ id: 1 }, { title: 'x' });
    const remove = new RestEndpoint({ path: '/posts/:id', method: 'DELETE' });
    void remove({ id: 1 });
    // @ts-expect-error there is no body
    void remove({ id: 1 }, {});
  });

  test('have a body with DELETE if one is declared, and not that of another method', () => {
    const remove = new RestEndpoint({ path: '/posts/:id', method: 'DELETE', body: {} as { reason: string } });
    void remove({ id: 1 }, { reason: 'old' });
    // @ts-expect-error there is no reason
    void remove({ id: 1 }, {});
    // @ts-expect-error there is no body
    void remove({ id: 1 });
    const update = new RestEndpoint({ path: '/posts/:id', method: 'PUT', body: {} as { title: string } });
    void update.extend({ method: 'DELETE' })({ id: 1 });
    // @ts-expect-error there is no body
    void update.extend({ method: 'DELETE' })({ id: 1 }, { title: 'x' });
    void update.extend({ method: 'DELETE', body: {} as { reason: string } })({ id: 1 }, { reason: 'old' });
  });

  test('have a body with a body or a side effect alone: the method is then POST', () => {
    const body = new RestEndpoint({ path: '/posts', body: {} as { title: string } });
    void body({ title: 'x' });
    expectTypeOf(body.sideEffect).toEqualTypeOf<true>();
    const effect = new RestEndpoint({ path: '/posts', sideEffect: true });
    void effect({});
  });
});

describe('what a call resolves to', () => {
  test('is the return type of process', () => {
    const getPost = new RestEndpoint({
      path: '/posts/:id',
      schema: Post,
      process(value, { id }) {
        return { ...value, id: String(id) } as { id: string; raw: true };
      },
    });
    expectTypeOf<ResolveType<typeof getPost>>().toEqualTypeOf<{ id: string; raw: true }>();
    const later = new RestEndpoint({
      path: '/posts',
      async process(value) {
        return Number(value);
      },
    });
    expectTypeOf<ResolveType<typeof later>>().toEqualTypeOf<number>();
  });

  test('is decided by content', () => {
    const blob = new RestEndpoint({ path: '/a', schema: undefined, content: 'blob' });
    expectTypeOf<ResolveType<typeof blob>>().toEqualTypeOf<Blob>();
    const text = new RestEndpoint({ path: '/a', schema: undefined, content: 'text' });
    expectTypeOf<ResolveType<typeof text>>().toEqualTypeOf<string>();
    const stream = new RestEndpoint({ path: '/a', schema: undefined, content: 'stream' });
    expectTypeOf<ResolveType<typeof stream>>().toEqualTypeOf<ReadableStream<Uint8Array>>();
  });

  test('is the output of a validator', () => {
    const validate = {} as StandardSchema<unknown, { id: number }>;
    const get = new RestEndpoint({ path: '/a', validate });
    expectTypeOf<ResolveType<typeof get>>().toEqualTypeOf<{ id: number }>();
  });

  test('is for an application the value of the schema', () => {
    const getPosts = new RestEndpoint({ path: '/posts', schema: { results: [Post], next: '' } });
    expectTypeOf<ValueOf<typeof getPosts>>().toEqualTypeOf<{ readonly results: List<Post>; readonly next: string }>();
    const raw = new RestEndpoint({
      path: '/posts',
      schema: undefined,
      process: (value): { total: number } => value,
    });
    expectTypeOf<ValueOf<typeof raw>>().toEqualTypeOf<{ total: number }>();
  });
});

describe('a subclass', () => {
  class Counting<O extends RestGenerics = any> extends RestEndpoint<O> {
    override urlPrefix = 'https://api.example';
    override process(value: any) {
      return { count: Number(value) };
    }
    override getRequestInit(body: any) {
      return super.getRequestInit(body && { wrapped: body });
    }
    override async getHeaders(headers: Record<string, string>) {
      return { ...headers, 'X-Token': 'secret' };
    }
    override async parseResponse(response: Response) {
      const results = await super.parseResponse(response);
      return { results, link: response.headers.get('link') };
    }
    override fetch(...args: any) {
      return super.fetch(...args);
    }
  }

  test('keeps the arguments, and what its process returns is what calls resolve to', () => {
    const count = new Counting({ path: '/posts/:id', schema: undefined });
    expectTypeOf<ArgsOf<typeof count>>().toEqualTypeOf<[params: { readonly id: Id }]>();
    expectTypeOf<ResolveType<typeof count>>().toEqualTypeOf<{ count: number }>();
    expectTypeOf<ResolveType<ReturnType<typeof count.extend<{ path: '/x' }>>>>().toEqualTypeOf<{ count: number }>();
    const other = count.extend({ path: '/users/:name', process: (value): string => value });
    expectTypeOf<ResolveType<typeof other>>().toEqualTypeOf<string>();
    expectTypeOf<ArgsOf<typeof other>>().toEqualTypeOf<[params: { readonly name: Id }]>();
  });

  test('may require no options', () => {
    class Plain extends RestEndpoint {
      override urlPrefix = 'https://api.example';
    }
    const plain = new Plain({ path: '/posts/:id' });
    void plain({ id: 1 });
  });
});

describe('extend', () => {
  const getPost = new RestEndpoint({ path: '/posts/:id', schema: Post, searchParams: {} as { lang?: string } });

  test('keeps options that are not given', () => {
    const fresh = getPost.extend({ dataExpiryLength: 5 });
    expectTypeOf<ArgsOf<typeof fresh>>().toEqualTypeOf<ArgsOf<typeof getPost>>();
    expectTypeOf(fresh.schema).toEqualTypeOf<typeof Post>();
  });

  test('takes another path, method, body and schema', () => {
    const update = getPost.extend({ method: 'PATCH', body: {} as Partial<Post>, searchParams: undefined });
    void update({ id: 1 }, { title: '' });
    // @ts-expect-error the body is missing
    void update({ id: 1 });
    expectTypeOf(update.sideEffect).toEqualTypeOf<true>();
    expectTypeOf(getPost.sideEffect).toEqualTypeOf<undefined>();
    const list = getPost.extend({ path: '/posts', schema: [Post], searchParams: undefined });
    expectTypeOf<ValueOf<typeof list>>().toEqualTypeOf<List<Post>>();
    expectTypeOf<ArgsOf<typeof list>>().toEqualTypeOf<[]>();
  });
});

describe('the parameters and the body of a call', () => {
  const options = { path: '/posts/:id', method: 'PUT', body: {} as { title: string } } as const;
  const update = new RestEndpoint(options);

  test('have their types in getRequestInit and getHeaders', () => {
    void new RestEndpoint({
      ...options,
      getRequestInit(body, { params }) {
        expectTypeOf(body).toEqualTypeOf<{ title: string }>();
        expectTypeOf(params).toEqualTypeOf<{ readonly id: Id }>();
        return {};
      },
      getHeaders: (headers, { params, body }) => {
        expectTypeOf(params).toEqualTypeOf<{ readonly id: Id }>();
        expectTypeOf(body).toEqualTypeOf<{ title: string }>();
        return { ...headers, 'X-Post': String(params.id) };
      },
    });
    void update.extend({
      path: '/users/:name',
      getHeaders(headers, { params, body }) {
        expectTypeOf(params).toEqualTypeOf<{ readonly name: Id }>();
        expectTypeOf(body).toEqualTypeOf<{ title: string }>();
        return headers;
      },
    });
    void new RestEndpoint({
      path: '/posts',
      searchParams: {} as { page: number },
      getHeaders(headers, { params, body }) {
        expectTypeOf(params).toEqualTypeOf<{ page: number }>();
        expectTypeOf(body).toEqualTypeOf<undefined>();
        return headers;
      },
    });
    void new RestEndpoint({
      path: '/posts',
      // @ts-expect-error there are no parameters
      getHeaders: (headers, { params }) => ({ ...headers, 'X-Post': String(params.id) }),
    });
    // @ts-expect-error the parameter is called id
    void update.extend({ getHeaders: (headers, { params }) => ({ ...headers, 'X-Post': String(params.name) }) });
  });

  test('have their types in getOptimisticResponse', () => {
    void update.extend({
      getOptimisticResponse(snap, params, body) {
        expectTypeOf(params).toEqualTypeOf<{ readonly id: Id }>();
        expectTypeOf(body).toEqualTypeOf<{ title: string }>();
        return { ...params, ...body };
      },
    });
    void new RestEndpoint({
      ...options,
      getOptimisticResponse: (_snap, { id }, { title }) => {
        expectTypeOf(id).toEqualTypeOf<Id>();
        expectTypeOf(title).toEqualTypeOf<string>();
        return { id, title };
      },
    });
    const read = new RestEndpoint({ path: '/posts/:id', schema: Post });
    void read.extend({
      method: 'POST',
      path: '/posts/:id/vote',
      body: undefined,
      getOptimisticResponse(snap, { id }) {
        expectTypeOf(id).toEqualTypeOf<Id>();
        return snap.get(Post, { id });
      },
    });
    // @ts-expect-error the parameter is called id
    void update.extend({ getOptimisticResponse: (_snap, { name }) => ({ name }) });
  });

  test('keep the return type of process, in any order of options', () => {
    const before = update.extend({
      getOptimisticResponse: (_snap, { id }) => ({ id }),
      process: (value): { before: true } => value,
    });
    const after = update.extend({
      process: (value): { after: true } => value,
      getOptimisticResponse: (_snap, { id }) => ({ id }),
    });
    expectTypeOf<ResolveType<typeof before>>().toEqualTypeOf<{ before: true }>();
    expectTypeOf<ResolveType<typeof after>>().toEqualTypeOf<{ after: true }>();
    expectTypeOf<ArgsOf<typeof before>>().toEqualTypeOf<ArgsOf<typeof update>>();
    expectTypeOf<ArgsOf<typeof after>>().toEqualTypeOf<ArgsOf<typeof update>>();
    expectTypeOf(after.schema).toEqualTypeOf(update.schema);
    const made = new RestEndpoint({
      ...options,
      getHeaders: (headers, { params }) => ({ ...headers, 'X-Post': String(params.id) }),
      process: (value): { made: true } => value,
    });
    expectTypeOf<ResolveType<typeof made>>().toEqualTypeOf<{ made: true }>();
  });
});

describe('a read by POST', () => {
  const reader = { path: '/search', method: 'POST', sideEffect: undefined } as const;

  test('may have no body, or an optional one', () => {
    const any = new RestEndpoint(reader);
    void any();
    void any({ q: 'x' });
    const optional = new RestEndpoint({ ...reader, body: {} as { q: string } | undefined });
    void optional();
    void optional({ q: 'x' });
    // @ts-expect-error q is text
    void optional({ q: 5 });
    const nested = new RestEndpoint({ ...reader, path: '/users/:id/search', body: {} as { q: string } | undefined });
    void nested({ id: 1 }, undefined);
    // @ts-expect-error what stands alone is the body
    void nested({ id: 1 });
    const required = new RestEndpoint({ ...reader, body: {} as { q: string } });
    // @ts-expect-error the body is missing
    void required();
  });

  test('has the cursor in its search parameters, where they declare it', () => {
    const search = new RestEndpoint({
      ...reader,
      searchParams: {} as { page?: number; sort?: string },
      body: {} as { q: string } | undefined,
      paginationField: 'page',
      schema: new Collection([Post]),
    });
    void search.getPage({ page: 2 }, { q: 'x' });
    void search.getPage({ page: 2, sort: 'title' }, undefined);
    // @ts-expect-error which page?
    void search.getPage({ sort: 'title' }, { q: 'x' });
    // @ts-expect-error in the search parameters
    void search.getPage({ q: 'x', page: 2 });
  });

  test('has the cursor in its body', () => {
    const search = new RestEndpoint({
      ...reader,
      body: {} as { q: string },
      paginationField: 'cursor',
      schema: { results: new Collection([Post]) },
    });
    void search.getPage({ q: 'x', cursor: 5 });
    // @ts-expect-error which page?
    void search.getPage({ q: 'x' });
    // @ts-expect-error q is missing
    void search.getPage({ cursor: 5 });
    expectTypeOf(search.getPage).toExtend<ReadEndpoint>();
  });
});

describe('a path that is known only at run time', () => {
  const path: string = '/users/:id';

  test('takes any parameters, and those of the search as they are typed', () => {
    const optional = new RestEndpoint({ path, searchParams: {} as { page?: number } | undefined });
    void optional();
    void optional({ id: 5, page: 1 });
    // @ts-expect-error a page is a number
    void optional({ id: 5, page: 'one' });
    const required = new RestEndpoint({ path, searchParams: {} as { page: number } });
    void required({ id: 5, page: 1 });
    // @ts-expect-error the page is missing
    void required({ id: 5 });
  });
});

describe('the options of an endpoint', () => {
  test('allow only JSON as content with a schema', () => {
    void new RestEndpoint({ path: '/a', schema: Post, content: 'json' });
    void new RestEndpoint({ path: '/a', schema: undefined, content: 'blob' });
    void new RestEndpoint({ path: '/a', content: 'stream' });
    void new RestEndpoint({ path: '/a', schema: Post, content: 'text', process: (value) => ({ title: value }) });
    // @ts-expect-error a blob cannot be filed
    void new RestEndpoint({ path: '/a', schema: Post, content: 'blob' });
    const get = new RestEndpoint({ path: '/a', schema: Post });
    void get.extend({ content: 'text', schema: undefined });
    // @ts-expect-error a text cannot be filed
    void get.extend({ content: 'text' });
  });

  test('decide the method, also by a side effect alone', () => {
    expectTypeOf(new RestEndpoint({ path: '/a', sideEffect: true }).method).toEqualTypeOf<'POST'>();
    expectTypeOf(new RestEndpoint({ path: '/a', method: 'PUT' }).method).toEqualTypeOf<'PUT'>();
    expectTypeOf(new RestEndpoint({ path: '/a' }).method).toEqualTypeOf<'GET'>();
  });
});

describe('a class without type parameters', () => {
  class Plain extends RestEndpoint {
    override urlPrefix = 'https://api.example';
  }
  const plain = new Plain({ path: '/posts/:id', schema: Post });

  test('has endpoints whose options are unknown instead of any', () => {
    void plain({ id: 1 });
    expectTypeOf<ResolveType<typeof plain>>().toBeUnknown();
    expectTypeOf(plain.schema).toBeUnknown();
    expectTypeOf(plain.method).toEqualTypeOf<string>();
    // @ts-expect-error there are parameters and a body, and nothing else
    void plain({ id: 1 }, {}, {});
  });

  test('has endpoints with known types after they are extended', () => {
    const get = plain.extend({ path: '/posts/:id', schema: Post, method: 'GET' });
    expectTypeOf(get.schema).toEqualTypeOf<typeof Post>();
  });
});

describe('types by the names that applications import', () => {
  test('are those of endpoints by their functions', () => {
    const get = new RestEndpoint({ path: '/posts/:id', schema: Post });
    const update = new RestEndpoint({ path: '/posts/:id', schema: Post, method: 'PUT', body: {} as { title: string } });
    expectTypeOf(get).toExtend<RestInstance<(params: { readonly id: Id }) => Promise<any>, typeof Post, undefined>>();
    expectTypeOf(get).toExtend<RestInstance>();
    expectTypeOf(get).toExtend<RestTypeNoBody<{ readonly id: Id }, typeof Post, undefined>>();
    expectTypeOf(update).toExtend<RestTypeWithBody<{ readonly id: Id }, typeof Post, true, { title: string }>>();
    expectTypeOf(update).not.toExtend<RestTypeNoBody<{ readonly id: Id }, typeof Post, undefined>>();
    expectTypeOf<ArgsOf<RestTypeNoBody<{ id: string }>>>().toEqualTypeOf<[params: { id: string }]>();
    expectTypeOf<ArgsOf<RestTypeWithBody<undefined, any, true, { a: 1 }>>>().toExtend<unknown[]>();
    expectTypeOf<ReturnType<FetchGet<[{ id: string }], Post>>>().toEqualTypeOf<Promise<Post>>();
    expectTypeOf<Parameters<FetchMutate>>().toEqualTypeOf<[any, {}] | [{}]>();
  });

  test('are those of endpoints by their options', () => {
    const options: RestEndpointConstructorOptions<{ path: '/posts/:id' }> = {
      getOptimisticResponse: (_snap, { id }) => ({ id }),
    };
    void new RestEndpoint({ path: '/posts/:id', ...options });
    const named: RestEndpointOptions<(params: { id: string }) => Promise<Post>> = {
      key: ({ id }) => id,
      // @ts-expect-error there is no name
      url: ({ name }) => name,
    };
    void named;
    const list = new RestEndpoint({ path: '/users/:userId/posts', schema: new Collection([Post]) });
    const pages = list.paginated('page');
    expectTypeOf<ArgsOf<PaginationFieldEndpoint<typeof list, 'page'>>>().toEqualTypeOf<ArgsOf<typeof pages>>();
    type Create = AddEndpoint<
      (params: { userId: Id }) => Promise<Post>,
      undefined,
      { path: '/a'; body: { title: string } }
    >;
    expectTypeOf<ResolveType<Create>>().toEqualTypeOf<Post>();
    expectTypeOf<ArgsOf<RemoveEndpoint<{ path: '/users/:userId/posts' }>>[0]>().toEqualTypeOf<{
      readonly userId: Id;
    }>();
    expectTypeOf<ArgsOf<MoveEndpoint<{ path: '/a'; movePath: '/posts/:id' }>>[0]>().toEqualTypeOf<{
      readonly id: Id;
    }>();
    expectTypeOf<Defaults<{ a: 1 | undefined }, { a: 2; b: 3 }>>().toEqualTypeOf<{ readonly a: 1; readonly b: 3 }>();
    const extension: RestEndpointExtendOptions<{ path: '/a/:b' }, typeof list> = {
      getHeaders: (headers, { params }) => ({ ...headers, 'X-B': String(params.b) }),
    };
    void list.extend({ path: '/a/:b', ...extension });
  });
});

describe('endpoints of a list', () => {
  const getPosts = new RestEndpoint({
    path: '/users/:userId/posts',
    schema: { results: new Collection([Post]), total: 0 },
    searchParams: {} as { sort?: string } | undefined,
    paginationField: 'cursor',
  });

  test('take parts of records, one or several', () => {
    void getPosts.push({ userId: 1 }, { title: 'x' });
    void getPosts.unshift({ userId: 1, sort: 'up' }, [{ title: 'x' }]);
    void getPosts.push({ userId: 1 }, new FormData());
    // @ts-expect-error a title is text
    void getPosts.push({ userId: 1 }, { title: 5 });
    // @ts-expect-error the user is missing
    void getPosts.push({}, { title: 'x' });
    expectTypeOf<ValueOf<typeof getPosts.push>>().toEqualTypeOf<Post>();
    expectTypeOf(getPosts.push.sideEffect).toEqualTypeOf<true>();
  });

  test('take entries of a map', () => {
    const rates = new RestEndpoint({ path: '/rates', schema: new Collection(new Values(Post)) });
    void rates.assign({ a: { title: 'x' } });
    expectTypeOf<ValueOf<typeof rates.assign>>().toEqualTypeOf<Record<string, Post>>();
  });

  test('ask for a page with the cursor', () => {
    void getPosts.getPage({ userId: 1, cursor: 'abc' });
    // @ts-expect-error the cursor is missing
    void getPosts.getPage({ userId: 1 });
    expectTypeOf<ValueOf<typeof getPosts.getPage>>().toEqualTypeOf<{
      readonly results: List<Post>;
      readonly total: number;
    }>();
    void getPosts.paginated('page')({ userId: 1, page: 2 });
    const byHand = getPosts.paginated(({ from: _from, ...params }: { userId: Id; from: number }) => [params]);
    void byHand({ userId: 1, from: 20 });
    // @ts-expect-error where from?
    void byHand({ userId: 1 });
    // @ts-expect-error what is left are the arguments of the list
    void getPosts.paginated(({ from }: { from: number }) => [{ since: from }]);
  });

  test('refuse options for other arguments, and parameters that are not objects', () => {
    // @ts-expect-error it has no parameter with this name
    void getPosts.extend({ key: ({ nothing }: { nothing: string }) => nothing });
    const anywhere = new RestEndpoint({ path: '/posts' as string });
    void anywhere({ any: 'name' });
    // @ts-expect-error parameters have names
    void anywhere(5);
  });

  test('have an address for their parameters, with or without the body', () => {
    const update = new RestEndpoint({ path: '/posts/:id', method: 'PUT', body: {} as { title: string } });
    update.url({ id: 1 });
    update.url({ id: 1 }, { title: 'x' });
    // @ts-expect-error it has no parameter with this name
    update.url({ name: 'x' });
  });

  test('have no page without a field for it', () => {
    const list = new RestEndpoint({ path: '/posts', schema: new Collection([Post]) });
    expectTypeOf(list.getPage).toEqualTypeOf<undefined>();
  });

  test('have no schema without a collection', () => {
    const list = new RestEndpoint({ path: '/posts', schema: [Post] });
    expectTypeOf(list.push.schema).toEqualTypeOf<undefined>();
  });
});

test('an endpoint that reads has another type than a mutation', () => {
  const read = new RestEndpoint({ path: '/posts/:id', schema: Post });
  const change = new RestEndpoint({ path: '/posts/:id', schema: Post, method: 'PUT', body: {} as Partial<Post> });
  expectTypeOf(read).toExtend<EndpointInterface>();
  expectTypeOf(change).toExtend<EndpointInterface>();
  expectTypeOf(read).toExtend<ReadEndpoint>();
  expectTypeOf(change).toExtend<MutationEndpoint>();
  expectTypeOf(change).not.toExtend<ReadEndpoint>();
  expectTypeOf(read).not.toExtend<MutationEndpoint>();
  expectTypeOf(read).toExtend<GetEndpoint<{ path: '/posts/:id'; schema: typeof Post }>>();
});

describe('an option that does not exist', () => {
  test('does not compile, unless the class of the endpoint is one of the application', () => {
    // @ts-expect-error -- the option is called method
    new RestEndpoint({ path: '/a', methd: 'POST' });
    // @ts-expect-error -- there is no such option
    new RestEndpoint({ path: '/a', headers: { 'X-Token': 'secret' } });
    class Versioned<O extends RestGenerics = any> extends RestEndpoint<O> {
      declare readonly version?: number;
    }
    new Versioned({ path: '/a', version: 2 });
    class Plain extends RestEndpoint {
      declare readonly version?: number;
    }
    new Plain({ path: '/a' }).extend({ version: 2 });
  });

  test('becomes a member with extend, unless it is a name with one wrong letter', () => {
    const get = new RestEndpoint({ path: '/a', schema: Post });
    expectTypeOf(get.extend({ namespace: 'a' }).namespace).toEqualTypeOf<string>();
    get.extend({ timeouts: [5], uri: '/a', greet: (name: string) => name });
    // @ts-expect-error -- a letter is missing
    get.extend({ methd: 'POST' });
    // @ts-expect-error -- a letter is added
    get.extend({ schemaa: undefined });
    // @ts-expect-error -- a letter is wrong
    get.extend({ urlPrefex: '/a' });
    // @ts-expect-error -- two letters are exchanged
    get.extend({ dataExpiryLenght: 5 });
    // @ts-expect-error -- the letters are of another case
    get.extend({ urlprefix: '/a' });
    class Own extends RestEndpoint {
      retryy = 5;
    }
    new Own({ path: '/a' }).extend({ retryy: 6 });
  });
});
