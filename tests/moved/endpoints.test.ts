import * as peer from '@data-client/rest';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as ours from '../../src/index.ts';

// For the compiler, both imports are this library: see `paths` in tsconfig.json.
type Library = typeof ours;

/** Search parameters of any name. */
const anything: Readonly<Record<string, unknown>> = {};
const urlPrefix = 'https://api.test';
const sent: { readonly address: string; readonly init: RequestInit }[] = [];

/** The answers of URLs that do not answer with a record. */
const answers: Readonly<Record<string, readonly [body: string, type: string, status: number]>> = {
  '/missing': ['{"message":"No"}', 'application/json', 404],
  '/broken': ['{"id":', 'application/json', 200],
  ...Object.fromEntries(
    ['text/plain', 'text/csv', 'html/text', 'application/csv', 'application/xml', 'text/markdown'].map(
      (type) => [`/as/${type.replace('/', '.')}`, ['text', type, 200]] as const,
    ),
  ),
};

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    sent.push({ address, init });
    const [path = ''] = address.slice(urlPrefix.length).split('?');
    const [body, type, status] = answers[path] ?? ['{"id":"1","title":"One"}', 'application/json', 200];
    return new Response(body, { status, headers: { 'content-type': type } });
  });
});
afterEach(() => void vi.unstubAllGlobals());

function todosOf({ createResource, Entity }: Library) {
  class Todo extends Entity {
    id = '';
    title = '';
    override pk(): string {
      return this.id;
    }
    static override key = 'Todo';
  }
  return { Todo, resource: createResource({ urlPrefix, path: '/todos/:id', schema: Todo }) };
}

function sentLast(): unknown {
  const { address, init } = sent.at(-1) as (typeof sent)[number];
  return [address, init.method, init.body];
}

async function failureOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    return [error instanceof Error, (error as { status?: unknown }).status];
  }
}

const cases: Readonly<Record<string, (library: Library) => unknown>> = {
  'names of the members of a resource': (library) => {
    const { get, getList, update, partialUpdate, delete: remove } = todosOf(library).resource;
    return [get, getList, update, partialUpdate, remove, getList.push, getList.unshift, getList.assign].map(
      ({ name }) => name,
    );
  },
  'methods, and which of them change something': (library) => {
    const { get, getList, update, partialUpdate, delete: remove } = todosOf(library).resource;
    return [get, getList, update, partialUpdate, remove, getList.push].map(({ method, sideEffect }) => [
      method,
      Boolean(sideEffect),
    ]);
  },
  'request keys': (library) => {
    const { get, getList, update, delete: remove } = todosOf(library).resource;
    return [
      get.key({ id: 1 }),
      getList.key(),
      getList.key({ b: 2, a: 1 }),
      getList.push.key({ title: 'New' }),
      update.key({ id: '1' }, {}),
      remove.key({ id: '1' }),
    ];
  },
  'whose request keys they are': (library) => {
    const { get, getList } = todosOf(library).resource;
    const keys = [get.key({ id: '1' }), getList.key(), getList.key({ page: 2 }), 'POST https://api.test/todos'];
    return [get, getList].map((endpoint) => keys.map((key) => endpoint.testKey(key)));
  },
  'paths of lists': ({ createResource, Entity }) => {
    class Todo extends Entity {
      id = '';
    }
    return ['/a/:b/c/:id', '/x/:id', '/x/:a/:id'].map(
      (path) => createResource({ path, schema: Todo, urlPrefix }).getList.path,
    );
  },
  'parameters that need quotes in an address': ({ RestEndpoint }) => {
    const search = new RestEndpoint({ urlPrefix, path: '/a/:b', searchParams: anything });
    return [search.url({ b: 'x y/z?&#é' }), search.url({ b: 'a', q: 'x&y=1+2' }), search.url({ b: 5, list: 'é' })];
  },
  'parameters that say nothing': ({ RestEndpoint }) =>
    new RestEndpoint({ urlPrefix, path: '/a', searchParams: anything }).url({
      none: null,
      no: false,
      zero: 0,
      empty: '',
    }),
  'an address that a class makes of an argument of its own': async ({ RestEndpoint }) => {
    class Positional extends RestEndpoint {
      override url(id: number): string {
        return `${urlPrefix}/todos/${id}.json`;
      }
    }
    const get = new Positional({ path: '/todos/:id' });
    await get(7);
    return [sentLast(), get.key(7)];
  },
  'an address that a class adds to': ({ RestEndpoint }) => {
    class Suffixed extends RestEndpoint {
      override url(...args: [object]): string {
        return `${super.url(...args)}.json`;
      }
    }
    const get = new Suffixed({ urlPrefix, path: '/todos/:id' });
    return [get.url({ id: 5 }), get.key({ id: 5 })];
  },
  'an address that a class makes of parameters and a body': async ({ RestEndpoint }) => {
    class Counting extends RestEndpoint {
      override url(params: object): string {
        return `${super.url(params)}?given=${Object.keys(params).join()}`;
      }
    }
    await new Counting({ urlPrefix, path: '/todos/:id', method: 'PUT' })({ id: 5 }, { title: 'New' });
    return sentLast();
  },
  'bodies with and without parameters': async ({ RestEndpoint }) => {
    const all: unknown[] = [];
    const note = async (call: Promise<unknown>): Promise<void> => {
      await call;
      all.push(sentLast());
    };
    await note(new RestEndpoint({ urlPrefix, path: '/p', method: 'POST' })({ a: 1 }));
    await note(new RestEndpoint({ urlPrefix, path: '/p/:id', method: 'PUT' })({ id: 1 }, { a: 1 }));
    await note(new RestEndpoint({ urlPrefix, path: '/p/:id', method: 'POST', body: undefined })({ id: 1 }));
    await note(new RestEndpoint({ urlPrefix, path: '/p', method: 'POST' })('text'));
    await note(new RestEndpoint({ urlPrefix, path: '/p/:id', method: 'DELETE' })({ id: 1 }));
    return all;
  },
  'text of all kinds': async ({ RestEndpoint }) => {
    const paths = Object.keys(answers).filter((path) => path.startsWith('/as/'));
    return Promise.all(paths.map(async (path) => new RestEndpoint({ urlPrefix, path })()));
  },
  'errors of the server and of its answers': async (library) => {
    const { Todo } = todosOf(library);
    const get = (path: string): Promise<unknown> =>
      failureOf(() => new library.RestEndpoint({ urlPrefix, path, schema: Todo })());
    return [await get('/missing'), await get('/broken')];
  },
  'functions that take the place of others': async ({ Endpoint }) => {
    const base = new Endpoint(async (id: string) => `base ${id}`, { name: 'base' });
    async function another(id: string): Promise<string> {
      return `another ${id}`;
    }
    const named = base.extend({ fetch: another, name: 'named' });
    return [
      await base('1'),
      await base.extend({ fetch: another })('1'),
      await named('1'),
      base.key('1'),
      named.key('1'),
    ];
  },
  'members that a function finds in this': async ({ Endpoint }) => {
    const add = new Endpoint(
      async function (this: { more: number }, value: number) {
        return this.more + value;
      },
      { more: 10, name: 'add' },
    );
    return [await add(1), await add.extend({ more: 20 })(1)];
  },
  'options that extend keeps and changes': ({ RestEndpoint }) => {
    const one = new RestEndpoint({ urlPrefix, path: '/q', dataExpiryLength: 7 });
    const other = one.extend({ path: '/r/:x', method: 'POST' });
    const back = other.extend({ method: 'GET' });
    return [other.url({ x: 1 }), other.dataExpiryLength, other.method, other.sideEffect, back.sideEffect];
  },
  'what endpoints are instances of': ({ Endpoint, RestEndpoint }) => {
    const one = new RestEndpoint({ urlPrefix, path: '/q' }).extend({ dataExpiryLength: 1 });
    return [one instanceof RestEndpoint, one instanceof Endpoint, typeof one];
  },
  'process with the arguments of its call': async ({ RestEndpoint }) =>
    new RestEndpoint({
      urlPrefix,
      path: '/todos/:id',
      process: (value: { title: string }, { id }) => `${id}: ${value.title}`,
    })({ id: '9' }),
  'pks of collections': ({ Entity, schema }) => {
    class Todo extends Entity {
      id = '';
    }
    const list = new schema.Collection([Todo]);
    return [[{ b: 1, a: 'x' }], [], [{ a: undefined, c: true }]].map((args) => list.pk([], undefined, '', args));
  },
  'instances of plain data': (library) => {
    const { Todo } = todosOf(library);
    const todo = Todo.fromJS({ id: '3' });
    return [JSON.stringify(todo), todo.pk(), todo instanceof Todo, Todo.key];
  },
};

describe('both libraries agree on', () => {
  test.each(Object.entries(cases))('%s', async (_name, run) => {
    const outcome = await run(ours);
    expect(outcome).toBeDefined();
    expect(outcome).toEqual(await run(peer));
  });
});
