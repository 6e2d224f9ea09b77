import { expectTypeOf, test } from 'vitest';
import {
  schema,
  Collection,
  Entity,
  EntityMixin,
  resource,
  RestEndpoint,
  Lazy,
  All,
  Endpoint,
  type RestGenerics,
  type RestInstance,
  type RestType,
  type GetEndpoint,
  type MutateEndpoint,
  type RestFetch,
} from 'rejoin';
import type {
  FixtureEndpoint,
  Fixture,
  SuccessFixtureEndpoint,
  ErrorFixtureEndpoint,
  Interceptor,
} from 'rejoin/testing';
import { useQuery, useSuspense, useCache, useDLE, useController } from 'rejoin/react';

class User extends Entity {
  id = '';
  name = '';
}
class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  priority = 0;
  author = User.fromJS();
  static override schema = { author: User };
}
class Video extends Entity {
  id = '';
  kind = 'video' as const;
  url = '';
}
class Image extends Entity {
  id = '';
  kind = 'image' as const;
  width = 0;
}

test('the classes of the namespace `schema` are types', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  type A = schema.Collection<[typeof Todo]>;
  type B = schema.Collection<(typeof Todo)[], [{ group: string }]>;
  type C = schema.Union<{ v: typeof Video; i: typeof Image }>;
  type D = schema.Values<typeof Todo>;
  type E = schema.Array<typeof Todo>;
  type F = schema.All<typeof Todo>;
  type G = schema.Query<schema.Collection<[typeof Todo]>, (todos: Todo[]) => number>;
  type H = schema.Invalidate<typeof Todo>;
  type I = schema.Object<{ a: typeof Todo }>;
  type J = schema.Lazy<typeof Todo>;
  const a: A = new schema.Collection([Todo]);
  const b: B = new schema.Collection([Todo], { argsKey: ({ group }: { group: string }) => ({ group }) });
  const c: C = new schema.Union({ v: Video, i: Image }, 'kind');
  const d: D = new schema.Values(Todo);
  const e: E = new schema.Array(Todo);
  const f: F = new schema.All(Todo);
  const h: H = new schema.Invalidate(Todo);
  const i: I = new schema.Object({ a: Todo });
  const j: J = new schema.Lazy(Todo);
  class Own extends schema.Collection<[typeof Todo]> {}
  const own: A = new Own([Todo]);
  const inClass = class extends Entity {
    id = '';
    static override schema: { todos: schema.Collection<[typeof Todo]> } = { todos: new schema.Collection([Todo]) };
  };
  // @ts-expect-error -- other class
  const wrong: A = new schema.Collection([User]);
  // @ts-expect-error -- not a union
  const wrong2: C = new schema.Values(Todo);
  void [a, b, c, d, e, f, h, i, j, own, inClass, wrong, wrong2];
  type K = G;
  void (0 as unknown as K);
});

test('the body of a move may have some fields of a record', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  const R = resource({ path: '/groups/:group/todos/:id', schema: Todo });
  void R.getList.move({ group: 'a', id: '1' }, { title: 'x' });
  void R.getList.move({ group: 'a', id: 5 }, {});
  void R.getList.move({ group: 'a', id: '1' }, new FormData());
  const strict = resource({ path: '/todos/:id', schema: Todo, body: {} as { title: string; done: boolean } });
  void strict.getList.move({ id: '1' }, { done: true });
  const ctrl = useController();
  void ctrl.fetch(R.getList.move, { group: 'a', id: '1' }, { done: true });
  void ctrl.setResponse(R.getList.move, { group: 'a', id: '1' }, { done: true }, { id: '1' });
  // @ts-expect-error -- no such field
  void R.getList.move({ group: 'a', id: '1' }, { nope: 1 });
  // @ts-expect-error -- wrong type
  void strict.getList.move({ id: '1' }, { done: 'yes' });
  // @ts-expect-error -- id is missing
  void R.getList.move({ group: 'a' }, { title: '' });
  // @ts-expect-error -- push wants the whole body
  void strict.getList.push({ done: true });
  void strict.getList.push({ done: true, title: '' });
  // @ts-expect-error -- without a record
  void R.getList.move();
});

test('a reader by POST has a body, may have one, or has none', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  const search = new RestEndpoint({
    path: '/search',
    method: 'POST',
    sideEffect: undefined,
    body: undefined,
    schema: [Todo],
  });
  void search();
  useSuspense(search);
  const optional = new RestEndpoint({
    path: '/search',
    method: 'POST',
    sideEffect: undefined,
    body: {} as { q: string } | undefined,
    schema: [Todo],
  });
  void optional();
  void optional({ q: '' });
  useSuspense(optional, { q: '' });
  useSuspense(optional);
  const inPath = new RestEndpoint({
    path: '/search/:kind',
    method: 'POST',
    sideEffect: undefined,
    body: {} as { q: string } | undefined,
    schema: [Todo],
  });
  void inPath({ kind: 'a' }, { q: '' });
  useSuspense(inPath, { kind: 'a' }, { q: '' });
  const falsy = new RestEndpoint({
    path: '/graph',
    method: 'POST',
    sideEffect: false,
    body: {} as { query: string },
    schema: { list: [Todo] },
  });
  useSuspense(falsy, { query: '' });
  useDLE(falsy, { query: '' });
  const sideless = new RestEndpoint({
    path: '/s/:id',
    method: 'POST',
    sideEffect: undefined,
    body: undefined,
    schema: Todo,
  });
  useSuspense(sideless, { id: '1' });
  // @ts-expect-error -- it has no body
  void search({ q: '' });
  // @ts-expect-error -- wrong type
  void optional({ q: 5 });
  // @ts-expect-error -- the body is required
  useSuspense(falsy);
  const mutation = new RestEndpoint({ path: '/m', method: 'POST', schema: Todo });
  // @ts-expect-error -- it changes something
  useSuspense(mutation, {});
});

test('an endpoint whose path is known only at run time takes its declared search parameters', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  const path: string = '/x';
  const dynamic = new RestEndpoint({ path, searchParams: {} as { q: string }, schema: [Todo] });
  void dynamic({ q: '' });
  void dynamic({ q: '', id: '5' });
  const without = new RestEndpoint({ path, schema: [Todo] });
  void without();
  void without({ id: '5' });
  const body = new RestEndpoint({ path, method: 'POST', body: {} as { title: string }, schema: Todo });
  void body({ id: '1' }, { title: '' });
  void body({ title: '' });
  const R = resource({ path, schema: Todo, searchParams: undefined as { userId?: string } | undefined });
  void R.getList({ userId: '1' });
  void R.get({ id: '1' });
  void R.partialUpdate({ id: '1' }, { title: '' });
  const made = (p: string) =>
    new RestEndpoint({ path: p, searchParams: undefined as { page?: number } | undefined, schema: [Todo] });
  void made('/a')();
  void made('/a')({ page: 1 });
  // @ts-expect-error -- wrong type
  void dynamic({ q: 5 });
  // @ts-expect-error -- wrong type
  void made('/a')({ page: 'x' });
  // @ts-expect-error -- no number
  void body({ id: '1' }, { title: 5 });
});

test('pages are fetched with the same arguments as their list', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  const list = new RestEndpoint({
    path: '/search',
    method: 'POST',
    sideEffect: undefined,
    body: {} as { q: string },
    schema: new Collection([Todo]),
    paginationField: 'cursor',
  });
  void list.getPage({ q: '', cursor: 'a' });
  const nested = new RestEndpoint({
    path: '/search/:kind',
    method: 'POST',
    sideEffect: undefined,
    body: {} as { q: string },
    schema: { items: new Collection([Todo]) },
    paginationField: 'page',
  });
  void nested.getPage({ kind: 'a' }, { q: '', page: 2 });
  const params = new RestEndpoint({
    path: '/list/:kind',
    schema: new Collection([Todo]),
    searchParams: undefined as { q?: string } | undefined,
    paginationField: 'page',
  });
  void params.getPage({ kind: 'a', page: 2 });
  void params.getPage({ kind: 'a', q: '', page: '2' });
  const nothing = new RestEndpoint({
    path: '/list',
    schema: new Collection([Todo]),
    searchParams: undefined,
    paginationField: 'page',
  });
  void nothing.getPage({ page: 2 });
  void useController().fetch(list.getPage, { q: '', cursor: 'a' });
  const byName = list.paginated('after');
  void byName({ q: '', after: 'x' });
  // @ts-expect-error -- the cursor is missing
  void list.getPage({ q: '' });
  // @ts-expect-error -- another field
  void list.getPage({ q: '', page: 1 });
  // @ts-expect-error -- in the path
  void params.getPage({ page: 2 });
  const none = new RestEndpoint({ path: '/list', schema: new Collection([Todo]) });
  // @ts-expect-error -- it has no pages
  void none.getPage({ page: 2 });
});

test('a member of a resource with another path takes the arguments of that path', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  const base = resource({ path: '/todos/:id', schema: Todo });
  const moved = base.extend({ getList: { path: '/users/:userId/todos' } });
  void moved.getList({ userId: '1' });
  void moved.getList.push({ userId: '1' }, { title: '' });
  void moved.get({ id: '1' });
  const both = base.extend({
    getList: { path: '/u/:user/todos', searchParams: undefined as { q?: string } | undefined },
    get: { path: '/u/:user/todos/:id' },
  });
  void both.getList({ user: '1', q: '' });
  void both.get({ user: '1', id: '2' });
  const named = base.extend('getList', { path: '/teams/:team/todos' });
  void named.getList({ team: 'a' });
  const added = base.extend('vote', { path: '/todos/:id/vote', method: 'POST', body: undefined });
  void added.vote({ id: '1' });
  void added.getList();
  const twice = base.extend('a', { path: '/a/:x' }).extend('b', { path: '/b/:y' });
  void twice.a({ x: '' });
  void twice.b({ y: '' });
  const func = base.extend((r) => ({ latest: r.getList.extend({ path: '/latest/:kind' }) }));
  void func.latest({ kind: 'a' });
  // @ts-expect-error -- the new path counts
  void moved.getList({ other: '1' });
  // @ts-expect-error -- it has a parameter
  void moved.getList();
  // @ts-expect-error -- one more parameter
  void both.get({ id: '2' });
  // @ts-expect-error -- no body
  void added.vote({ id: '1' }, {});
  // @ts-expect-error -- no such member
  void base.extend({ getLst: { path: '/x' } });
});

test('endpoints and fixtures have types of their own', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  const a: RestInstance<(arg: { id: string }) => Promise<Todo>, typeof Todo, undefined> = resource({
    path: '/todos/:id',
    schema: Todo,
  }).get as never;
  void a({ id: '' });
  const get: RestType<{ id: string }, undefined, typeof Todo, undefined, Todo> = a;
  void get({ id: '1' });
  const fetcher: RestFetch<{ id: string }, { title: string }, Todo> = async () => Todo.fromJS();
  void fetcher({ id: '' }, { title: '' });
  const g: GetEndpoint<{ path: '/todos/:id'; schema: typeof Todo }> = new RestEndpoint({
    path: '/todos/:id',
    schema: Todo,
  });
  useSuspense(g, { id: '1' });
  const m: MutateEndpoint<{ path: '/todos/:id'; schema: typeof Todo; body: { title: string } }> = new RestEndpoint({
    path: '/todos/:id',
    method: 'POST',
    schema: Todo,
    body: {} as { title: string },
  });
  void m({ id: '1' }, { title: '' });
  const R = resource({ path: '/todos/:id', schema: Todo });
  const fixtures: Fixture[] = [
    { endpoint: R.get, args: [{ id: '1' }], response: { id: '1' } },
    { endpoint: R.getList, args: [], response: [] },
    { endpoint: R.getList, args: [{ userId: '1' }], response: [], delay: 5 },
    { endpoint: R.partialUpdate, args: [{ id: '1' }, { title: '' }], response: {} },
    { endpoint: R.get, args: [{ id: '2' }], response: new Error('x'), error: true },
  ];
  const one: FixtureEndpoint | undefined = fixtures[0];
  const ok: SuccessFixtureEndpoint = { endpoint: R.get, args: [{ id: '1' }], response: { id: '1' } };
  const bad: ErrorFixtureEndpoint = {
    endpoint: R.get,
    args: [{ id: '1' }],
    response: { message: 'x', status: 400, name: 'error' },
    error: true,
  };
  const inter: Interceptor = {
    endpoint: new RestEndpoint({ path: '/x/:id' }),
    response: ({ id }: { id: string }) => ({ id }),
  };
  // @ts-expect-error -- a fixture has args
  const wrong: FixtureEndpoint = { endpoint: R.get, response: {} };
  // @ts-expect-error -- wrong argument
  void get({ nope: '1' });
  // @ts-expect-error -- one argument too many
  void a({ id: '' }, {});
  void [one, ok, bad, inter, wrong];
});

test('overridden hooks, the option sideEffect alone, and queries of Lazy have types', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  class Own extends Entity {
    id = '';
    static override fromJS<T extends typeof Entity>(this: T, props: object): InstanceType<T> {
      return super.fromJS(props) as never;
    }
  }
  class Narrow extends Entity {
    id = '';
    static override fromJS(this: any, props: any): any {
      return super.fromJS(props);
    }
  }
  class Mixed extends EntityMixin(
    class {
      id = '';
      name = '';
    },
  ) {}
  class Keyed extends EntityMixin(
    class {
      slug = '';
    },
    { pk: 'slug' },
  ) {
    override pk() {
      return `x${this.slug}`;
    }
  }
  const keyed: string = Keyed.fromJS({ slug: '' }).pk();
  void [Own, Narrow, Mixed.fromJS({ id: '' }).name, keyed];
  const post = new RestEndpoint({ path: '/x/:id', sideEffect: true });
  const method: 'POST' = post.method;
  void post({ id: '' }, { any: 1 });
  const post2 = new RestEndpoint({ path: '/x', sideEffect: true, schema: Todo, body: {} as { a: number } });
  void post2({ a: 1 });
  const ext = new RestEndpoint({ path: '/x/:id' }).extend({ sideEffect: true });
  void ext;
  const lazy = new Lazy(new All(Todo));
  useQuery(lazy.query, ['1']);
  const lazyOne = new Lazy(Todo);
  const got: Todo | undefined = useQuery(lazyOne.query, { id: '1' });
  const lazyColl = new Lazy(new Collection([Todo], { argsKey: ({ g }: { g: string }) => ({ g }) }));
  const many: Todo[] | undefined = useQuery(lazyColl.query, { g: '' });
  // @ts-expect-error -- it changes something
  useSuspense(post, { id: '' }, {});
  // @ts-expect-error -- wrong body
  void post2({ a: '' });
  // @ts-expect-error -- another argument
  useQuery(lazyColl.query, { h: '' });
  void [method, got, many];
});

test('getOptimisticResponse gets the arguments of its endpoint', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  const R = resource({ path: '/todos/:id', schema: Todo });
  R.partialUpdate.extend({
    getOptimisticResponse(snap, params, body) {
      const id: string | number = params.id;
      // @ts-expect-error -- no such parameter
      void params.nope;
      void [id, body];
      const { data } = snap.getResponse(R.get, { id: String(params.id) });
      if (!data) throw snap.abort;
      const title: string = data.title;
      // @ts-expect-error -- no such field
      void data.nope;
      // @ts-expect-error -- a snapshot has no such member
      void snap.nope;
      // @ts-expect-error -- the arguments of the endpoint that is read
      void snap.getResponse(R.get, { name: '' });
      return { id: params.id, title };
    },
  });
  R.delete.extend({
    getOptimisticResponse(_snap, params) {
      // @ts-expect-error -- none
      void params.x;
      return params;
    },
  });
  R.extend({
    update: {
      getOptimisticResponse(snap, params, body) {
        // @ts-expect-error -- none
        void params.x;
        // @ts-expect-error -- none
        void snap.x;
        return { ...params, body };
      },
    },
  });
  R.extend('vote', {
    path: '/todos/:id/vote',
    method: 'POST',
    body: undefined,
    schema: Todo,
    getOptimisticResponse(snap, { id }) {
      const t = snap.get(Todo, { id });
      if (!t) throw snap.abort;
      return { id, priority: t.priority + 1 };
    },
  });
  R.getList.push.extend({
    getOptimisticResponse(_snap, ...args) {
      const body = args[args.length - 1];
      return body;
    },
  });
  new RestEndpoint({
    path: '/todos/:id/vote',
    method: 'POST',
    body: undefined,
    schema: Todo,
    getOptimisticResponse(snap, params) {
      // @ts-expect-error -- none
      void params.x;
      // @ts-expect-error -- none
      void snap.x;
      return { id: params.id };
    },
  });
  new RestEndpoint({
    path: '/t/:id',
    method: 'PUT',
    schema: Todo,
    body: {} as { title: string },
    getOptimisticResponse(_snap, params, body) {
      const t: string = body.title;
      // @ts-expect-error -- none
      void body.x;
      return { id: params.id, title: t };
    },
  });
  new Endpoint(async (id: string) => ({ id }), {
    sideEffect: true,
    schema: Todo,
    getOptimisticResponse(_snap, id) {
      const i: string = id;
      return { id: i };
    },
  });
});

test('an endpoint with a schema must have JSON as its content, or a process', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  new RestEndpoint({ path: '/f', content: 'blob' });
  new RestEndpoint({ path: '/f', content: 'json', schema: Todo });
  new RestEndpoint({ path: '/f', content: 'text', schema: Todo, process: (text: string) => ({ id: text }) });
  new RestEndpoint({ path: '/f', content: 'text', schema: undefined });
  new RestEndpoint({ path: '/f/:id', schema: Todo }).extend({ content: 'blob', schema: undefined });
  // @ts-expect-error -- a schema wants data
  new RestEndpoint({ path: '/f', content: 'blob', schema: Todo });
  // @ts-expect-error -- a schema wants data
  new RestEndpoint({ path: '/f', content: 'stream', schema: [Todo] });
  // @ts-expect-error -- a schema wants data
  new RestEndpoint({ path: '/f/:id', schema: Todo }).extend({ content: 'blob' });
  // @ts-expect-error -- a schema wants data
  new RestEndpoint({ path: '/f/:id', content: 'arrayBuffer' }).extend({ schema: Todo });
  new RestEndpoint({ path: '/f/:id', content: 'arrayBuffer' }).extend({ schema: Todo, content: 'json' });
  new RestEndpoint({ path: '/f/:id', content: 'text' }).extend({
    schema: Todo,
    process: (text: string) => ({ id: text }),
  });
  new RestEndpoint({ path: '/f/:id', content: 'json' }).extend({ schema: Todo });
  // @ts-expect-error -- no such content
  new RestEndpoint({ path: '/f', content: 'xml' });
  const R = resource({ path: '/f/:id', schema: Todo });
  // @ts-expect-error -- a schema wants data
  R.extend('download', { content: 'blob' });
  R.extend('download', { content: 'blob', schema: undefined });
});

test('a class of endpoints without type parameters has results of the type unknown', async () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  class Mine extends RestEndpoint {
    override urlPrefix = 'https://x';
  }
  const mine = new Mine({ path: '/x/:id', schema: Todo });
  // @ts-expect-error -- what it gives is not known
  const t: Todo = useSuspense(mine, { id: '1' });
  // @ts-expect-error -- not known
  void useCache(mine, { id: '1' }).title;
  // @ts-expect-error -- not known
  void (await mine({ id: '1' })).title;
  expectTypeOf(useSuspense(mine, { id: '1' })).toBeUnknown();
  const extended: Todo = useSuspense(mine.extend({ schema: Todo }), { id: '1' });
  class Good<O extends RestGenerics = any> extends RestEndpoint<O> {
    override urlPrefix = 'https://x';
  }
  const good = new Good({ path: '/x/:id', schema: Todo });
  const g: Todo = useSuspense(good, { id: '1' });
  // @ts-expect-error -- wrong argument
  void good({ x: '1' });
  const R = resource({ path: '/x/:id', schema: Todo, Endpoint: Good });
  const r: Todo = useSuspense(R.get, { id: '1' });
  class Deep<O extends RestGenerics = any> extends Good<O> {
    override getHeaders(h: any) {
      return h;
    }
  }
  const d: Todo[] = useSuspense(new Deep({ path: '/x', schema: new Collection([Todo]) }));
  const R2 = resource({ path: '/x/:id', schema: Todo, Endpoint: Mine });
  const r2: Todo = useSuspense(R2.get, { id: '1' });
  void [t, g, r, d, r2, extended];
});

test('extend keeps the members of a class, and adds new ones', () => {
  expectTypeOf<Todo>().toExtend<Entity>();
  class Audited<O extends RestGenerics = any> extends RestEndpoint<O> {
    level = 1;
    note(text: string): string {
      return text;
    }
  }
  const audited = new Audited({ path: '/x/:id', schema: Todo });
  const moved = audited.extend({ path: '/y/:a', tag: 'y' as const });
  expectTypeOf(moved.level).toEqualTypeOf<number>();
  expectTypeOf(moved.note('a')).toEqualTypeOf<string>();
  expectTypeOf(moved.extend({ dataExpiryLength: 5 }).tag).toEqualTypeOf<'y'>();
  const louder = audited.extend({ level: 2 });
  // @ts-expect-error -- a member keeps its type
  louder.extend({ level: 'high' });
  // @ts-expect-error -- a member keeps its type
  audited.extend({ note: (text: number) => text });
  const R = resource({ path: '/x/:id', schema: Todo }).extend('get', { tag: 5 });
  expectTypeOf(R.extend({ get: { dataExpiryLength: 1 } }).get.tag).toEqualTypeOf<number>();
});
