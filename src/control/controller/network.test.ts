import { describe, expect, test } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { settled, todosOver, Transport } from '../../../tests/ordering/transport.ts';
import { batched } from '../../define/endpoint/batching.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { from } from '../../state/query/live-query.ts';
import { RestEndpoint } from '../../define/rest/rest-endpoint.ts';
import { Controller } from './controller.ts';
import { NetworkManager } from './network-manager.ts';

/** Two controllers with a store each and one network manager, as those of a provider and of the one that replaces it. */
function replacing() {
  const transport = new Transport();
  const managers = [new NetworkManager()];
  const { controller: former, todos } = todosOver(transport, { managers });
  const present = new Controller({ managers, now: () => transport.time });
  return { transport, former, present, todos };
}

describe('a network manager of two controllers', () => {
  test('sends a read for each of them, so that none gets an answer for the user of the other', async () => {
    const { transport, former, present, todos } = replacing();
    const todo = { id: '1' };
    const answers = [former.fetch(todos.get, todo), present.fetch(todos.get, todo)];
    await settled();
    expect(transport.sent).toEqual(['GET /todos/1', 'GET /todos/1']);
    transport.take('GET /todos/1').answer({ ...todo, title: 'of the former user' });
    transport.take('GET /todos/1').answer({ ...todo, title: 'of the present user' });
    const [, shown] = await Promise.all(answers);
    expect(shown?.title).toBe('of the present user');
    expect(present.get(Todo, todo)).toBe(shown);
  });

  test('does not join their calls of a batched endpoint', async () => {
    const { former, present } = replacing();
    const calls: object[] = [];
    const getMany = async ({ ids }: { readonly ids: readonly string[] }): Promise<object[]> => {
      calls.push(ids);
      return ids.map((id) => ({ id }));
    };
    const getTodo = batched(new Endpoint(getMany, { name: 'todos' }), { schema: Todo });
    await Promise.all([former.fetch(getTodo, { id: '1' }), present.fetch(getTodo, { id: '2' })]);
    expect(calls).toEqual([['1'], ['2']]);
  });

  test('ends only the requests of the one that is reset', async () => {
    const { transport, former, present, todos } = replacing();
    const answer = present.fetch(todos.get, { id: '1' });
    await settled();
    await former.resetEntireStore();
    transport.take('GET /todos/1').answer({ id: '1', title: 'kept' });
    expect((await answer).title).toBe('kept');
  });

  test('ends the requests of the former one when that is disposed of, and goes on for the present one', async () => {
    const { transport, former, present, todos } = replacing();
    const ended = former.fetch(todos.get, { id: '1' });
    const answer = present.fetch(todos.get, { id: '2' });
    await settled();
    const { signal } = transport.take('GET /todos/1');
    former.dispose();
    await expect(ended).rejects.toMatchObject({ code: 'request-reset' });
    expect(signal.aborted).toBe(true);
    transport.take('GET /todos/2').answer({ id: '2', title: 'present' });
    expect((await answer).title).toBe('present');
  });
});

describe('a request that fails', () => {
  test.each([
    ['fetches what its endpoint refetches, if the server may have carried it out', 503, ['GET /balance']],
    ['fetches nothing, if the server refused it', 422, []],
  ])('%s', async (_, status, refetched) => {
    const transport = new Transport();
    const { controller } = todosOver(transport);
    const getBalance = new RestEndpoint({ path: '/balance', platform: transport });
    const transfer = new RestEndpoint({
      path: '/transfers',
      method: 'POST',
      platform: transport,
      refetches: [getBalance],
    });
    controller.watch(getBalance, () => {});
    await controller.setResponse(getBalance, { cents: 100 });
    const sent = controller.fetch(transfer, { cents: 7 });
    await settled();
    transport.take('POST /transfers').answer({}, { status });
    await expect(sent).rejects.toMatchObject({ status });
    expect(transport.sent).toEqual(refetched);
    for (const path of refetched) transport.take(path).answer({ cents: 93 });
    await settled();
  });

  test('leaves its list on the screen if it is that of a further page', async () => {
    const transport = new Transport();
    const { controller, todos } = todosOver(transport);
    const getList = todos.getList.extend({ paginationField: 'cursor' });
    await controller.setResponse(getList, [{ id: '1' }]);
    const page = controller.fetch(getList.getPage, { cursor: '1' });
    await settled();
    transport.take('GET /todos?cursor=1').answer({}, { status: 404 });
    await expect(page).rejects.toMatchObject({ status: 404 });
    expect(controller.view(getList).current()).toMatchObject({ status: 'fresh', value: [{ id: '1' }] });
  });

  test('does not keep the record of a create without an answer beside the one of the server', async () => {
    const transport = new Transport();
    const { controller, todos } = todosOver(transport);
    const push = todos.getList.extend({ optimistic: true }).push;
    await controller.setResponse(todos.getList, []);
    const created = controller.fetch(push, { title: 'new' });
    await settled();
    transport.take('POST /todos').answer(null, { status: 204 });
    await created;
    const read = async (...records: object[]): Promise<unknown> => {
      const list = controller.fetch(todos.getList);
      await settled();
      transport.take('GET /todos').answer(records);
      return list;
    };
    await expect(read({ title: 'new' })).rejects.toMatchObject({ code: 'pk-missing' });
    await read({ id: '7', title: 'new' });
    expect(controller.get(from(Todo))?.map(({ id }) => id)).toEqual(['7']);
  });
});
