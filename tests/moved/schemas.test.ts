import * as peer from '@data-client/rest';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as ours from '../../src/index.ts';
import { type Client, ourClient, peerClient } from './clients.ts';

// For the compiler, both imports are this library: see `paths` in tsconfig.json.
type Library = typeof ours;

const urlPrefix = 'https://api.test';
/** The answers of the server by method and path. */
const answers = new Map<string, unknown>();

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const name = `${init.method ?? 'GET'} ${address.slice(urlPrefix.length)}`;
    const answer = answers.get(name);
    const [body, status] = Array.isArray(answer) && answer[0] === 'status' ? [answer[2], answer[1]] : [answer, 200];
    if (body === undefined) return new Response(null, { status: 404 });
    return new Response(JSON.stringify(body), {
      status: Number(status),
      headers: { 'content-type': 'application/json' },
    });
  });
});
afterEach(() => {
  answers.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A few records of an application. */
function worldOf({ createResource, Entity, schema }: Library) {
  class User extends Entity {
    id = '';
    name = '';
    override pk(): string {
      return this.id;
    }
    static override key = 'User';
  }
  class Task extends Entity {
    id = '';
    title = '';
    state = 'open';
    rank = 0;
    owner?: User;
    override pk(): string {
      return this.id;
    }
    static override key = 'Task';
    static override schema = { owner: User };
  }
  class Note extends Entity {
    id = '';
    type = 'note';
    text = '';
    override pk(): string {
      return this.id;
    }
    static override key = 'Note';
  }
  class Link extends Entity {
    id = '';
    type = 'link';
    url = '';
    override pk(): string {
      return this.id;
    }
    static override key = 'Link';
  }
  const Item = new schema.Union({ note: Note, link: Link }, 'type');
  const tasks = createResource({
    urlPrefix,
    path: '/tasks/:id',
    schema: Task,
    searchParams: {},
  });
  return { User, Task, Note, Link, Item, tasks, Collection: schema.Collection };
}

const titles = (list: unknown): unknown => (list as { title: string }[] | undefined)?.map(({ title }) => title);
const titleOf = (task: unknown): unknown => Object(task).title as unknown;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;
const failureOf = (run: () => Promise<unknown>): Promise<unknown> =>
  run().then(
    () => 'none',
    (error: unknown) => [error instanceof Error, (error as { status?: unknown }).status],
  );

type Case = (library: Library, client: Client) => unknown;
const cases: Readonly<Record<string, Case>> = {
  'a member of a union is an instance of its class': async (library, client) => {
    const { Item, Link, Note } = worldOf(library);
    const list = new library.RestEndpoint({ urlPrefix, path: '/items', schema: [Item] });
    await client.setResponse(list, [
      { id: '1', type: 'note', text: 'a' },
      { id: '1', type: 'link', url: 'b' },
    ]);
    const shown = client.shown(list) as unknown[];
    return [plain(shown), shown.map((one) => [one instanceof Note, one instanceof Link])];
  },
  'a union alone, and one that changes its kind': async (library, client) => {
    const { Item, Link } = worldOf(library);
    const one = new library.RestEndpoint({ urlPrefix, path: '/item/:id', schema: Item });
    await client.setResponse(one, { id: '1' }, { id: '1', type: 'note', text: 'a' });
    const first = plain(client.shown(one, { id: '1' }));
    await client.setResponse(one, { id: '1' }, { id: '1', type: 'link', url: 'b' });
    return [first, plain(client.shown(one, { id: '1' })), plain(client.get(Link, { id: '1' }))];
  },
  'values of records, without those that are deleted': async (library, client) => {
    const { Task } = worldOf(library);
    const map = new library.RestEndpoint({ urlPrefix, path: '/map', schema: new library.schema.Values(Task) });
    await client.setResponse(map, { a: { id: '1', title: 'A' }, b: { id: '2', title: 'B' } });
    await client.set(new library.schema.Invalidate(Task), { id: '1' });
    return plain(client.shown(map));
  },
  'values of several kinds': async (library, client) => {
    const { Link, Note } = worldOf(library);
    const values = new library.schema.Values({ note: Note, link: Link }, (one: { type: 'note' | 'link' }) => one.type);
    const map = new library.RestEndpoint({ urlPrefix, path: '/map', schema: values });
    await client.setResponse(map, { x: { id: '1', type: 'note', text: 'n' }, y: { id: '2', type: 'link', url: 'u' } });
    const shown = client.shown(map) as Record<string, unknown>;
    return [plain(shown), shown['x'] instanceof Note, shown['y'] instanceof Link];
  },
  'values that are null or plain': async (library, client) => {
    const { Task } = worldOf(library);
    const map = new library.RestEndpoint({
      urlPrefix,
      path: '/map',
      schema: { tasks: new library.schema.Values(Task), n: 0 },
    });
    await client.setResponse(map, { tasks: { a: { id: '1', title: 'A' } }, n: 3 });
    return plain(client.shown(map));
  },
  'a list of records': async (library, client) => {
    const { Task } = worldOf(library);
    const list = new library.RestEndpoint({ urlPrefix, path: '/list', schema: new library.schema.Array(Task) });
    await client.setResponse(list, [{ id: '1', title: 'A' }, '1', { id: '2', title: 'B' }]);
    return plain(client.shown(list));
  },
  'a list of several kinds': async (library, client) => {
    const { Link, Note } = worldOf(library);
    const list = new library.RestEndpoint({
      urlPrefix,
      path: '/list',
      schema: new library.schema.Array({ note: Note, link: Link }, 'type'),
    });
    await client.setResponse(list, [
      { id: '1', type: 'link', url: 'x' },
      { id: '2', type: 'note', text: 'y' },
    ]);
    return (client.shown(list) as unknown[]).map((one) => [one instanceof Link, plain(one)]);
  },
  'a record that is deleted leaves lists, and an endpoint of its own': async (library, client) => {
    const { tasks } = worldOf(library);
    await client.setResponse(tasks.getList, [
      { id: '1', title: 'A' },
      { id: '2', title: 'B' },
    ]);
    await client.setResponse(tasks.get, { id: '1' }, { id: '1', title: 'A' });
    answers.set('DELETE /tasks/1', { id: '1' });
    await client.fetch(tasks.delete, { id: '1' });
    return [titles(client.shown(tasks.getList)), titleOf(client.shown(tasks.get, { id: '1' }))];
  },
  'several records are deleted by one answer': async (library, client) => {
    const { tasks, Task } = worldOf(library);
    const clear = new library.RestEndpoint({
      urlPrefix,
      path: '/clear',
      method: 'POST',
      schema: [new library.schema.Invalidate(Task)],
    });
    await client.setResponse(
      tasks.getList,
      ['1', '2', '3'].map((id) => ({ id, title: id })),
    );
    answers.set('POST /clear', [{ id: '1' }, { id: '3' }]);
    await client.fetch(clear, {});
    return titles(client.shown(tasks.getList));
  },
  'a required record that is deleted takes the record with it': async (library, client) => {
    const { tasks, Task, User } = worldOf(library);
    await client.setResponse(tasks.getList, [
      { id: '1', title: 'A', owner: { id: 'u', name: 'Ann' } },
      { id: '2', title: 'B' },
    ]);
    await client.set(new library.schema.Invalidate(User), { id: 'u' });
    return [plain(client.shown(tasks.getList)), plain(client.get(Task, { id: '1' }))];
  },
  'push, unshift and what comes first': async (library, client) => {
    const { tasks } = worldOf(library);
    await client.setResponse(tasks.getList, [{ id: '2', title: 'B' }]);
    answers.set('POST /tasks', { id: '3', title: 'C' });
    const pushed = await client.fetch(tasks.getList.push, { title: 'C' });
    answers.set('POST /tasks', { id: '1', title: 'A' });
    await client.fetch(tasks.getList.unshift, { title: 'A' });
    return [titles(client.shown(tasks.getList)), plain(pushed)];
  },
  'push of several at once': async (library, client) => {
    const { tasks } = worldOf(library);
    await client.setResponse(tasks.getList, []);
    answers.set('POST /tasks', [
      { id: '1', title: 'A' },
      { id: '2', title: 'B' },
    ]);
    const pushed = await client.fetch(tasks.getList.push, [{ title: 'A' }, { title: 'B' }] as never);
    return [titles(client.shown(tasks.getList)), titles(pushed)];
  },
  'assign adds to a map': async (library, client) => {
    const { Collection, Task } = worldOf(library);
    const values = new Collection(new library.schema.Values(Task));
    const map = new library.RestEndpoint({ urlPrefix, path: '/map', schema: values });
    await client.setResponse(map, { 1: { id: '1', title: 'A' } });
    answers.set('POST /map', { 2: { id: '2', title: 'B' } });
    await client.fetch(map.assign, { 2: { id: '2', title: 'B' } });
    return plain(client.shown(map));
  },
  'a collection inside of a record': async (library, client) => {
    const { Collection, Task } = worldOf(library);
    class Project extends library.Entity {
      id = '';
      tasks: InstanceType<typeof Task>[] = [];
      override pk(): string {
        return this.id;
      }
      static override key = 'Project';
      static override schema = {
        tasks: new Collection([Task], { nestKey: (parent: { id: string }) => ({ project: parent.id }) }),
      };
    }
    const get = new library.RestEndpoint({ urlPrefix, path: '/projects/:id', schema: Project });
    await client.setResponse(get, { id: 'p' }, { id: 'p', tasks: [{ id: '1', title: 'A' }] });
    return plain(client.shown(get, { id: 'p' }));
  },
  'a record is shown before its own request, and its relations': async (library, client) => {
    const { tasks } = worldOf(library);
    await client.setResponse(tasks.getList, [{ id: '1', title: 'A', owner: { id: 'u', name: 'Ann' } }]);
    return [
      plain(client.shown(tasks.get, { id: '1' })),
      client.status(tasks.get, { id: '1' }),
      client.status(tasks.get, { id: '9' }),
    ];
  },
  'set merges fields': async (library, client) => {
    const { Task } = worldOf(library);
    await client.set(Task, { id: '1', title: 'A', rank: 1 });
    await client.set(Task, { id: '1', title: 'B' });
    return plain(client.get(Task, { id: '1' }));
  },
  'an update, a partial one, and a create of an id that is known': async (library, client) => {
    const { tasks } = worldOf(library);
    await client.setResponse(tasks.getList, [{ id: '1', title: 'A', rank: 1 }]);
    answers.set('PATCH /tasks/1', { id: '1', title: 'B' });
    const patched = await client.fetch(tasks.partialUpdate, { id: '1' }, { title: 'B' });
    answers.set('PUT /tasks/1', { id: '1', title: 'C', rank: 5 });
    await client.fetch(tasks.update, { id: '1' }, { title: 'C', rank: 5 });
    return [titles([patched]), plain(client.shown(tasks.getList))];
  },
  'a request that fails: its error, and what was there': async (library, client) => {
    const { tasks } = worldOf(library);
    await client.setResponse(tasks.get, { id: '1' }, { id: '1', title: 'A' });
    answers.set('GET /tasks/1', ['status', 422, { message: 'no' }]);
    const failure = await failureOf(() => client.fetch(tasks.get, { id: '1' }));
    return [failure, (client.error(tasks.get, { id: '1' }) as { status: number }).status];
  },
  'a mutation that fails leaves what was there': async (library, client) => {
    const { tasks } = worldOf(library);
    const update = tasks.partialUpdate.extend({
      getOptimisticResponse: (_snapshot: unknown, { id }: { id: string }, body: object) => ({ id, ...body }),
    });
    await client.setResponse(tasks.get, { id: '1' }, { id: '1', title: 'A' });
    answers.set('PATCH /tasks/1', ['status', 422, { message: 'no' }]);
    const pending = failureOf(() => client.fetch(update, { id: '1' }, { title: 'B' }));
    await Promise.resolve();
    const guessed = plain(client.shown(tasks.get, { id: '1' }));
    return [guessed, await pending, plain(client.shown(tasks.get, { id: '1' }))];
  },
  'what is guessed of a list': async (library, client) => {
    const { tasks } = worldOf(library);
    const create = tasks.getList.push.extend({
      getOptimisticResponse: (_snapshot: unknown, body: object) => ({ id: 'x', ...body }),
    });
    await client.setResponse(tasks.getList, [{ id: '1', title: 'A' }]);
    answers.set('POST /tasks', { id: 'x', title: 'Saved' });
    const pending = client.fetch(create, { title: 'Guess' });
    await Promise.resolve();
    const guessed = titles(client.shown(tasks.getList));
    await pending;
    return [guessed, titles(client.shown(tasks.getList))];
  },
  'invalidate, and what is valid afterwards': async (library, client) => {
    const { tasks } = worldOf(library);
    await client.setResponse(tasks.getList, [{ id: '1', title: 'A' }]);
    const before = client.status(tasks.getList);
    await client.invalidate(tasks.getList);
    return [before, client.status(tasks.getList)];
  },
  'invalidateAll and expireAll of one endpoint': async (library, client) => {
    const { tasks, User } = worldOf(library);
    const user = new library.RestEndpoint({ urlPrefix, path: '/users/:id', schema: User });
    await client.setResponse(tasks.getList, { state: 'open' }, []);
    await client.setResponse(tasks.getList, { state: 'done' }, []);
    await client.setResponse(user, { id: 'u' }, { id: 'u', name: 'Ann' });
    await client.expireAll(tasks.getList);
    const expired = plain(client.shown(tasks.getList, { state: 'open' }));
    await client.invalidateAll(tasks.getList);
    return [
      expired,
      ['open', 'done'].map((state) => client.status(tasks.getList, { state })),
      client.status(user, { id: 'u' }),
    ];
  },
  'everything is forgotten': async (library, client) => {
    const { tasks, Task } = worldOf(library);
    await client.setResponse(tasks.getList, [{ id: '1', title: 'A' }]);
    await client.resetEntireStore();
    return [plain(client.get(Task, { id: '1' })), client.status(tasks.getList)];
  },
  'records that differ by two fields': async (library, client) => {
    class Seat extends library.Entity {
      row = 0;
      place = 0;
      taken = false;
      override pk(): string {
        return `${this.row},${this.place}`;
      }
      static override key = 'Seat';
    }
    const list = new library.RestEndpoint({ urlPrefix, path: '/seats', schema: [Seat] });
    await client.setResponse(list, [
      { row: 1, place: 2 },
      { row: 1, place: 3 },
    ]);
    await client.set(Seat, { row: 1, place: 2, taken: true });
    return plain(client.shown(list));
  },
  'what process makes of a record': async (library, client) => {
    class Loud extends library.Entity {
      id = '';
      name = '';
      override pk(): string {
        return this.id;
      }
      static override key = 'Loud';
      static override process(
        input: { id: string; name: string },
        ...rest: [unknown, string | undefined, unknown[]]
      ): object {
        const processed = super.process(input, ...(rest as [never, never, never])) as { name: string };
        return { ...processed, name: processed.name.toUpperCase() };
      }
    }
    const get = new library.RestEndpoint({ urlPrefix, path: '/loud/:id', schema: Loud });
    await client.setResponse(get, { id: '1' }, { id: '1', name: 'ann' });
    return plain(client.shown(get, { id: '1' }));
  },
  'a merge of the class': async (library, client) => {
    class Tally extends library.Entity {
      id = '';
      votes = 0;
      override pk(): string {
        return this.id;
      }
      static override key = 'Tally';
      static override merge(existing: { votes: number }, incoming: { votes: number }): object {
        return { ...existing, ...incoming, votes: existing.votes + incoming.votes };
      }
    }
    await client.set(Tally, { id: '1', votes: 2 });
    await client.set(Tally, { id: '1', votes: 3 });
    return plain(client.get(Tally, { id: '1' }));
  },
  'dates and other things that a schema makes of text': async (library, client) => {
    class Event extends library.Entity {
      id = '';
      at = new Date(0);
      override pk(): string {
        return this.id;
      }
      static override key = 'Event';
      static override schema = { at: (value: string) => new Date(value) };
    }
    const get = new library.RestEndpoint({ urlPrefix, path: '/events/:id', schema: Event });
    await client.setResponse(get, { id: '1' }, { id: '1', at: '2020-01-02T03:04:05.000Z' });
    const { at } = client.shown(get, { id: '1' }) as { at: Date };
    return [at instanceof Date, at.toISOString()];
  },
  'an object with records in it, some of which are missing': async (library, client) => {
    const { Task, User } = worldOf(library);
    const page = new library.RestEndpoint({
      urlPrefix,
      path: '/page',
      schema: { task: Task, users: [User], total: 0 },
    });
    await client.setResponse(page, { task: { id: '1', title: 'A' }, users: [], total: 4 });
    const first = plain(client.shown(page));
    await client.setResponse(page, { task: null, users: [{ id: 'u', name: 'Ann' }], total: 1 });
    return [first, plain(client.shown(page))];
  },
  'a record without a pk is an error, and no part of its answer is stored': async (library, client) => {
    const { tasks, Task } = worldOf(library);
    answers.set('GET /tasks', [{ id: '1', title: 'A' }, { title: 'none' }]);
    const failure = (await failureOf(() => client.fetch(tasks.getList))) as readonly unknown[];
    return [failure[0], titleOf(client.get(Task, { id: '1' }))];
  },
  'a nested record in two answers is one': async (library, client) => {
    const { tasks, User } = worldOf(library);
    await client.setResponse(tasks.get, { id: '1' }, { id: '1', title: 'A', owner: { id: 'u', name: 'Ann' } });
    await client.setResponse(tasks.get, { id: '2' }, { id: '2', title: 'B', owner: 'u' });
    await client.set(User, { id: 'u', name: 'Bob' });
    const [one, two] = ['1', '2'].map((id) => client.shown(tasks.get, { id }) as { owner?: object });
    return [one?.owner === two?.owner, plain(one), plain(two)];
  },
  'an answer that is an object of plain data': async (library, client) => {
    const get = new library.RestEndpoint({ urlPrefix, path: '/plain' });
    answers.set('GET /plain', { a: [1, { b: 2 }], c: null });
    const fetched = await client.fetch(get);
    return [plain(fetched), plain(client.shown(get))];
  },
  'two lists with other arguments are two': async (library, client) => {
    const { tasks } = worldOf(library);
    await client.setResponse(tasks.getList, { state: 'open' }, [{ id: '1', title: 'A', state: 'open' }]);
    await client.setResponse(tasks.getList, { state: 'done' }, []);
    return ['open', 'done', 'new'].map((state) => titles(client.shown(tasks.getList, { state })) ?? 'none');
  },
  'a record in a record in a record': async (library, client) => {
    const { Task } = worldOf(library);
    class Board extends library.Entity {
      id = '';
      columns: { title: string; tasks: InstanceType<typeof Task>[] }[] = [];
      override pk(): string {
        return this.id;
      }
      static override key = 'Board';
      static override schema = { columns: [{ tasks: [Task] }] };
    }
    const get = new library.RestEndpoint({ urlPrefix, path: '/boards/:id', schema: Board });
    const columns = [{ title: 'Open', tasks: [{ id: '1', title: 'A', owner: { id: 'u', name: 'Ann' } }] }];
    await client.setResponse(get, { id: 'b' }, { id: 'b', columns });
    await client.set(Task, { id: '1', title: 'B' });
    return plain(client.shown(get, { id: 'b' }));
  },
  'the same object for the same record': async (library, client) => {
    const { tasks, Task } = worldOf(library);
    await client.setResponse(tasks.getList, [
      { id: '1', title: 'A' },
      { id: '2', title: 'B' },
    ]);
    const [one, two] = client.shown(tasks.getList) as object[];
    await client.set(Task, { id: '2', title: 'C' });
    const [first, second] = client.shown(tasks.getList) as object[];
    return [one === first, two === second, client.get(Task, { id: '1' }) === first];
  },
};

test.each(Object.entries(cases))('as with the peer: %s', async (_name, run) => {
  const fetched = await run(ours, ourClient(ours));
  answers.clear();
  expect(fetched).toEqual(await run(peer, peerClient(peer)));
});
