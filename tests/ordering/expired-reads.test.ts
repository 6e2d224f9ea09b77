import { describe, expect, test } from 'vitest';
import { Controller, Endpoint, ExpiryStatus, resource } from '../../src/index.ts';
import { Todo } from '../model.ts';
import { settled, todosOver, Transport } from './transport.ts';

const first = { id: '1', title: 'first' };
const later = { id: '1', title: 'later' };
type Scene = ReturnType<typeof scene>;

function scene() {
  const transport = new Transport();
  const { controller, todos } = todosOver(transport);
  const get = { id: '1' };
  const answer = async (value: unknown): Promise<void> => {
    transport.take('GET /todos/1').answer(value);
    await settled();
  };
  const now = () => controller.view(todos.get, get).current();
  return { transport, controller, todos, get, answer, now };
}

const CAUSES: readonly (readonly [name: string, cause: (given: Scene) => Promise<void>])[] = [
  ['expireAll()', ({ controller, todos }) => controller.expireAll(todos.get)],
  ['invalidateAll()', ({ controller, todos }) => controller.invalidateAll(todos.get)],
  ['invalidate()', ({ controller, todos, get }) => controller.invalidate(todos.get, get)],
];

describe.each(CAUSES)('the answer of a read that was sent before %s', (_name, cause) => {
  test('is stored, and is stale', async () => {
    const given = scene();
    const { controller, todos, get, answer, now } = given;
    const asked = controller.fetch(todos.get, get);
    await settled();
    await cause(given);
    await answer(first);
    expect(await asked).toMatchObject(first);
    expect(now()).toMatchObject({ status: 'stale', value: first });
    expect(controller.getResponse(todos.get, get).expiryStatus).toBe(ExpiryStatus.Valid);
  });

  test('is not that of a later fetch, and does not replace its answer', async () => {
    const given = scene();
    const { controller, todos, get, answer, now, transport } = given;
    void controller.fetch(todos.get, get);
    await settled();
    await cause(given);
    const asked = controller.fetch(todos.get, get);
    await settled();
    const [early] = transport.calls.splice(0, 1);
    await answer(later);
    expect(await asked).toMatchObject(later);
    early?.answer(first);
    await settled();
    expect(now()).toMatchObject({ status: 'fresh', value: later });
    expect(transport.sent).toEqual([]);
  });

  test('is fetched again, once, if it is shown', async () => {
    const given = scene();
    const { controller, todos, get, answer, now, transport } = given;
    controller.watch(todos.get, get, () => {});
    void controller.fetch(todos.get, get);
    await settled();
    await cause(given);
    await answer(first);
    expect(transport.sent).toEqual(['GET /todos/1']);
    await answer(later);
    expect(now()).toMatchObject({ status: 'fresh', value: later });
    expect(transport.sent).toEqual([]);
  });

  test('is fresh if the read was only sent after it, because it had to wait', async () => {
    const given = scene();
    const { controller, todos, get, answer, now, transport } = given;
    // Six other requests are in flight.
    for (let id = 2; id < 8; id++) void controller.fetch(todos.get, { id: String(id) });
    void controller.fetch(todos.get, get);
    await settled();
    expect(transport.sent).not.toContain('GET /todos/1');
    await cause(given);
    transport.take('GET /todos/2').answer({ id: '2' });
    await settled();
    await answer(first);
    expect(now()).toMatchObject({ status: 'fresh', value: first });
  });

  test('is stale for every controller of the store', async () => {
    const given = scene();
    const { controller, todos, get, answer, transport } = given;
    const other = new Controller({ store: controller.store, now: () => transport.time });
    void other.fetch(todos.get, get);
    await settled();
    await cause(given);
    await answer(first);
    expect(other.view(todos.get, get).current()).toMatchObject({ status: 'stale', value: first });
    other.dispose();
  });
});

test('a read that waits for a create, and is sent after expireAll(), has a fresh answer', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true, platform: transport });
  const getPlain = new Endpoint(async ({ id }: { id: string }) => ({ id }), { name: 'getPlain', schema: Todo });
  await controller.setResponse(todos.getList, []);
  void controller.fetch(todos.getList.push, { title: 'new' });
  await settled();
  const id = String(controller.getResponse(todos.getList).data?.[0]?.id);
  const asked = controller.fetch(getPlain, { id });
  await settled();
  await controller.expireAll({ testKey: () => true });
  transport.take('POST /todos').answer({ id: '7', title: 'new' });
  expect(await asked).toMatchObject({ id: '7' });
  expect(controller.getResponse(getPlain, { id }).expiresAt).toBeGreaterThan(transport.time);
});
