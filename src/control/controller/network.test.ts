import { describe, expect, test } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { settled, todosOver, Transport } from '../../../tests/ordering/transport.ts';
import { batched } from '../../define/endpoint/batching.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
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
