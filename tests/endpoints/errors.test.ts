import { describe, expect, test } from 'vitest';
import {
  Collection,
  Controller,
  Entity,
  NetworkError,
  platform as realPlatform,
  resource,
  RestEndpoint,
  Union,
  Values,
  type Platform,
} from 'rejoin';

class Issue extends Entity {
  id = '';
  subject = '';
  static override key = 'Issue';
}

class Left extends Issue {
  static override key = 'Left';
  static override process(): undefined {}
}

/** The resource of a server that gives the same answer to each request. */
function scene(answer: () => Response) {
  const platform: Platform = { ...realPlatform, fetch: async () => answer() };
  const issues = resource({ path: '/issues/:id.json', schema: Issue, platform });
  return { issues, controller: new Controller() };
}

const page = (): Response => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });

test.each<[string, () => Response, string]>([
  ['a page of HTML', page, 'response-unexpected'],
  ['an envelope', () => Response.json({ issues: [], total_count: 0 }), 'input-invalid'],
  ['records without a pk', () => Response.json([{ subject: 'x' }]), 'pk-missing'],
  ['a text', () => Response.json('sorry'), 'input-invalid'],
  [
    'what is not JSON',
    () => new Response('{', { headers: { 'Content-Type': 'application/json' } }),
    'response-unreadable',
  ],
])('a list that is answered with %s is an error with the status 400', async (_what, answer, code) => {
  const { issues, controller } = scene(answer);
  await expect(controller.fetch(issues.getList)).rejects.toMatchObject({ code, status: 400 });
  expect(controller.getError(issues.getList)).toMatchObject({ code, status: 400 });
});

test('an error of a refused creation has the messages of each field, and one sentence of all', async () => {
  const { issues, controller } = scene(() =>
    Response.json({ errors: { subject: ["can't be blank"] } }, { status: 422 }),
  );
  const refused: unknown = await controller.fetch(issues.create, { subject: '' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(NetworkError);
  expect(refused).toMatchObject({ message: "subject: can't be blank", fieldErrors: { subject: ["can't be blank"] } });
});

test.each<[string, object]>([
  ['an envelope', { issue: { id: '5', subject: 'x' } }],
  ['a list of one', [{ subject: 'x' }]],
])('a create that is answered without a pk, by %s, is an error, and its guess is gone', async (_what, answer) => {
  let body: unknown = [{ id: '1' }];
  const { issues, controller } = scene(() => Response.json(body));
  const { getList } = issues.extend('getList', { optimistic: true });
  await controller.fetch(getList);
  body = answer;
  const created = controller.fetch(getList.push, { subject: 'x' });
  expect(controller.getResponse(getList).data).toHaveLength(2);
  await expect(created).rejects.toMatchObject({ code: 'pk-missing', status: 400, entity: 'Issue' });
  expect(controller.getResponse(getList).data?.map(({ id }) => id)).toEqual(['1']);
});

test('a create that is answered with records, or without a body, is not an error', async () => {
  const answers = [{ id: '5' }, [{ id: '6' }, { id: '7' }], {}, null, 'done'];
  const push = new Collection([Issue]).push;
  const kinds = new Collection([new Union({ issue: Issue }, 'kind' as never)]).push;
  const assign = new Collection(new Values(Issue)).assign;
  const schemas: [unknown, unknown][] = [
    ...answers.map((answer): [unknown, unknown] => [push, answer]),
    [kinds, { kind: 'issue', id: '1' }],
    [kinds, { kind: 'other' }],
    [kinds, { kind: 'other', subject: 'x' }],
    [assign, { a: { id: '1' }, b: { id: '2' } }],
    [new Collection([Left]).push, { id: '1' }],
  ];
  for (const [schema, answer] of schemas) {
    const platform: Platform = { ...realPlatform, fetch: async () => Response.json(answer) };
    const create = new RestEndpoint({ path: '/issues', method: 'POST', schema, platform });
    expect(await create({})).toEqual(answer);
  }
});

class Article extends Entity {
  id = 0;
  title = '';
  version = 0;
  static override key = 'Article';
}

describe('the body of a conflict', () => {
  const current = { id: 1, title: 'Hello world', version: 3 };
  const problem = { 'Content-Type': 'application/problem+json' };
  const refusal = async (body: unknown, status: number, headers: Record<string, string> = {}): Promise<unknown> => {
    const answered = Response.json(body, { status, statusText: 'Refused', headers });
    const articles = resource({
      path: '/articles/:id',
      schema: Article,
      platform: { ...realPlatform, fetch: async () => answered },
    });
    return new Controller()
      .fetch(articles.update, { id: 1 }, { title: 'Hi' })
      .catch(({ message, data, fieldErrors }: NetworkError) => ({ message, data, fieldErrors }));
  };

  test.each([409, 412])('with status %d may be the present record, whose title is not the message', async (status) => {
    expect(await refusal(current, status)).toEqual({ message: '/articles/1: Refused', data: current });
  });

  test('may have reasons beside the fields of the record', async () => {
    const refused = { ...current, message: 'Edited by Bob', errors: { title: ['is taken'] } };
    expect(await refusal(refused, 409)).toMatchObject({
      message: 'Edited by Bob',
      data: refused,
      fieldErrors: { title: ['is taken'] },
    });
  });

  test.each<[what: string, body: object, headers?: Record<string, string>]>([
    ['problem details', { id: 1, title: 'Edited by Bob' }, problem],
    ['problem details that are sent as JSON', { id: 1, title: 'Edited by Bob', status: 409 }],
    ['an object without the pk of a record', { title: 'Edited by Bob' }],
    [
      'an error with an id of its own, and a text that is not a field of the record',
      { id: 'e1', message: 'Edited by Bob' },
    ],
  ])('is an error if it is %s', async (_what, body, headers) => {
    expect(await refusal(body, 409, headers)).toMatchObject({ message: 'Edited by Bob' });
  });

  test.each([
    [null, '/articles/1: Refused'],
    ['Edited by Bob', 'Edited by Bob'],
  ])('may have no fields: %o', async (body, message) => {
    expect(await refusal(body, 409)).toMatchObject({ message });
  });

  test('with another status is not a record', async () => {
    expect(await refusal({ id: 1, title: 'Gone' }, 410)).toMatchObject({ message: 'Gone' });
  });
});
