/* oxlint-disable vitest/expect-expect, typescript/no-unnecessary-type-assertion --
   the compiler checks the expectations, and `{} as T` is how an endpoint gets a type */
import { describe, expectTypeOf, test } from 'vitest';
import type { ArgsOf, MutationEndpoint, ReadEndpoint } from '../endpoint/infer-endpoint.ts';
import type { ResolveType, ValueOf } from '../endpoint/infer-value.ts';
import { Collection } from '../schema/collection.ts';
import { Entity } from '../schema/entity.ts';
import { Union } from '../schema/union.ts';
import { Values } from '../schema/values.ts';
import { hookifyResource } from './hookify-resource.ts';
import type { RestGenerics } from './infer-args.ts';
import type {
  CustomResource,
  ExtendedResource,
  HookableEndpointInterface,
  HookResource,
  ResourceEndpointExtensions,
  ResourceExtension,
  ResourceInterface,
} from './infer-resource-aliases.ts';
import { resource } from './resource.ts';
import { RestEndpoint } from './rest-endpoint.ts';
import { belongsTo } from '../../state/query/belongs-to.ts';
import { hasMany } from '../../state/query/has-many.ts';
import type { Changes, List } from '../schema/infer-schema.ts';

type Id = string | number;

class Todo extends Entity {
  id = 0;
  title = '';
  completed = false;
}
class Feed extends Entity {
  id = '';
  kind = 'feed' as const;
}
class Link extends Entity {
  id = '';
  kind = 'link' as const;
}

class Owner extends Entity {
  id = '';
  name = '';
  deals: Deal[] = [];
  static override key = 'Owner';
  static override schema = { deals: hasMany(() => Deal, 'ownerId') };
}
class Deal extends Entity {
  id = '';
  title = '';
  ownerId = '';
  owner: Owner | undefined = undefined;
  buyer: Owner | undefined = undefined;
  contacts: Owner[] = [];
  get isTitled(): boolean {
    return this.title !== '';
  }
  summary(): string {
    return this.title;
  }
  static override key = 'Deal';
  static override schema = { owner: belongsTo(Owner, 'ownerId'), buyer: Owner, contacts: [Owner] };
}
const TodoResource = resource({ path: '/todos/:id', schema: Todo });

describe('the members of a resource', () => {
  test('take the arguments of their paths', () => {
    expectTypeOf<ArgsOf<typeof TodoResource.get>>().toEqualTypeOf<[params: { readonly id: Id }]>();
    expectTypeOf<ArgsOf<typeof TodoResource.delete>>().toEqualTypeOf<[params: { readonly id: Id }]>();
    void TodoResource.update({ id: 1 }, { title: 'x' });
    void TodoResource.partialUpdate({ id: 1 }, { completed: true });
    void TodoResource.getList();
    void TodoResource.getList({ userId: 5 });
    void TodoResource.getList.push({ title: 'x' });
    void TodoResource.getList.push({ userId: 5 }, [{ title: 'x' }]);
    void TodoResource.getList.unshift({ title: 'x' });
    void TodoResource.getList.move({ id: 1 }, { title: 'x' });
    void TodoResource.create({ title: 'x' });
    // @ts-expect-error the id is missing
    void TodoResource.get();
    // @ts-expect-error the body is missing
    void TodoResource.update({ id: 1 });
    // @ts-expect-error a title is text
    void TodoResource.partialUpdate({ id: 1 }, { title: 5 });
    // @ts-expect-error there is no such field
    void TodoResource.getList.push({ name: 'x' });
    // @ts-expect-error a deletion has no body
    void TodoResource.delete({ id: 1 }, {});
    // @ts-expect-error which one is moved?
    void TodoResource.getList.move({ title: 'x' });
  });

  test('have the values of their schemas', () => {
    expectTypeOf<ValueOf<typeof TodoResource.get>>().toEqualTypeOf<Todo>();
    expectTypeOf<ValueOf<typeof TodoResource.getList>>().toEqualTypeOf<List<Todo>>();
    expectTypeOf<ValueOf<typeof TodoResource.getList.push>>().toEqualTypeOf<Todo>();
    expectTypeOf<ValueOf<typeof TodoResource.update>>().toEqualTypeOf<Todo>();
    expectTypeOf<ValueOf<typeof TodoResource.delete>>().toEqualTypeOf<Todo>();
  });

  test('are reads or mutations', () => {
    expectTypeOf(TodoResource.get).toExtend<ReadEndpoint>();
    expectTypeOf(TodoResource.getList).toExtend<ReadEndpoint>();
    expectTypeOf(TodoResource.getList.push).toExtend<MutationEndpoint>();
    expectTypeOf(TodoResource.update).toExtend<MutationEndpoint>();
    expectTypeOf(TodoResource.delete).toExtend<MutationEndpoint>();
  });

  test('have the list at the path without its last parameter', () => {
    const nested = resource({ path: '/users/:userId/todos/:id', schema: Todo });
    void nested.getList({ userId: 1 });
    void nested.getList.push({ userId: 1 }, { title: 'x' });
    // @ts-expect-error whose?
    void nested.getList({});
    // @ts-expect-error which one?
    void nested.get({ userId: 1 });
  });
});

describe('the options of a resource', () => {
  test('give types to the search and the bodies', () => {
    const typed = resource({
      path: '/todos/:id',
      schema: Todo,
      searchParams: {} as { userId: number },
      body: {} as { title: string },
      paginationField: 'page',
      optimistic: true,
    });
    void typed.getList({ userId: 1 });
    void typed.getList.getPage({ userId: 1, page: 2 });
    void typed.update({ id: 1 }, { title: 'x' });
    // @ts-expect-error whose?
    void typed.getList();
    // @ts-expect-error which page?
    void typed.getList.getPage({ userId: 1 });
    // @ts-expect-error the title is missing
    void typed.update({ id: 1 }, {});
    // @ts-expect-error the title is missing
    void typed.getList.push({ userId: 1 }, {});
  });

  test('let a create leave out what its list requires, because the body can have it', () => {
    const some = resource({ path: '/todos/:id', schema: Todo, searchParams: {} as { completed: boolean } });
    void some.getList.push({ completed: true, title: 'x' });
    void some.create({ completed: true, title: 'x' });
    void some.getList.unshift({ completed: true }, { title: 'x' });
    // @ts-expect-error open or closed?
    void some.getList();
    // @ts-expect-error no such field
    void some.getList.push({ complete: true });
  });

  test('have no page without a paginationField', () => {
    expectTypeOf(TodoResource.getList.getPage).toEqualTypeOf<undefined>();
  });

  test('take a class of endpoints, whose process decides what calls resolve to', () => {
    class Wrapped<O extends RestGenerics = any> extends RestEndpoint<O> {
      override process(value: any) {
        return value as { wrapped: true };
      }
    }
    const wrapped = resource({ path: '/todos/:id', schema: Todo, Endpoint: Wrapped });
    expectTypeOf<ResolveType<typeof wrapped.get>>().toEqualTypeOf<{ wrapped: true }>();
    expectTypeOf<ValueOf<typeof wrapped.get>>().toEqualTypeOf<Todo>();
  });

  test('take a class of collections', () => {
    class Own extends Collection<[typeof Todo]> {}
    void resource({ path: '/todos/:id', schema: Todo, Collection: Own }).getList();
  });

  test('take a union', () => {
    const feeds = resource({ path: '/feed/:id', schema: new Union({ feed: Feed, link: Link }, 'kind') });
    expectTypeOf<ValueOf<typeof feeds.get>>().toEqualTypeOf<Feed | Link>();
    expectTypeOf<ValueOf<typeof feeds.getList>>().toEqualTypeOf<List<Feed | Link>>();
    expectTypeOf<ValueOf<typeof feeds.delete>>().toEqualTypeOf<Feed | Link>();
  });

  test('do not exist under another name', () => {
    // @ts-expect-error -- the option is called path
    resource({ path: '/todos/:id', pth: '/todos/:id', schema: Todo });
    // @ts-expect-error -- there is no such option
    resource({ path: '/todos/:id', schema: Todo, headers: {} });
    // @ts-expect-error -- each endpoint has its own method
    resource({ path: '/todos/:id', schema: Todo, method: 'POST' });
    // @ts-expect-error -- the option is called orderBy
    resource({ path: '/todos/:id', schema: Todo, list: { ordrBy: () => 0 } });
    // @ts-expect-error -- the option is called schema
    TodoResource.extend('get', { shema: Todo });
    // @ts-expect-error -- the option is called path
    TodoResource.extend({ get: { pth: '/todos' } });
    expectTypeOf(TodoResource.extend('get', { namespace: 'a' }).get.namespace).toEqualTypeOf<string>();
    class Versioned<O extends RestGenerics = any> extends RestEndpoint<O> {
      declare readonly version?: number;
    }
    resource({ path: '/todos/:id', schema: Todo, Endpoint: Versioned, version: 2 });
    // @ts-expect-error -- the class has no such member
    resource({ path: '/todos/:id', schema: Todo, Endpoint: Versioned, vrsion: 2 });
  });

  test('have the class of a record as the schema, and no record or list', () => {
    // @ts-expect-error -- this is a record
    resource({ path: '/todos/:id', schema: new Todo() });
    // @ts-expect-error -- this is a list
    resource({ path: '/todos/:id', schema: [Todo] });
  });

  test('must have a path and a schema', () => {
    // @ts-expect-error no path
    resource({ schema: Todo });
    // @ts-expect-error no schema
    resource({ path: '/todos/:id' });
  });
});

describe('extend', () => {
  test('adds a member that starts from get', () => {
    const voting = TodoResource.extend('vote', { path: '/todos/:id/vote', method: 'POST', body: undefined });
    expectTypeOf<ArgsOf<typeof voting.vote>>().toEqualTypeOf<[params: { readonly id: Id }]>();
    expectTypeOf<ValueOf<typeof voting.vote>>().toEqualTypeOf<Todo>();
    void voting.getList.push({ title: 'x' });
  });

  test('changes a member, or several', () => {
    const one = TodoResource.extend('getList', { searchParams: {} as { page: number } });
    void one.getList({ page: 1 });
    // @ts-expect-error which page?
    void one.getList();
    const several = TodoResource.extend({
      getList: { searchParams: {} as { page: number } },
      update: { body: {} as { completed: boolean } },
      get: { dataExpiryLength: 5 },
    });
    void several.getList({ page: 1 });
    void several.update({ id: 1 }, { completed: true });
    void several.get({ id: 1 });
    // @ts-expect-error completed or not?
    void several.update({ id: 1 }, {});
  });

  test('of the list gives create and push its path, body and search parameters', () => {
    const nested = TodoResource.extend({ getList: { path: '/users/:userId/todos', body: {} as { title: string } } });
    void nested.getList({ userId: 1 });
    void nested.create({ userId: 1 }, { title: 'x' });
    void nested.getList.push({ userId: 1 }, { title: 'x' });
    // @ts-expect-error whose list?
    void nested.getList();
    // @ts-expect-error whose list?
    void nested.create({ title: 'x' });
    // @ts-expect-error the title is missing
    void nested.create({ userId: 1 }, {});
    const one = TodoResource.extend('getList', { path: '/users/:userId/todos' });
    void one.create({ userId: 1 }, { title: 'x' });
    // @ts-expect-error whose list?
    void one.create({ title: 'x' });
    const made = TodoResource.extend((base) => ({ getList: base.getList.extend({ path: '/users/:userId/todos' }) }));
    void made.create({ userId: 1 }, { title: 'x' });
    // @ts-expect-error whose list?
    void made.create({ title: 'x' });
    const own = nested.extend('create', { path: '/own', body: {} as { name: string } });
    void own.create({ name: 'x' });
  });

  test('types the arguments of its functions', () => {
    const one = TodoResource.extend('partialUpdate', {
      getOptimisticResponse(_snap, params, body) {
        expectTypeOf(params).toEqualTypeOf<{ readonly id: Id }>();
        expectTypeOf(body).toEqualTypeOf<Changes<Todo> | FormData>();
        return params;
      },
      process: (value, { id }): { id: Id } => ({ ...value, id }),
    });
    expectTypeOf<ResolveType<typeof one.partialUpdate>>().toEqualTypeOf<{ id: Id }>();
    const several = TodoResource.extend({
      partialUpdate: {
        getOptimisticResponse(_snap, params) {
          expectTypeOf(params).toEqualTypeOf<{ readonly id: Id }>();
          return params;
        },
      },
      get: { process: (value): { own: true } => value },
    });
    expectTypeOf<ResolveType<typeof several.get>>().toEqualTypeOf<{ own: true }>();
    void TodoResource.extend('vote', {
      path: '/todos/:id/vote/:kind',
      method: 'POST',
      body: undefined,
      getHeaders(headers, { params }) {
        expectTypeOf(params).toEqualTypeOf<{ readonly id: Id; readonly kind: Id }>();
        return headers;
      },
    });
  });

  test('requires JSON for a member with a schema, whichever way it is extended', () => {
    // @ts-expect-error a blob is not data
    void TodoResource.extend({ get: { content: 'blob' } });
    // @ts-expect-error a blob is not data
    void TodoResource.extend('get', { content: 'blob' });
    // @ts-expect-error a blob is not data
    void TodoResource.get.extend({ content: 'blob' });
    // @ts-expect-error a text is not data
    void TodoResource.getList.extend({ content: 'text' });
    // @ts-expect-error a text is not data
    void TodoResource.extend({ getList: { path: '/todos/all', content: 'text' }, get: { content: 'json' } });
    const several = TodoResource.extend({
      get: { content: 'blob', schema: undefined },
      update: { content: 'text', process: (text: string) => ({ title: text }) },
      getList: { content: 'json' },
    });
    expectTypeOf<ResolveType<typeof several.get>>().toEqualTypeOf<Blob>();
    const file = TodoResource.extend('file', { path: '/todos/:id/file', schema: undefined, content: 'blob' });
    expectTypeOf<ResolveType<typeof file.file>>().toEqualTypeOf<Blob>();
    // @ts-expect-error a record is not a blob
    void several.extend({ get: { schema: Todo } });
  });

  test('takes a process with fewer parameters where the parameters of a call are optional', () => {
    const whole = TodoResource.create.extend({ process: (value: { data: { own: true } }) => value.data });
    expectTypeOf<ResolveType<typeof whole>>().toEqualTypeOf<{ own: true }>();
    void TodoResource.create.extend({ process: (value) => value.data });
    void TodoResource.extend({ create: { process: (value: { data: object }) => value.data } });
    void TodoResource.create.extend({
      process(value, first, body) {
        expectTypeOf(value).toBeAny();
        expectTypeOf<Partial<Todo>>().toExtend<typeof first>();
        expectTypeOf<FormData | undefined>().toExtend<typeof body>();
        return value;
      },
    });
    type Longer = (value: object, first: object, body: object, more: number) => object;
    // @ts-expect-error a call has no third argument
    void TodoResource.create.extend({ process: {} as Longer });
  });

  test('makes members of members', () => {
    const more = TodoResource.extend((base) => ({
      getAll: base.getList.extend({ path: '/todos/all', searchParams: undefined }),
      get: base.get.extend({ schema: undefined, process: (value): string => value }),
    }));
    expectTypeOf<ArgsOf<typeof more.getAll>>().toEqualTypeOf<[]>();
    expectTypeOf<ValueOf<typeof more.get>>().toEqualTypeOf<string>();
    void more.getList();
  });

  test('sends a body with a deletion if a body is declared', () => {
    void TodoResource.delete({ id: 1 });
    // @ts-expect-error there is no body
    void TodoResource.delete({ id: 1 }, {});
    const more = TodoResource.extend({ delete: { body: {} as { reason: string } } });
    void more.delete({ id: 1 }, { reason: 'old' });
    // @ts-expect-error the reason is missing
    void more.delete({ id: 1 });
    void TodoResource.partialUpdate.extend({ method: 'DELETE' })({ id: 1 });
  });

  test('can be called again', () => {
    const more = TodoResource.extend('a', { path: '/a' }).extend('b', { path: '/b/:x' });
    void more.a();
    void more.b({ x: 1 });
    void more.get({ id: 1 });
  });
});

test('changes of a part of a record take a part of the body', () => {
  const typed = resource({ path: '/todos/:id', schema: Todo, body: {} as { title: string; due: string } });
  void typed.partialUpdate({ id: 1 }, { title: 'x' });
  void typed.getList.move({ id: 1 }, { due: 'today' });
  // @ts-expect-error due is missing
  void typed.update({ id: 1 }, { title: 'x' });
  // @ts-expect-error a title is text
  void typed.getList.move({ id: 1 }, { title: 5 });
});

test('types of resources have the names that applications import', () => {
  expectTypeOf(TodoResource).toExtend<ResourceInterface>();
  const own: ExtendedResource<typeof TodoResource, { vote: typeof TodoResource.update }> = {
    ...TodoResource,
    vote: TodoResource.update,
  };
  void own.vote({ id: 1 }, { title: 'x' });
  type Custom = CustomResource<
    typeof TodoResource,
    { path: '/todos/:id'; schema: typeof Todo },
    { path: '/own/:name' }
  >;
  expectTypeOf<ArgsOf<Custom['get']>>().toEqualTypeOf<[params: { readonly name: Id }]>();
  expectTypeOf<Custom['delete']>().toEqualTypeOf<(typeof TodoResource)['delete']>();
  type Extension = ResourceExtension<typeof TodoResource, 'get', { path: '/own/:name' }>;
  expectTypeOf<ArgsOf<Extension['get']>>().toEqualTypeOf<[params: { readonly name: Id }]>();
  const changes: ResourceEndpointExtensions<typeof TodoResource, { path: '/own/:name' }> = {
    get: { path: '/own/:name', getHeaders: (headers, { params }) => ({ ...headers, 'X-Name': String(params.name) }) },
  };
  void changes;
  expectTypeOf<HookResource<typeof TodoResource>['useGet']>().toEqualTypeOf<() => typeof TodoResource.get>();
  expectTypeOf(TodoResource.get).toExtend<HookableEndpointInterface>();
});

test('a hookified resource has a hook for each member', () => {
  const hooks = hookifyResource(TodoResource, () => ({}));
  void hooks.useGet()({ id: 1 });
  void hooks.useGetList()();
  // @ts-expect-error the id is missing
  void hooks.useGet()({});
  // @ts-expect-error extend is none
  void hooks.useExtend;
});

test('a body has the stored fields of a record: no method, no pk(), nothing joined and nothing unknown', () => {
  const deals = resource({ path: '/deals/:id', schema: Deal });
  const [id, ann] = ['1', Owner.fromJS({ id: '7' })];
  void (() => deals.getList.push({ title: 'x', ownerId: '7' }));
  void (() => deals.getList.push([{ title: 'x' }, { title: 'y', buyer: ann }]));
  void (() => deals.create({ title: 'x', buyer: '7', contacts: [ann, '8', 9] }));
  void (() => deals.update({ id }, { title: 'x', buyer: undefined }));
  void (() => deals.partialUpdate({ id }, { title: 'x' }));
  void (() => deals.create({ title: 'x', buyer: { id: '7', name: 'Ann' }, contacts: [{ id: '8' }] }));
  // @ts-expect-error -- not a field of an owner
  void (() => deals.create({ buyer: { id: '7', title: 'x' } }));
  // @ts-expect-error -- a title is text
  void (() => deals.partialUpdate({ id }, { title: 1 }));
  // @ts-expect-error -- a method
  void (() => deals.partialUpdate({ id }, { pk: () => '1' }));
  // @ts-expect-error -- a method of the class
  void (() => deals.create({ summary: () => '' }));
  // @ts-expect-error -- joined on the client
  void (() => deals.partialUpdate({ id }, { owner: ann }));
  // @ts-expect-error -- unknown
  void (() => deals.getList.push({ titel: 'x' }));
  // @ts-expect-error -- unknown
  void (() => deals.update({ id }, { titel: 'x' }));
});

test('a body takes a field that is converted as it is stored, or as it is read', () => {
  class Event extends Entity {
    id = 0;
    at = new Date(0);
    size = 0;
    note = '';
    static override schema = { at: (iso: string) => new Date(iso), size: Number };
  }
  const { create, update } = resource({ path: '/events/:id', schema: Event });
  void create({ at: '2026-11-27', size: 5, note: 'x' });
  void update({ id: 1 }, { at: new Date(), size: 6 });
  // @ts-expect-error -- a date is stored as text
  void create({ at: 5 });
  // @ts-expect-error -- a size is a number
  void create({ size: '5' });
});

test('a body takes pks and new records in place of records, in fields, lists and maps', () => {
  class Line extends Entity {
    id = 0;
    text = '';
    tag?: Todo;
    static override schema = { tag: Todo };
  }
  class Order extends Entity {
    id = 0;
    main?: Line;
    last: Line | null = null;
    lines: readonly Line[] = [];
    byName: Record<string, Line> = {};
    counts: Record<string, number> = {};
    static override schema = { main: Line, last: Line, lines: [Line], byName: new Values(Line) };
  }
  const { create, update } = resource({ path: '/orders/:id', schema: Order });
  void create({ main: { text: 'a', tag: { title: 'New' } }, last: null, lines: [{ text: 'b' }, 5, '6'] });
  void update({ id: 1 }, { byName: { a: { text: 'c' }, b: 7 }, counts: { a: 1 } });
  // @ts-expect-error -- a line has no price
  void create({ lines: [{ price: 5 }] });
  // @ts-expect-error -- a line has no price
  void create({ byName: { a: { price: 5 } } });
  // @ts-expect-error -- a count is a number
  void create({ counts: { a: 'b' } });
});
