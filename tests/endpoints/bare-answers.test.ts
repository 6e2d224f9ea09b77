import { describe, expect, test } from 'vitest';
import {
  Controller,
  Endpoint,
  Entity,
  Invalidate,
  platform,
  resource,
  RestEndpoint,
  retrying,
  Union,
} from '../../src/index.ts';
import { envelope } from '../../src/wire.ts';
import { rest } from '../streams/clock.ts';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Issue extends Entity {
  id = 0;
  subject = '';
  done = 0;
  author?: User;
  static override key = 'Issue';
  static override schema = { author: User };
}

const json = { 'Content-Type': 'application/json' };
const answerOf = (value: unknown) => (): Response => Response.json(value);
const spaces = (): Response => new Response(' \n', { headers: json });

/** A server with one issue, which answers changes without the record. */
function serving(change: () => Response, options: { readonly optimistic?: boolean; readonly whole?: boolean } = {}) {
  const requests: string[] = [];
  const row: object = { id: 1, subject: 'Old', done: 1, author: { id: 7, name: 'Ann' } };
  const fetch = async (input: string | URL | Request, { method, body }: RequestInit = {}): Promise<Response> => {
    requests.push(`${method} ${input}`);
    if (method === 'GET') return Response.json([row]);
    if (typeof body === 'string') Object.assign(row, JSON.parse(body));
    return change();
  };
  const issues = resource({ path: '/issues/:id', schema: Issue, platform: { ...platform, fetch }, ...options });
  const controller = new Controller();
  const list = () => controller.get(issues.getList.schema);
  const status = (): string => controller.view(issues.getList).current().status;
  return { controller, issues, list, requests, status, platform: { ...platform, fetch } };
}

describe.each([{ optimistic: false }, { optimistic: true }])('with $optimistic guesses', (options) => {
  test.each([
    ['the id alone', answerOf({ id: 1 })],
    ['a version', answerOf({ ok: true, id: 1, rev: '2-abc' })],
    ['spaces', spaces],
    ['an empty list', answerOf([])],
    ['a few fields without the id', answerOf({ done: 3, author: { id: 8, name: 'Bob' } })],
  ])('an edit that is answered with %s is true, and stale', async (_what, change) => {
    const { controller, issues, list, status } = serving(change, options);
    await controller.fetch(issues.getList);
    const issue = await controller.fetch(issues.update, { id: 1 }, { subject: 'New', done: 2, author: 7 });
    expect(issue).toMatchObject({ subject: 'New', done: 2, author: { name: 'Ann' } });
    expect(list()?.[0]).toBe(issue);
    expect(status()).toBe('stale');
  });

  test('a create that is answered only with an id has the fields that were sent', async () => {
    const { controller, issues, list, status } = serving(answerOf({ id: 2 }), options);
    await controller.fetch(issues.getList);
    const issue = await controller.fetch(issues.create, {
      subject: 'New',
      author: controller.get(User, { id: 7 }) as User,
    });
    expect(issue).toMatchObject({ id: 2, subject: 'New', author: { name: 'Ann' } });
    expect(list()?.[1]).toBe(issue);
    expect(status()).toBe('stale');
  });

  test('a field of the answer wins over the field that was sent', async () => {
    const { controller, issues, status } = serving(answerOf({ id: 1, subject: 'Cut', done: 2 }), options);
    await controller.fetch(issues.getList);
    expect(await controller.fetch(issues.partialUpdate, { id: 1 }, { subject: 'Cut off' })).toMatchObject({
      subject: 'Cut',
    });
    expect(status()).toBe('fresh');
  });

  test.each([
    ['a page', (): Response => new Response('<p>Sign in', { headers: { 'Content-Type': 'text/html' } })],
    ['a record of another shape', answerOf({ data: { id: 1, subject: 'New' } })],
    ['no JSON', (): Response => new Response('{', { headers: json })],
  ])('an edit that is answered with %s fails, and its shown data is fetched once', async (_what, change) => {
    const { controller, issues, list, requests, status } = serving(change, options);
    await controller.fetch(issues.getList);
    const stop = controller.watch(issues.getList, () => {});
    await expect(controller.fetch(issues.update, { id: 1 }, { subject: 'New' })).rejects.toMatchObject({ status: 400 });
    await expect.poll(() => list()?.[0]?.subject).toBe('New');
    expect(requests.filter((request) => request === 'GET /issues')).toHaveLength(2);
    expect(status()).toBe('fresh');
    stop();
  });

  test('a field of a body that is undefined is not sent, and not shown', async () => {
    const { controller, issues, list } = serving(() => new Response(null, { status: 204 }), options);
    await controller.fetch(issues.getList);
    const saved = controller.fetch(issues.partialUpdate, { id: 1 }, { subject: undefined, done: 3 } as never);
    expect(list()?.[0]?.subject).toBe('Old');
    expect(await saved).toMatchObject({ subject: 'Old', done: 3 });
  });
});

test('fields of a body that neither the class nor the row has are ignored', async () => {
  const { controller, issues } = serving(answerOf({ id: 1 }));
  await controller.fetch(issues.getList);
  const issue = await controller.fetch(issues.update, { id: 1 }, { subject: 'New', notes: 'Sent' } as never);
  expect(issue).toMatchObject({ subject: 'New' });
  expect(issue).not.toHaveProperty('notes');
});

test('a field that a class reads under another name of the answer was not left out', async () => {
  class Renamed extends Issue {
    static override process(input: { readonly title?: string }) {
      return { ...input, ...(input.title !== undefined && { subject: input.title }) };
    }
  }
  const { controller, platform: own } = serving(answerOf({ id: 1, title: 'Cut' }));
  const issues = resource({ path: '/issues/:id', schema: Renamed, platform: own });
  await controller.fetch(issues.getList);
  expect(await controller.fetch(issues.update, { id: 1 }, { subject: 'Cut off' })).toMatchObject({ subject: 'Cut' });
  expect(controller.view(issues.getList).current().status).toBe('fresh');
});

test('an answer with few fields stays as it is if its class cannot read it', async () => {
  class Strict extends Issue {
    static override process(input: { readonly subject?: string }) {
      if (input.subject === undefined) throw new Error('no subject');
      return input;
    }
  }
  const { controller, platform: own } = serving(answerOf({ id: 1 }));
  const issues = resource({ path: '/issues/:id', schema: Strict, platform: own });
  await expect(controller.fetch(issues.update, { id: 1 }, { subject: 'New' })).rejects.toMatchObject({
    code: 'hook-failed',
  });
});

test('a field that a whole answer leaves out is removed', async () => {
  const { controller, issues } = serving(answerOf({ id: 1 }), { whole: true });
  await controller.fetch(issues.getList);
  expect(await controller.fetch(issues.update, { id: 1 }, { subject: 'New' })).toMatchObject({ subject: '' });
});

test('items of a batch that are answered with their ids have the fields that were sent', async () => {
  const { controller, issues, platform: own, list } = serving(answerOf([{ id: 1 }, { id: 2, done: 5 }]));
  await controller.fetch(issues.getList);
  const save = new RestEndpoint({ path: '/issues', method: 'PATCH', schema: [Issue], platform: own });
  const saved = await controller.fetch(save, [
    { id: 1, done: 4 },
    { id: 2, done: 6 },
  ] as never);
  expect(saved.map(({ done }) => done)).toEqual([4, 5]);
  expect(list()?.[0]?.done).toBe(4);
});

test.each([
  ['ids', answerOf([{ id: 2 }, { id: 3, done: 5 }])],
  [
    'an id for each status',
    () =>
      Response.json(
        [
          { status: 201, body: { id: 2 } },
          { status: 201, body: { id: 3, done: 5 } },
        ],
        { status: 207 },
      ),
  ],
])(
  'records that are created in one request, and answered with %s, have the fields that were sent',
  async (_what, change) => {
    for (const optimistic of [false, true]) {
      const { controller, issues, list, status } = serving(change, { optimistic });
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await controller.fetch(issues.getList);
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await controller.fetch(issues.getList.push, [
        { subject: 'New', done: 4 },
        { subject: 'Newer', done: 6 },
      ]);
      expect(list()?.slice(1)).toMatchObject([
        { id: 2, subject: 'New', done: 4 },
        { id: 3, subject: 'Newer', done: 5 },
      ]);
      expect(status()).toBe('stale');
    }
  },
);

test('the body of an action is not taken as fields of its record', async () => {
  const { controller, issues, platform: own, list } = serving(answerOf({ id: 1 }));
  await controller.fetch(issues.getList);
  const close = new RestEndpoint({ path: '/issues/:id/close', method: 'POST', schema: Issue, platform: own });
  await controller.fetch(close, { id: 1 }, { subject: 'A reason' });
  expect(list()?.[0]?.subject).toBe('Old');
});

test('what `impliedResponse` of an action returns is stored, with fields that the arguments do not have', async () => {
  const { controller, issues, list, platform: answering, status } = serving(() => new Response(null, { status: 204 }));
  await controller.fetch(issues.getList);
  const close = new RestEndpoint({
    path: '/issues/:id/close',
    method: 'POST',
    body: undefined,
    schema: Issue,
    platform: answering,
    impliedResponse: ({ id }: { id: number }) => ({ id, done: 100 }),
  });
  expect(await controller.fetch(close, { id: 1 })).toMatchObject({ id: 1, subject: 'Old', done: 100 });
  const rename = new Endpoint(async (_id: number, _subject: string) => {}, {
    name: 'rename',
    schema: Issue,
    sideEffect: true,
    impliedResponse: (id: number, subject: string) => ({ id, subject }),
  });
  expect(await controller.fetch(rename, 1, 'New')).toMatchObject({ id: 1, subject: 'New', done: 100 });
  expect([list()?.length, status()]).toEqual([1, 'stale']);
});

test('a search by POST can return an empty list', async () => {
  const { controller, platform: own } = serving(answerOf([]));
  const search = new RestEndpoint({ path: '/search', method: 'POST', schema: [Issue], platform: own });
  expect(await controller.fetch(search, { subject: 'x' })).toEqual([]);
});

test('a create of several records can return none', async () => {
  const { controller, issues } = serving(answerOf([]));
  expect(await controller.fetch(issues.create, [{ subject: 'New' }] as never)).toEqual([]);
});

test.each(['{}', '[{}]', '[{}, {}]'])(
  'a create of several records that is answered with %s has the records that were sent',
  async (answer) => {
    for (const optimistic of [false, true]) {
      const { controller, issues, list } = serving(answerOf(JSON.parse(answer)), { optimistic });
      await controller.fetch(issues.getList); // oxlint-disable-line no-await-in-loop -- one after another
      const created = await controller.fetch(issues.create, [{ subject: 'New' }] as never); // oxlint-disable-line no-await-in-loop
      expect(created).toMatchObject([{ subject: 'New' }]);
      expect(list()?.map(({ subject }) => subject)).toEqual(['Old', 'New']);
    }
  },
);

test('a stream is sent as a body', async () => {
  let sent: RequestInit | undefined;
  const fetch = async (_url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent = init;
    return new Response(null, { status: 204 });
  };
  const upload = new RestEndpoint({ path: '/files', method: 'POST', platform: { ...platform, fetch } });
  await upload(new Blob(['text']).stream());
  expect(new Request('https://api.example', sent).body).toBeInstanceOf(ReadableStream);
});

test('an answer from which process() makes no record stores no record', async () => {
  class Gone extends Issue {
    static override process(input: { readonly subject?: string }): object | undefined {
      return input.subject === undefined ? undefined : input;
    }
  }
  const { controller, platform: own } = serving(answerOf({ id: 1 }));
  const issues = resource({ path: '/issues/:id', schema: Gone, platform: own });
  await controller.fetch(issues.getList);
  await controller.fetch(issues.update, { id: 1 }, { subject: 'New' });
  expect(controller.get(issues.getList.schema)).toEqual([]);
});

test('an answer of a mutation without records is read by its schema', async () => {
  const { controller, platform: own } = serving(answerOf({ at: '2026-01-01' }));
  const schema = { at: (text: string) => new Date(text) };
  const run = new RestEndpoint({ path: '/run', method: 'POST', schema, platform: own });
  expect(await controller.fetch(run, {})).toEqual({ at: new Date('2026-01-01') });
});

test.each([
  ['was not found', [404]],
  ['is gone', [410]],
  ['was refused when it was sent once more', [503, 409]],
])('the shown data of a record that %s is fetched once', async (_what, statuses) => {
  const left = [...statuses];
  const { controller, issues, requests } = serving(() => new Response(null, { status: left.shift() ?? 500 }));
  const update = issues.update.extend({ retry: retrying({ baseDelay: 0 }) });
  await controller.fetch(issues.getList);
  const stop = controller.watch(issues.getList, () => {});
  await expect(controller.fetch(update, { id: 1 }, { subject: 'New' })).rejects.toMatchObject({
    status: statuses.at(-1),
  });
  await expect.poll(() => requests.filter((request) => request === 'GET /issues').length).toBe(2);
  stop();
});

test('data is not fetched again after the server has refused a mutation', async () => {
  const { controller, issues, requests } = serving(() => new Response(null, { status: 409 }));
  await controller.fetch(issues.getList);
  const stop = controller.watch(issues.getList, () => {});
  await expect(controller.fetch(issues.update, { id: 1 }, { subject: 'New' })).rejects.toMatchObject({ status: 409 });
  await Promise.resolve();
  expect(requests).toEqual(['GET /issues', 'PUT /issues/1']);
  stop();
});

test('an action that is answered with one field of the record is stored, and the record is fetched', async () => {
  const { controller, issues, list, requests, platform: own } = serving(answerOf({ done: 5 }));
  await controller.fetch(issues.getList);
  const stop = controller.watch(issues.getList, () => {});
  const like = new RestEndpoint({
    path: '/issues/:id/like',
    method: 'POST',
    body: undefined,
    schema: Issue,
    platform: own,
  });
  expect(await controller.fetch(like, { id: 1 })).toBe(list()?.[0]);
  await expect.poll(() => requests).toEqual(['GET /issues', 'POST /issues/1/like', 'GET /issues']);
  stop();
});

describe.each([{ optimistic: false }, { optimistic: true }])(
  'an answer with a successful status, whose body reports a failure, with $optimistic guesses',
  (options) => {
    test.each([
      [{ success: false, message: 'It is locked.', errors: { subject: ['is locked'] } }, 'It is locked.'],
      [{ ok: false }, 'PUT /issues/:id was answered with { ok: false }.'],
      [{ success: false }, 'PUT /issues/:id was answered with { success: false }.'],
      [{ error: 'It is locked.' }, 'It is locked.'],
      [{ error: { code: 7, message: 'It is locked.' }, data: null }, 'It is locked.'],
      [{ errors: [{ message: 'It is locked.' }] }, 'It is locked.'],
      [{ errors: { subject: ['is locked'] } }, 'subject: is locked'],
      [{ error: true }, 'PUT /issues/:id was answered with { error }.'],
      [{ status: 'error', message: 'It is locked.' }, 'It is locked.'],
      [{ status: 'fail' }, "PUT /issues/:id was answered with { status: 'fail' }."],
      [{ error: [1] }, 'PUT /issues/:id was answered with { error }.'],
      [{ errors: true, error: null }, 'PUT /issues/:id was answered with { errors }.'],
    ])('such as %j is an error, and nothing of the edit is shown', async (answer, message) => {
      const { controller, issues, list } = serving(answerOf(answer), options);
      await controller.fetch(issues.getList);
      const saved = controller.fetch(issues.update.extend({ name: '/issues/:id' }), { id: 1 }, { subject: 'New' });
      await expect(saved).rejects.toMatchObject({ name: 'NetworkError', status: 400, message, data: answer });
      expect(list()?.[0]?.subject).toBe('Old');
    });

    test.each([
      [{ error: null }],
      [{ error: '' }],
      [{ errors: [] }],
      [{ errors: 0 }],
      [{ error: ' ' }],
      [{ ok: true, error: 'none' }],
      [{ success: true, error: 'none' }],
      [{ status: 'success' }],
      [{ status: 'ok', errors: {} }],
    ])('is recognized by its fields: %j reports no failure', async (answer) => {
      const { controller, issues } = serving(answerOf(answer), options);
      await controller.fetch(issues.getList);
      expect(await controller.fetch(issues.update, { id: 1 }, { subject: 'New' })).toMatchObject({ subject: 'New' });
    });

    test.each([{ success: false }, { ok: false }, { error: 'It is locked.' }, { errors: ['x'] }, { status: 'fail' }])(
      'such as %j to a deletion is an error, and the record stays',
      async (answer) => {
        const { controller, issues, list } = serving(answerOf(answer), options);
        await controller.fetch(issues.getList);
        const shown = list();
        await expect(controller.fetch(issues.delete, { id: 1 })).rejects.toMatchObject({ status: 400, data: answer });
        expect(list()).toBe(shown);
        expect(shown).toMatchObject([{ id: 1 }]);
        // A function of the application decides itself what such an answer means.
        const process = (value: unknown): unknown => value;
        await controller.fetch(issues.delete.extend({ process }), { id: 1 });
        expect(list()).toEqual([]);
      },
    );

    test('is the record if the fields that could report a failure are fields of its class', async () => {
      class Job extends Entity {
        id = 0;
        status = '';
        error = '';
        static override key = 'Job';
      }
      for (const answer of [{ status: 'failed' }, { error: 'No memory.' }]) {
        const { platform: own } = serving(answerOf(answer), options);
        const jobs = resource({ path: '/jobs/:id', schema: Job, platform: own, ...options });
        const controller = new Controller();
        await controller.set(Job, { id: 1 }, { id: 1 });
        // oxlint-disable-next-line no-await-in-loop -- one answer after the other
        expect(await controller.fetch(jobs.update, { id: 1 }, { status: 'run' })).toMatchObject({ id: 1 });
      }
    });

    test('is the record if the body has one', async () => {
      const { controller, issues } = serving(answerOf({ id: 1, subject: 'New', success: false }), options);
      expect(await controller.fetch(issues.update, { id: 1 }, { subject: 'New' })).toMatchObject({ subject: 'New' });
    });
  },
);

test('the wire of an endpoint reads the reasons of a refusal with a successful status', async () => {
  const { platform: own } = serving(answerOf({ success: false, why: ['It is locked.'] }));
  const issues = resource({ path: '/issues/:id', schema: Issue, platform: own, wire: envelope({ errors: 'why' }) });
  await expect(issues.update({ id: 1 }, { subject: 'New' })).rejects.toMatchObject({ message: 'It is locked.' });
});

class Page extends Entity {
  id = 0;
  slug = '';
  title = '';
  static override key = 'Page';
  static override indexes = ['slug'] as const;
}

describe.each([{ optimistic: false }, { optimistic: true }])(
  'a record that its path names by another field, with $optimistic guesses',
  (options) => {
    function pagesOf() {
      const requests: string[] = [];
      const fetch = async (input: string | URL | Request, { method }: RequestInit = {}): Promise<Response> => {
        requests.push(`${method} ${input}`);
        if (method !== 'GET') return new Response(null, { status: 204 });
        return Response.json([
          { id: 7, slug: 'joins', title: 'Joins' },
          { id: 8, slug: 'views', title: 'Views' },
        ]);
      };
      const pages = resource({ path: '/pages/:slug', schema: Page, platform: { ...platform, fetch }, ...options });
      const controller = new Controller();
      const titles = () => controller.get(pages.getList.schema)?.map(({ title }) => title);
      return { controller, pages, requests, titles };
    }

    test('is deleted', async () => {
      const { controller, pages, requests, titles } = pagesOf();
      await controller.fetch(pages.getList);
      const deleted = controller.fetch(pages.delete, { slug: 'joins' });
      expect(titles()).toEqual(options.optimistic ? ['Views'] : ['Joins', 'Views']);
      await deleted;
      expect(titles()).toEqual(['Views']);
      expect(requests).toEqual(['GET /pages', 'DELETE /pages/joins']);
    });

    test('is changed', async () => {
      const { controller, pages, titles } = pagesOf();
      await controller.fetch(pages.getList);
      const changed = await controller.fetch(pages.partialUpdate, { slug: 'joins' }, { title: 'New' });
      expect(changed).toBe(controller.get(Page, { id: 7 }));
      expect(titles()).toEqual(['New', 'Views']);
    });

    test.each(['partialUpdate', 'update'] as const)('is changed by %s, as one of several classes', async (member) => {
      class Draft extends Page {
        type = 'draft';
        static override key = 'Draft';
      }
      class Report extends Page {
        type = 'report';
        static override key = 'Report';
      }
      const schema = new Union({ draft: Draft, report: Report }, 'type');
      const fetch = async (): Promise<Response> => new Response(null, { status: 204 });
      const pages = resource({ path: '/pages/:slug', schema, platform: { ...platform, fetch }, ...options });
      const controller = new Controller();
      void controller.set(Report, { id: 7 }, { id: 7, slug: 'joins', title: 'Joins', type: 'report' });
      const changed = await controller.fetch(pages[member], { slug: 'joins' }, { title: 'New' });
      expect(changed).toBe(controller.get(Report, { id: 7 }));
      expect(changed).toMatchObject({ title: 'New', type: 'report' });
    });

    test('is replaced', async () => {
      const { controller, pages, titles } = pagesOf();
      await controller.fetch(pages.getList);
      const replaced = controller.fetch(pages.update, { slug: 'joins' }, { title: 'New' });
      expect(titles()).toEqual(options.optimistic ? ['New', 'Views'] : ['Joins', 'Views']);
      expect(await replaced).toBe(controller.get(Page, { id: 7 }));
      expect(titles()).toEqual(['New', 'Views']);
    });

    test('is deleted while a change of it is pending, which succeeds as well', async () => {
      const { controller, pages, titles } = pagesOf();
      await controller.fetch(pages.getList);
      const changed = controller.fetch(pages.partialUpdate, { slug: 'joins' }, { title: 'New' });
      await controller.fetch(pages.delete, { slug: 'joins' });
      expect(await changed).toMatchObject({ title: 'New' });
      expect(titles()).toEqual(['Views']);
    });

    test('is not known before it was loaded, which is an error after the success', async () => {
      const { controller, pages } = pagesOf();
      const changed = controller.fetch(pages.partialUpdate, { slug: 'joins' }, { title: 'New' });
      await expect(changed).rejects.toMatchObject({ code: 'answer-empty' });
    });
  },
);

test('records that one request deletes are not fetched again if its answer is empty', async () => {
  const { controller, issues, list, requests, platform: own } = serving(() => new Response(null, { status: 204 }));
  const remove = new RestEndpoint({
    path: '/issues/delete',
    method: 'POST',
    body: {} as { readonly ids: readonly number[] },
    schema: [new Invalidate(Issue)],
    platform: own,
    getOptimisticResponse: (_snapshot, { ids }) => ids.map((id) => ({ id })),
  });
  await controller.fetch(issues.getList);
  const stops = [controller.watch(issues.get, { id: 1 }, () => {}), controller.watch(issues.getList, () => {})];
  await controller.fetch(remove, { ids: [1] });
  expect(list()).toEqual([]);
  await rest();
  expect(requests).toEqual(['GET /issues', 'POST /issues/delete']);
  for (const stop of stops) stop();
});

test('`refetches` of a mutation are fetched if its bare answer does not identify the changed record', async () => {
  let name = 'Ann';
  const fetch = async (_url: string | URL | Request, { method, body }: RequestInit = {}): Promise<Response> => {
    if (method === 'GET') return Response.json({ id: 7, name });
    ({ name } = JSON.parse(String(body)) as User);
    return new Response(null, { status: 204 });
  };
  const getMe = new RestEndpoint({ path: '/me', schema: User, platform: { ...platform, fetch } });
  const saveMe = getMe.extend({ method: 'PATCH', body: {} as { name: string }, refetches: [getMe] });
  const controller = new Controller();
  await controller.fetch(getMe);
  const stop = controller.watch(getMe, () => {});
  await expect(controller.fetch(saveMe, { name: 'Anna' })).rejects.toMatchObject({ code: 'answer-empty' });
  await expect.poll(() => controller.get(User, { id: 7 })?.name).toBe('Anna');
  stop();
});

class Task extends Entity {
  id = 0;
  slug = '';
  about: { readonly kind: 'task' | 'bug' } = { kind: 'task' };
  static override key = 'Task';
  static override indexes = ['slug'] as const;
}
class Bug extends Task {
  static override key = 'Bug';
}

describe.each([
  ['no body', () => new Response(null, { status: 204 })],
  ['a word', answerOf({ deleted: true })],
  ['a number', answerOf(1)],
  ['the id alone', answerOf({ id: 2 })],
  ['the record', answerOf({ id: 2, slug: 'two', about: { kind: 'bug' } })],
])('the deletion of a record of a union that is answered with %s', (_what, deleted) => {
  test.each([
    ['/items/:id', false],
    ['/items/:id', true],
    ['/items/:slug', false],
    ['/items/:slug', true],
  ] as const)('deletes the record that the path %s names, with guesses: %s', async (path, optimistic) => {
    const rows = ['one', 'two'].map((slug, at) => ({ id: at + 1, slug, about: { kind: at === 1 ? 'bug' : 'task' } }));
    const fetch = async (_url: unknown, { method }: RequestInit = {}): Promise<Response> =>
      method === 'DELETE' ? deleted() : Response.json(rows);
    const schema = new Union({ task: Task, bug: Bug }, ({ about }: Task) => about.kind);
    const items = resource({ path, schema, optimistic, platform: { ...platform, fetch } });
    const controller = new Controller();
    const ids = (): unknown => controller.get(items.getList.schema)?.map(({ id }) => id);
    await controller.fetch(items.getList);
    const params = path === '/items/:id' ? { id: 2 } : { slug: 'two' };
    const removed = controller.fetch(items.delete, params as never);
    expect(ids()).toEqual(optimistic ? [1] : [1, 2]);
    expect(await removed).toBeInstanceOf(Bug);
    expect(ids()).toEqual([1]);
  });
});

test.each([[1], ['OK'], [true], [{ id: 1 }], [[{ id: 1 }]]])(
  'a DELETE that is answered with %j deletes the record of its path',
  async (answer) => {
    const fetch = async (_url: unknown, { method }: RequestInit = {}): Promise<Response> =>
      Response.json(method === 'DELETE' ? answer : [1, 2].map((id) => ({ id, slug: `task-${id}` })));
    const options = { path: '/tasks/:slug', platform: { ...platform, fetch } } as const;
    const tasks = resource({ ...options, schema: Task });
    const byHand = new RestEndpoint({ ...options, method: 'DELETE', schema: new Invalidate(Task) });
    for (const remove of [tasks.delete, byHand]) {
      const controller = new Controller();
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await controller.fetch(tasks.getList);
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await controller.fetch(remove, { slug: 'task-2' });
      expect(controller.get(tasks.getList.schema)).toMatchObject([{ id: 1 }]);
    }
  },
);

describe.each([{ optimistic: false }, { optimistic: true }])(
  'records of a union, with $optimistic guesses',
  ({ optimistic }) => {
    class Note extends Entity {
      id = 0;
      type = 'note';
      text = '';
      board = 'a';
      static override key = 'Note';
    }
    class Link extends Note {
      override type = 'link';
      static override key = 'Link';
    }
    const open = async (change: () => Response) => {
      const rows = [{ id: 1, type: 'link', text: 'Old', board: 'a' }];
      const items = resource({
        path: '/items/:id',
        schema: new Union({ note: Note, link: Link }, 'type'),
        searchParams: {} as { readonly board: string },
        optimistic,
        platform: { ...platform, fetch: async (_, init) => (init?.method === 'GET' ? Response.json(rows) : change()) },
      });
      const controller = new Controller();
      await controller.fetch(items.getList, { board: 'a' });
      await controller.setResponse(items.getList, { board: 'b' }, []);
      const list = (board: string) => controller.getResponse(items.getList, { board }).data;
      return { controller, items, list };
    };

    test('that are created have the fields that were sent, if only their ids are answered', async () => {
      const { controller, items, list } = await open(answerOf([{ id: 2 }, { id: 3 }]));
      const sent = [
        { type: 'note', text: 'a' },
        { type: 'link', text: 'b' },
      ];
      await controller.fetch(items.getList.push, { board: 'a' }, sent);
      expect(list('a')?.slice(1)).toMatchObject([
        { id: 2, ...sent[0] },
        { id: 3, ...sent[1] },
      ]);
      expect(list('a')?.[1]).toBeInstanceOf(Note);
      expect(list('a')?.[2]).toBeInstanceOf(Link);
    });

    test.each([
      ['no body', () => new Response(null, { status: 204 })],
      ['a part', answerOf({ id: 1, board: 'b' })],
    ])('move to another list if the server answers with %s', async (_what, change) => {
      const { controller, items, list } = await open(change);
      const moved = controller.fetch(items.getList.move, { id: 1 }, { board: 'b' });
      expect(list('b')).toHaveLength(optimistic ? 1 : 0);
      expect(await moved).toBeInstanceOf(Link);
      expect([list('a'), list('b')]).toMatchObject([[], [{ id: 1, type: 'link', text: 'Old', board: 'b' }]]);
    });
  },
);
