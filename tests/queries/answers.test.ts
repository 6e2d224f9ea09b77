import { expect, test } from 'vitest';
import { All, Collection, Controller, Endpoint, from, Query, schema } from '../../src/index.ts';
import { Todo } from '../model.ts';

const query = from(Todo).where({ done: true });
const answer = [{ id: '1', done: true }];

test.each<readonly [string, unknown, unknown]>([
  ['alone', query, answer],
  ['that counts', query.count(), answer],
  ['of a collection', from(new Collection([Todo])), answer],
  ['as a member of the answer', { todos: query, total: 0 }, { todos: answer, total: 1 }],
  ['as a member of an object inside', new schema.Object({ page: { todos: query } }), { page: { todos: answer } }],
  ['in a list', [query], [answer]],
  ['in a map', new schema.Values(query), { a: answer }],
  ['below a Query', new Query(query, (todos) => todos), answer],
])(
  'an endpoint whose schema is a live query %s fails with a sentence that says what to write',
  async (_, given, body) => {
    const controller = new Controller({});
    const get = new Endpoint(() => Promise.resolve(body), { name: 'getDone', schema: given });
    const create = get.extend({ sideEffect: true, name: 'finish' } as const);

    for (const endpoint of [get, create, get]) {
      // oxlint-disable-next-line no-await-in-loop -- the second time is as the first
      const error: unknown = await controller.fetch(endpoint).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'query-invalid' });
      expect((error as Error).message).toContain('such as [Post], and read the answer by query.loadedBy(endpoint)');
    }
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
  },
);

test('an object that refers to itself is the schema of an endpoint', async () => {
  const node: Record<string, unknown> = { todos: new All(Todo) };
  node['next'] = node;
  const controller = new Controller({});
  const get = new Endpoint(() => Promise.resolve({ todos: answer }), { name: 'getNode', schema: node });

  await controller.fetch(get);

  expect(controller.get(Todo, { id: '1' })?.done).toBe(true);
});
