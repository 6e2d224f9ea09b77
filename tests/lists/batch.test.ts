import { describe, expect, test } from 'vitest';
import { type EndpointInterface, Invalidate, resource, RestEndpoint, Union } from '../../src/index.ts';
import { Screen, Task } from './screen.ts';

interface Kept {
  readonly id: number;
  readonly state: string;
}

/** A screen with a list of three tasks, and a server that deletes those that a body names. */
async function deleting(answer: () => unknown, schemaOf: unknown, isOptimistic = false) {
  let tasks: readonly Kept[] = [1, 2, 3].map((id) => ({ id, state: id === 3 ? 'done' : 'open' }));
  const screen = new Screen(({ pathname }, method, body) => {
    if (method === 'GET') return tasks;
    const isGone = ({ id, state }: Kept): boolean =>
      Array.isArray(body) ? body.includes(id) : pathname.endsWith(state);
    tasks = tasks.filter((one) => !isGone(one));
    return answer();
  });
  const { controller, platform } = screen;
  const { getList } = resource({ path: '/tasks/:id', schema: Task, platform });
  const shared = { platform, method: 'DELETE', schema: schemaOf } as const;
  const deleteTasks: EndpointInterface = new RestEndpoint({
    ...shared,
    path: '/tasks',
    body: [] as number[],
    ...(isOptimistic && {
      getOptimisticResponse: (_: unknown, ids: readonly number[]) => (Array.isArray(schemaOf) ? ids : { deleted: ids }),
    }),
  });
  const deleteAll: EndpointInterface = new RestEndpoint({ ...shared, path: '/tasks/of/:state', body: undefined });
  await screen.show(getList, {});
  const shown = () => controller.getResponse(getList, {}).data?.map(({ id }) => id);
  return { controller, deleteAll, deleteTasks, screen, shown };
}

const lost = (): never => {
  throw new TypeError('Failed to fetch');
};

describe.each([
  ['a list of deletions', [new Invalidate(Task)]],
  ['an object with a list of deletions', { deleted: [new Invalidate(Task)] }],
  ['deletions of several classes', [new Invalidate(new Union({ task: Task }, () => 'task'))]],
])('the answer to a mutation of %s', (_, schemaOf) => {
  test.each([true, false])(
    'was lost: the lists that may have had the records are fetched again (optimistic: %s)',
    async (isOptimistic) => {
      const { controller, deleteTasks, screen, shown } = await deleting(lost, schemaOf, isOptimistic);
      expect(await screen.after(() => controller.fetch(deleteTasks, [1, 2]).catch(() => {}))).toEqual(['/tasks']);
      expect(shown()).toEqual([3]);
    },
  );
});

test.each([undefined, {}, { ok: true }])(
  'a bare answer (%j) of a deletion that names its records in its body deletes them',
  async (said) => {
    const { controller, deleteTasks, screen, shown } = await deleting(() => said, [new Invalidate(Task)]);
    expect(await screen.after(() => controller.fetch(deleteTasks, [1, 2]))).toEqual([]);
    expect(shown()).toEqual([3]);
  },
);

test('after a bare answer that does not say which records were deleted, their lists are fetched again', async () => {
  const { controller, deleteAll, screen, shown } = await deleting(() => undefined, [new Invalidate(Task)]);
  const deleted = controller.fetch(deleteAll, { state: 'open' });
  expect(await screen.after(() => expect(deleted).rejects.toMatchObject({ code: 'answer-empty' }))).toEqual(['/tasks']);
  expect(shown()).toEqual([3]);
});

test('a bare answer of a mutation of many records keeps what was sent of each', async () => {
  const screen = new Screen((_url, method) => (method === 'GET' ? [{ id: 1, title: 'a' }] : {}));
  const { controller, platform } = screen;
  const { getList } = resource({ path: '/tasks/:id', schema: Task, platform });
  const save = new RestEndpoint({
    path: '/tasks',
    method: 'PATCH',
    schema: [Task],
    body: [] as Partial<Task>[],
    platform,
  });
  await screen.show(getList, {});
  await controller.fetch(save, [{ id: 1, title: 'b' }]);
  expect(controller.get(Task, { id: 1 })?.title).toBe('b');
});
