import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  actionTypes,
  Collection,
  Controller,
  Endpoint,
  Entity,
  EntityMixin,
  type Manager,
  NetworkManager,
  platform,
  resource,
  RestEndpoint,
  schema as schemas,
  Store,
  Union,
  Values,
} from '../src/index.ts';
import type { ResourceGenerics, ResourceOptions } from '../src/define/rest/infer-resource.ts';
import type { RestOptions } from '../src/define/rest/infer-rest-options.ts';
import { Todo, User } from './model.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());
class Note extends Entity {
  id = '';
  type = 'note';
  static override key = 'Note';
}

describe('in development there is one warning', () => {
  it.each<[unknown, string]>([
    ['5', 'was given "5".'],
    [null, 'was given null.'],
    [[{ id: '5' }], 'was given a list.'],
  ])('for fromJS() of something that has no fields: %o', (props, found) => {
    class Page extends Note {}
    Page.fromJS(props as object);
    Page.fromJS(props as object);
    Page.fromJS({ id: '5' });
    Page.fromJS();
    expect(log.mock.calls.flat()).toEqual([
      `Page.fromJS() ${found} Pass an object with fields, such as Page.fromJS({ id: '1' }). ` +
        'See node_modules/rejoin/docs/errors.md#props-expected.',
    ]);
  });

  it('for a record of a kind that a map does not have', () => {
    const kinds = { note: Note, other: Note };
    for (const schema of [
      new Union(kinds, 'type'),
      new Values(kinds, 'type'),
      new schemas.Array(kinds, 'type'),
      [new Union(kinds, 'type')],
      new Collection([new Union(kinds, 'type')]),
    ]) {
      const store = new Store();
      const wrong = { id: '1', type: 'gone' };
      const input = schema instanceof Union ? wrong : schema instanceof Values ? { a: wrong } : [wrong];
      store.write(schema, input, { args: [{}] });
      store.write(schema, input, { args: [{}] });
      expect(log.mock.calls).toEqual([
        [
          'A record is of none of the classes note, other: its type is "gone". It is stored as it came. Add the name to the map, ' +
            'or correct the field or function. See node_modules/rejoin/docs/errors.md#kind-unknown.',
        ],
      ]);
      log.mockClear();
    }
    new Store().write(new Union(kinds, () => undefined as unknown as 'note'), { id: '1' });
    expect(log.mock.calls.flat()).toEqual([
      expect.stringContaining('the function that tells them apart returned undefined.'),
    ]);
  });

  it('for a pk in place of a record, if its class is unknown', () => {
    const union = new Union({ todo: Todo, note: Note }, 'type');
    const store = new Store();
    store.write([union], ['1', '1', 0, '', false, true, null]);
    expect(log.mock.calls).toEqual([
      [
        'The response has the pk "1" in place of a record of todo or note, and its class is unknown. It is stored as it came. ' +
          'Have the server send the record, or give the schema a function that finds the class by the parent: ' +
          '(value, parent) => parent.kind. See node_modules/rejoin/docs/errors.md#kind-unknown.',
      ],
    ]);
  });

  it('and none for a known kind, or for arguments that name no kind', () => {
    const union = new Union({ note: Note }, 'type');
    const store = new Store();
    store.write([union], [{ id: '1', type: 'note' }, null]);
    expect(store.get(union, { id: '1' })).toBeInstanceOf(Note);
    expect(log).not.toHaveBeenCalled();
  });

  it('for an entity that is named after its class', () => {
    class Unnamed extends Entity {
      id = '';
    }
    class Mixed extends EntityMixin(class Plain {}) {}
    const store = new Store();
    for (const entity of [Unnamed, Mixed, Todo, EntityMixin(class Other {}, { key: 'Other' })]) {
      store.write(entity, { id: '1' });
      store.write(entity, { id: '2' });
    }
    expect(log.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^The table of Unnamed .* Set static key = 'Unnamed'\. See node_modules\/rejoin\/docs\/errors\.md#key-default\.$/,
        ),
      ],
      [expect.stringContaining('The table of Mixed')],
    ]);
  });

  it('for a class with a static normalize(), which nothing calls', () => {
    class Walking extends Todo {
      static override key = 'Walking';
      static normalize(): string {
        return '1';
      }
    }
    const store = new Store();
    for (const id of ['1', '2']) store.write(Walking, { id });
    expect(store.get(Walking, '2')).toEqual(Walking.fromJS({ id: '2' }));
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^Walking has a static normalize\(\), which is not called\. .*#normalize-uncalled\.$/)],
    ]);
  });

  it('for a misspelled option of a resource, and for classes given to it by names in small letters', () => {
    const options = { path: '/todos/:id', schema: Todo } as const;
    resource({ ...options, endpoint: RestEndpoint } as typeof options);
    resource({ ...options, collection: Collection } as typeof options);
    resource({ ...options, optimisic: true } as typeof options)
      .extend('get', { pollfrequncy: 5 } as object)
      .extend('get', { dataExpiry: 5 } as object);
    resource({ ...options, Endpoint: RestEndpoint, Collection });
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^There is no option endpoint\. Did you mean Endpoint\? .*#option-unknown\.$/)],
      [expect.stringContaining('Did you mean Collection?')],
      [expect.stringContaining('There is no option optimisic. Did you mean optimistic?')],
      [expect.stringContaining('Did you mean pollFrequency?')],
      [expect.stringContaining('There is no option dataExpiry. Did you mean dataExpiryLength?')],
    ]);
  });

  it('for an address with two slashes between its prefix and its path', () => {
    class Own extends RestEndpoint {}
    resource({ urlPrefix: 'https://a.b/', path: '/todos/:id', schema: Todo, Endpoint: Own });
    resource({ urlPrefix: 'https://a.b/', path: 'todos/:id', schema: Todo, Endpoint: Own });
    resource({ urlPrefix: 'https://a.b', path: '/todos/:id', schema: Todo, Endpoint: Own });
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^The urlPrefix https:\/\/a\.b\/ ends with \/.* has \/\/\. .*#url-slashes\.$/)],
    ]);
  });

  it('for each option that is misspelled, and none for the option itself', () => {
    type Name = keyof RestOptions | keyof ResourceGenerics | keyof ResourceOptions | 'list' | 'method' | 'sideEffect';
    const known: Readonly<Record<Exclude<Name, 'key' | 'url'>, true>> = {
      body: true,
      caching: true,
      Collection: true,
      content: true,
      dataExpiryLength: true,
      Endpoint: true,
      errorExpiryLength: true,
      errorPolicy: true,
      extra: true,
      fetch: true,
      fetchResponse: true,
      getHeaders: true,
      getOptimisticResponse: true,
      getRequestInit: true,
      idempotencyKey: true,
      impliedResponse: true,
      invalidIfStale: true,
      list: true,
      method: true,
      name: true,
      needs: true,
      nonFilterArgumentKeys: true,
      offline: true,
      onResponse: true,
      optimistic: true,
      origins: true,
      paginationField: true,
      parseJson: true,
      parseResponse: true,
      path: true,
      platform: true,
      pollFrequency: true,
      process: true,
      refetches: true,
      refresh: true,
      requestInit: true,
      retry: true,
      schema: true,
      searchParams: true,
      searchToString: true,
      serial: true,
      sideEffect: true,
      signal: true,
      testKey: true,
      timeout: true,
      update: true,
      urlPrefix: true,
      validate: true,
      whole: true,
      wire: true,
    };
    for (const name of Object.keys(known)) {
      class Own extends RestEndpoint {}
      const options = { path: '/todos/:id', schema: Todo };
      new Own({ ...options, [name]: undefined });
      expect(log).not.toHaveBeenCalled();
      new Own({ ...options, [`${name}x`]: undefined });
      expect(log.mock.calls).toEqual([[expect.stringContaining(`Did you mean ${name}?`)]]);
      log.mockClear();
    }
  });

  it('and none for an option that a class declares, that is a plural, or that is like no other', () => {
    class Own extends RestEndpoint {
      get timeouts(): number {
        return 5;
      }
      get retryy(): number {
        return 5;
      }
    }
    new Own({ path: '/todos', timeouts: 5, retryy: 5, paths: [], namespace: 'a', pth: '/todos' } as never);
    expect(log).not.toHaveBeenCalled();
  });

  it('for two slashes between a prefix that extend() gives and the path of the endpoint', () => {
    new RestEndpoint({ urlPrefix: 'https://a.c', path: '/todos/:id' }).extend({ urlPrefix: 'https://a.c/' });
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^The urlPrefix https:\/\/a\.c\/ ends with \//)]]);
  });

  it('for an argument after the parameters of the deletion of a resource', async () => {
    const fetch = async (): Promise<Response> => new Response(null, { status: 204 });
    const todos = resource({ path: '/todos/:id', schema: Todo, platform: { ...platform, fetch } });
    const remove = todos.delete as (...args: unknown[]) => Promise<unknown>;
    await remove({ id: '1' }, { reason: 'old' });
    expect(log.mock.calls).toEqual([[expect.stringContaining('DELETE Todo.delete was called with { reason }')]]);
  });

  it('for an argument after the last parameter, which is not sent', async () => {
    const fetch = async (): Promise<Response> => Response.json({ id: '1' });
    const options = { path: '/todos/:id', platform: { ...platform, fetch } } as const;
    const get = new RestEndpoint(options) as (...args: unknown[]) => Promise<unknown>;
    const remove = new RestEndpoint({ ...options, method: 'DELETE' }) as typeof get;
    for (let time = 0; time < 2; time++) {
      await get({ id: '1' }, { include: 'author' });
      await remove({ id: '1' }, { reason: 'old', by: 'me' });
    }
    expect(log.mock.calls).toEqual([
      [
        'GET /todos/:id was called with { include } after its parameters, which it does not send. Pass search parameters in the first ' +
          'argument. See node_modules/rejoin/docs/errors.md#argument-unsent.',
      ],
      [
        'DELETE /todos/:id was called with { reason, by } after its parameters, which it does not send. Pass it to an endpoint with the ' +
          'option body. See node_modules/rejoin/docs/errors.md#argument-unsent.',
      ],
    ]);
    log.mockClear();
    const used = new RestEndpoint({ ...options, process: (_value, ...args: unknown[]) => args }) as typeof get;
    expect(await used({ id: '1' }, { include: 'author' })).toEqual([{ id: '1' }, { include: 'author' }]);
    await get({ id: '1' }, {});
    await get({ id: '1' }, undefined);
    await (new RestEndpoint({ ...options, url: () => '/x' }) as typeof get)(1, { a: 1 });
    expect(log).not.toHaveBeenCalled();
  });

  it('for a field whose schema is still undefined', () => {
    class Early extends User {
      static override key = 'Early';
      static override schema = { owner: undefined } as Record<string, unknown>;
    }
    const store = new Store();
    for (const id of ['1', '2']) store.write(Early, { id, owner: { id } });
    expect(log.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^The schema of Early has undefined for owner, .* Early\.schema = \{ owner: … \}\. .*#field-schema-missing\.$/,
        ),
      ],
    ]);
  });

  it('for a field whose schema is a text or a number', () => {
    class Example extends User {
      static override key = 'Example';
      static override schema = { name: '', owner: 5 } as Record<string, unknown>;
    }
    new Store().write(Example, { id: '1' });
    expect(log.mock.calls.flat()).toEqual([
      expect.stringContaining('The schema of Example has "" for name, which is no schema. Name there only'),
      expect.stringContaining('The schema of Example has 5 for owner, which is no schema.'),
    ]);
  });

  it('for two classes with one key and different fields', () => {
    class Doctor extends Entity {
      id = '';
      specialty = '';
      static override key = 'Doctor';
    }
    class Patient extends Entity {
      id = '';
      birth = '';
      static override key = 'Doctor';
    }
    const store = new Store();
    store.write(Doctor, { id: '1', specialty: 'skin' });
    store.write(Patient, { id: '1', birth: '1980-01-01' });
    store.write([Patient], [{ id: '2' }]);
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^Doctor and Patient have the same static key 'Doctor', .*#key-shared\.$/)],
    ]);
  });

  it('and none for two classes of the same records, nor for a class that is created again', () => {
    class Base extends Entity {
      id = '';
      static override key = 'Seen';
    }
    class Detail extends Base {
      text = '';
    }
    class Head extends Base {
      title = '';
    }
    class Title extends Entity {
      id = '';
      title = '';
      static override key = 'Seen';
    }
    class Whole extends Title {
      static override key = 'Whole';
    }
    class More extends Entity {
      id = '';
      title = '';
      text = '';
      static override key = 'Whole';
    }
    const again = (field: string): typeof Entity => {
      class Again extends Entity {
        id = '';
        [field] = '';
        static override key = 'Again';
      }
      return Again;
    };
    const store = new Store();
    for (const seen of [Head, Detail, Base, Title, Whole, More]) store.write(seen, { id: '1' });
    for (const made of [again('one'), again('two')]) store.write(made, { id: '1' });
    expect(log).not.toHaveBeenCalled();
  });

  it('for a field of a schema that is misspelled', () => {
    class Misspelled extends Entity {
      id = '';
      author: User | undefined = undefined;
      teamId = '';
      static override key = 'Misspelled';
      static override schema = { team: User, editor: User, id: (id: string) => id, Autor: User };
    }
    const store = new Store();
    for (const id of ['1', '2']) store.write(Misspelled, { id });
    expect(log.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^The schema of Misspelled names Autor, .* Did you mean author\? .*#schema-field-unknown\.$/,
        ),
      ],
    ]);
  });

  it('for a class in which no field has a default, and none if one field has a default', () => {
    class Declared extends Entity {
      id!: string;
      title!: string;
      static override key = 'Declared';
    }
    // With `useDefineForClassFields`, such fields exist with the value `undefined`. Without it, they do not exist.
    Object.defineProperty(Declared, 'defaults', { value: { id: undefined, title: undefined } });
    class Short extends Entity {
      id: string | undefined = undefined;
      static override key = 'Short';
    }
    class Optional extends Entity {
      id = '';
      due: string | undefined = undefined;
      static override key = 'Optional';
    }
    const store = new Store();
    for (const entity of [Declared, Short, Optional]) store.write(entity, { id: '1' });
    expect(log.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^No field of Declared has a default value, .* id = ''; .* id!: string; .*#field-default\.$/,
        ),
      ],
    ]);
  });

  it('for a field whose default is a record, and that the schema does not name', () => {
    class Unnamed extends Entity {
      id = '';
      due = new Date(0);
      author = User.fromJS();
      static override key = 'Unnamed';
    }
    const store = new Store();
    for (const id of ['1', '2']) store.write(Unnamed, { id });
    expect(log.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^The default of Unnamed\.author is a User, .* static schema = \{ author: User \}\. .*#schema-field-unknown\.$/,
        ),
      ],
    ]);
  });

  it('for a field whose default is a record of another class than its schema has', () => {
    class Admin extends User {
      static override key = 'Admin';
    }
    class Mixed extends Entity {
      id = '';
      author = User.fromJS();
      admin = User.fromJS();
      known = User.fromJS();
      todo = User.fromJS();
      static override key = 'Mixed';
      static override schema = { author: User, admin: Admin, known: [User], todo: Todo };
    }
    const store = new Store();
    for (const id of ['1', '2']) store.write(Mixed, { id });
    expect(log.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^The default of Mixed\.todo is a User, but static schema has Todo for it\. .*\{ todo: User \}\. .*#schema-field-unknown\.$/,
        ),
      ],
    ]);
  });

  it('for a schema that cannot store the response', () => {
    const plain = new RestEndpoint({ path: '/file', content: 'blob' });
    for (const schema of [null, '', undefined]) plain.extend({ schema });
    plain.extend({ schema: Todo, process: () => ({ id: '1' }) });
    new RestEndpoint({ path: '/todo', schema: Todo, content: 'json' });
    expect(log).not.toHaveBeenCalled();
    const wrong: object = { path: '/todo', schema: Todo, content: 'blob' };
    new RestEndpoint(wrong as { path: string });
    // @ts-expect-error -- the types refuse it too
    plain.extend({ schema: [Todo] });
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^GET \/todo has a schema, but reads its response as blob, .*#content-not-json/)],
      [expect.stringContaining('GET /file has a schema')],
    ]);
  });

  it('for one request key whose answers are stored by different schemas', async () => {
    const controller = new Controller();
    const fetched = async (): Promise<object[]> => [{ id: '1' }];
    const todos = new Endpoint(fetched, { name: 'all', schema: [Todo] });
    await controller.fetch(todos);
    await controller.fetch(todos.extend({ schema: [Todo] }));
    const list = resource({ path: '/todos/:id', schema: Todo, paginationField: 'page' }).getList;
    await controller.setResponse(list, {}, [{ id: '1' }]);
    await controller.setResponse(list.getPage, { page: 2 }, [{ id: '2' }]);
    expect(log).not.toHaveBeenCalled();
    const notes = todos.extend({ schema: [Note] });
    await controller.fetch(notes);
    await controller.fetch(notes);
    await controller.fetch(todos.extend({ sideEffect: true, schema: new Collection([Note]) }));
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^Endpoints with different schemas share the request all \[\].*#request-shared\.$/)],
    ]);
  });

  it('for a set(), setResponse() or subscribe() that fails, which is not an unhandled rejection', async () => {
    const controller = new Controller();
    const get = new Endpoint(async () => ({ id: '1' }), { name: 'get', schema: Todo });
    const unhandled = vi.fn<(error: unknown) => void>();
    process.on('unhandledRejection', unhandled);
    void controller.set(Todo, { id: '1' }, { title: 'without an id' });
    void controller.setResponse(get, []);
    void controller.subscribe(get);
    await new Promise((resolve) => void setTimeout(resolve, 0));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^set\(\) did nothing: .*no primary key.*#pk-missing\.$/)],
      [expect.stringMatching(/^subscribe\(\) did nothing: .*manager/)],
      [expect.stringMatching(/^setResponse\(\) did nothing: /)],
    ]);
    await expect(controller.set(Todo, { id: '1' }, {})).rejects.toMatchObject({ code: 'pk-missing' });
  });

  it('for a mutation after which shown data cannot be fetched again, and the mutation resolves to its answer', async () => {
    const controller = new Controller();
    const get = new Endpoint(async () => ({ id: '1' }), { name: 'get', schema: Todo });
    const broken = Object.assign(get.extend({ name: 'broken' }), {
      testKey: () => {
        throw new RangeError('no');
      },
    });
    const save = new Endpoint(async () => ({ id: '1' }), {
      name: 'save',
      schema: Todo,
      sideEffect: true,
      refetches: [broken],
    });
    await controller.fetch(get);
    const stop = controller.view(get).subscribe(() => {});
    await expect(controller.fetch(save)).resolves.toBe(controller.get(Todo, '1'));
    stop();
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^Shown data could not be fetched again after save \[\]: no\. See .*#request-unfinished/)],
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new RangeError('no');
      },
    ],
    ['rejects', async () => Promise.reject(new RangeError('no'))],
  ])(
    'for a manager that %s while it handles the error of a request, and the callers get the error of the request',
    async (_how, fail: () => Promise<void>) => {
      const failing: Manager = {
        cleanup: () => {},
        middleware: () => (next) => (action) => (action.type === actionTypes.SET_RESPONSE ? fail() : next(action)),
      };
      const controller = new Controller({ managers: [new NetworkManager(), failing] });
      const get = new Endpoint(() => Promise.reject(new Error('offline')), { name: 'get', schema: Todo });
      await expect(controller.fetch(get)).rejects.toThrow('offline');
      expect(log.mock.calls).toEqual([
        [expect.stringMatching(/^The error of get \[\] could not be stored: no\. See .*#request-unfinished/)],
      ]);
    },
  );

  it('for an update() that throws, and its answer is stored', async () => {
    const controller = new Controller();
    const create = new Endpoint(async () => ({ id: '1' }), {
      name: 'create',
      schema: Todo,
      sideEffect: true,
      update: () => {
        throw new RangeError('no');
      },
    });
    await controller.fetch(create);
    expect(controller.get(Todo, '1')).toBeInstanceOf(Todo);
    expect(log.mock.calls.flat()).toEqual([
      expect.stringMatching(/^update\(\) of create .*RangeError: no.*#update-failed/),
    ]);
  });
});

it('a production bundle contains neither warnings nor the cures of errors', () => {
  const src = join(import.meta.dirname, '../src');
  const codes = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test'))
    .flatMap((file) => [...readFileSync(join(src, file), 'utf8').matchAll(/\bwarn\(\s*\w+,\s*'([a-z-]+)'/g)])
    .map(([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(5);
  const bundle = (mode: string): string =>
    buildSync({
      entryPoints: [join(src, 'index.ts'), join(src, 'react.ts')],
      outdir: 'none',
      bundle: true,
      minify: true,
      format: 'esm',
      external: ['react', 'react-dom'],
      define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
      write: false,
    })
      .outputFiles.map(({ text }) => text)
      .join('\n');
  const [development, production] = [bundle('development'), bundle('production')];
  for (const code of codes) {
    expect(development).toContain(code);
    expect(production).not.toContain(code);
  }
  expect(production).not.toContain('console.warn');
  for (const words of [
    'of none of the classes',
    'is named after its class',
    'share the request',
    'No guess was made',
    'same static key',
    'no such field',
    // The cures of errors.
    'Render one around the application',
    'lines of JSON (NDJSON)',
    'created again in each render',
  ])
    expect([development.includes(words), production.includes(words)]).toEqual([true, false]);
});
