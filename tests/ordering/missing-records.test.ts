import { describe, expect, test } from 'vitest';
import { All, Controller, Entity, resource, RestEndpoint } from '../../src/index.ts';
import { Todo } from '../model.ts';
import { settled, Transport, todosOver } from './transport.ts';

const first = { id: '1', title: 'first' };
const second = { id: '2', title: 'second' };

class Booking extends Entity {
  room = '';
  day = '';
  override pk(): string {
    return `${this.room}/${this.day}`;
  }
  static override key = 'BookingOfDay';
}

/** Two todos that were read in a list. The answers of deletions of `lost` were lost. */
async function scene(lost: readonly string[] = ['1', '2']) {
  const transport = new Transport();
  const { controller, todos } = todosOver(transport);
  await controller.setResponse(todos.getList, [first, second]);
  const all = () => controller.get(new All(Todo))?.map(({ id }) => id);
  const listed = () => controller.getResponse(todos.getList).data?.map(({ id }) => id);
  /** Sends a request whose outcome the test does not await. */
  const send = async (promise: Promise<unknown>): Promise<void> => {
    promise.catch(() => {});
    await settled();
  };
  const answer = async (what: string, value: unknown, status = 200): Promise<void> => {
    transport.take(what).answer(value, { status });
    await settled();
  };
  for (const id of lost) {
    await send(controller.fetch(todos.delete, { id }));
    transport.take(`DELETE /todos/${encodeURIComponent(id)}`).fail();
    await settled();
  }
  return { all, answer, controller, listed, send, todos, transport };
}

describe('a record whose deletion was not answered, and of which a read answers 404', () => {
  test('is deleted, so that it leaves the lists', async () => {
    const { all, answer, controller, listed, send, todos } = await scene();
    expect(all()).toEqual(['1', '2']);
    await send(controller.fetch(todos.get, { id: '1' }));
    await answer('GET /todos/1', {}, 404);
    expect([all(), listed()]).toEqual([['2'], ['2']]);
    expect(controller.view(todos.get, { id: '1' }).current()).toMatchObject({
      status: 'failed',
      error: { status: 404 },
    });
  });

  test('is asked for again when the error has expired', async () => {
    const { all, answer, controller, send, todos, transport } = await scene();
    await send(controller.fetch(todos.get, { id: '1' }));
    await answer('GET /todos/1', {}, 404);
    await expect(controller.fetchIfStale(todos.get, { id: '1' })).rejects.toMatchObject({ status: 404 });
    expect(transport.sent).toEqual([]);
    transport.time += 5000;
    await send(controller.fetchIfStale(todos.get, { id: '1' }) as Promise<unknown>);
    await answer('GET /todos/1', first);
    expect(all()).toEqual(['1', '2']);
  });

  test('is shown again if a read that was sent later has it', async () => {
    const { all, answer, controller, send, todos } = await scene();
    await send(controller.fetch(todos.get, { id: '1' }));
    await send(controller.fetch(todos.getList));
    await answer('GET /todos/1', {}, 404);
    await answer('GET /todos', [first, second]);
    expect(all()).toEqual(['1', '2']);
    expect(controller.getResponse(todos.get, { id: '1' }).data).toBe(controller.get(Todo, { id: '1' }));
  });

  test.each(['1', ' a/ü'])('is deleted whatever its pk is: %o', async (id) => {
    const { all, answer, controller, send, transport } = await scene([id]);
    const get = new RestEndpoint({ path: '/todos/:id/', schema: Todo, platform: transport });
    void controller.set(Todo, { id }, { id });
    await send(controller.fetch(get, { id }));
    await answer(`GET /todos/${encodeURIComponent(id)}/`, {}, 404);
    expect(all()).not.toContain(id);
  });

  test('is deleted if its pk is made of several arguments, of which the address ends with the last', async () => {
    const transport = new Transport();
    const controller = new Controller({ now: () => transport.time });
    const bookings = resource({ path: '/rooms/:room/bookings/:day', schema: Booking, platform: transport });
    const getGuest = new RestEndpoint({
      path: '/rooms/:room/bookings/:day/guest',
      schema: Booking,
      platform: transport,
    });
    const booking = { room: '1', day: 'mo' };
    const all = (): unknown => controller.get(new All(Booking));
    await controller.setResponse(bookings.get, booking, booking);
    controller.fetch(bookings.delete, booking).catch(() => {});
    await settled();
    transport.take('DELETE /rooms/1/bookings/mo').fail();
    await settled();
    controller.fetch(getGuest, booking).catch(() => {});
    await settled();
    transport.take('GET /rooms/1/bookings/mo/guest').answer({}, { status: 404 });
    await settled();
    expect(all()).toEqual([booking]);
    controller.fetch(bookings.get, booking).catch(() => {});
    await settled();
    transport.take('GET /rooms/1/bookings/mo').answer({}, { status: 404 });
    await settled();
    expect(all()).toEqual([]);
  });

  test('stays if other data of it has come since the read was sent', async () => {
    const { all, answer, controller, send, todos } = await scene();
    await send(controller.fetch(todos.get, { id: '1' }));
    void controller.set(Todo, { id: '1' }, { ...first });
    await answer('GET /todos/1', {}, 404);
    expect(all()).toEqual(['1', '2']);
  });

  test('stays if a read that was sent before has not been answered, or was answered since', async () => {
    const { all, answer, controller, send, todos } = await scene();
    await send(controller.fetch(todos.getList));
    await send(controller.fetch(todos.get, { id: '1' }));
    await send(controller.fetch(todos.get, { id: '2' }));
    await answer('GET /todos/2', {}, 404);
    await answer('GET /todos', [first, second]);
    await answer('GET /todos/1', {}, 404);
    expect(all()).toEqual(['1', '2']);
  });

  test('stays if a mutation of it is pending, or has settled since the read was sent', async () => {
    const { all, answer, controller, send, todos } = await scene();
    await send(controller.fetch(todos.get, { id: '1' }));
    await send(controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'new' }));
    await answer('GET /todos/1', {}, 404);
    expect(all()).toEqual(['1', '2']);
    await send(controller.fetch(todos.get, { id: '2' }));
    await answer('PATCH /todos/1', first);
    await answer('GET /todos/2', {}, 404);
    expect(all()).toEqual(['1', '2']);
  });

  test('stays if the read is of another resource below it, or of a list', async () => {
    const { all, answer, controller, send, transport } = await scene();
    const getParent = new RestEndpoint({ path: '/todos/:id/parent', schema: Todo, platform: transport });
    const getPart = new RestEndpoint({ path: '/todos/:id', schema: [Todo], platform: transport });
    await send(controller.fetch(getParent, { id: '1' }));
    await answer('GET /todos/1/parent', {}, 404);
    await send(controller.fetch(getPart, { id: '1' }));
    await answer('GET /todos/1', {}, 404);
    expect(all()).toEqual(['1', '2']);
  });

  test('stays if this application has not deleted it: it may only be missing at that address', async () => {
    const { all, answer, controller, send, transport } = await scene([]);
    const getFavorite = new RestEndpoint({ path: '/favorites/:id', schema: Todo, platform: transport });
    await send(controller.fetch(getFavorite, { id: '1' }));
    await answer('GET /favorites/1', {}, 404);
    expect(all()).toEqual(['1', '2']);
  });

  test('stays if the server has refused the deletion', async () => {
    const { all, answer, controller, send, todos } = await scene([]);
    await send(controller.fetch(todos.delete, { id: '1' }));
    await answer('DELETE /todos/1', {}, 403);
    await send(controller.fetch(todos.get, { id: '1' }));
    await answer('GET /todos/1', {}, 404);
    expect(all()).toEqual(['1', '2']);
  });

  test('stays if the store was reset since', async () => {
    const { all, answer, controller, send, todos } = await scene();
    await controller.resetEntireStore();
    await controller.setResponse(todos.getList, [first, second]);
    await send(controller.fetch(todos.get, { id: '1' }));
    await answer('GET /todos/1', {}, 404);
    expect(all()).toEqual(['1', '2']);
  });

  test('changes nothing if the store does not have it, or has noted since that it is deleted', async () => {
    const { all, answer, controller, send, todos } = await scene(['1', '3']);
    await send(controller.fetch(todos.get, { id: '3' }));
    await answer('GET /todos/3', {}, 404);
    controller.store.invalidate(Todo, '1');
    await send(controller.fetch(todos.get, { id: '1' }));
    await answer('GET /todos/1', {}, 404);
    expect(all()).toEqual(['2']);
  });

  test('stays if the server refuses the read for another reason', async () => {
    const { all, answer, controller, send, todos } = await scene();
    await send(controller.fetch(todos.get, { id: '1' }));
    await answer('GET /todos/1', {}, 403);
    expect(all()).toEqual(['1', '2']);
  });
});

describe('a read that was answered 404', () => {
  const third = { id: '3', title: 'third' };

  test('shows its record once a create has made it', async () => {
    const { answer, controller, send, todos } = await scene([]);
    const view = controller.view(todos.get, { id: '3' });
    await send(controller.fetch(todos.get, { id: '3' }));
    await answer('GET /todos/3', {}, 404);
    expect(view.current()).toMatchObject({ status: 'failed', error: { status: 404 } });
    await send(controller.fetch(todos.getList.push, third));
    await answer('POST /todos', third);
    expect(controller.getResponse(todos.get, { id: '3' }).data).toBe(controller.get(Todo, { id: '3' }));
    expect(controller.getError(todos.get, { id: '3' })).toBe(undefined);
  });

  test('shows the guess of a record that is being created under the same pk, and fails again if the create is refused', async () => {
    const { answer, controller, send, todos } = await scene([]);
    const create = todos.getList.push.extend({ getOptimisticResponse: () => third });
    const view = controller.view(todos.get, { id: '3' });
    await send(controller.fetch(todos.get, { id: '3' }));
    await send(controller.fetch(create, third));
    await answer('GET /todos/3', {}, 404);
    expect(view.current()).toMatchObject({ value: third });
    await answer('POST /todos', {}, 403);
    expect(view.current()).toMatchObject({ status: 'failed', error: { status: 404 } });
  });

  test('shows its record once another read has it, and fails again when that is deleted', async () => {
    const { answer, controller, send, todos } = await scene([]);
    const view = controller.view(todos.get, { id: '3' });
    await send(controller.fetch(todos.get, { id: '3' }));
    await answer('GET /todos/3', {}, 404);
    await send(controller.fetch(todos.getList));
    await answer('GET /todos', [third]);
    expect(controller.getResponse(todos.get, { id: '3' }).data).toBe(controller.get(Todo, { id: '3' }));
    controller.store.invalidate(Todo, '3');
    expect(view.current()).toMatchObject({ status: 'failed', error: { status: 404 } });
  });

  test('shows its record once a create has made it again, although an earlier read may still have had it when it failed', async () => {
    const { answer, controller, send, todos } = await scene(['1']);
    const view = controller.view(todos.get, { id: '1' });
    await send(controller.fetch(todos.getList));
    await send(controller.fetch(todos.get, { id: '1' }));
    await answer('GET /todos/1', {}, 404);
    await answer('GET /todos', [first, second]);
    expect(view.current()).toMatchObject({ status: 'failed', error: { status: 404 } });
    await send(controller.fetch(todos.getList.push, first));
    await answer('POST /todos', first);
    expect(controller.getResponse(todos.get, { id: '1' }).data).toBe(controller.get(Todo, { id: '1' }));
  });

  test('fails although other reads go on to have the record, if the store had it then', async () => {
    const { answer, controller, send, transport, todos } = await scene([]);
    const getFavorite = new RestEndpoint({ path: '/favorites/:id', schema: Todo, platform: transport });
    const view = controller.view(getFavorite, { id: '1' });
    await send(controller.fetch(getFavorite, { id: '1' }));
    await answer('GET /favorites/1', {}, 404);
    await send(controller.fetch(todos.getList));
    await answer('GET /todos', [{ ...first, title: 'new' }]);
    expect(view.current()).toMatchObject({ status: 'failed', error: { status: 404 } });
  });
});
