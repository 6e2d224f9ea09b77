import { describe, expect, test } from 'vitest';
import { All, Controller, Entity, resource } from '../../src/index.ts';
import { Post, User } from '../model.ts';
import { settled, Transport } from './transport.ts';

class Message extends Entity {
  id = '';
  roomId = '';
  text = '';
  static override key = 'ClientMessage';
}

class Indexed extends Message {
  static override key = 'IndexedMessage';
  static override indexes = ['roomId'];
}

class Room extends Entity {
  id = '';
  name = '';
  static override key = 'ClientRoom';
}

class List extends Entity {
  id = '';
  roomIds: readonly string[] = [];
  static override key = 'ClientList';
}

/** A room with the message `old`, to which a client adds the message `new` with an id of its own. */
async function begin(schema: typeof Message) {
  const transport = new Transport();
  const messages = resource({ path: '/rooms/:roomId/messages/:id', schema, optimistic: true, platform: transport });
  const controller = new Controller({ now: () => transport.time });
  const room = { roomId: '1' };
  await controller.setResponse(messages.getList, room, [{ id: 'old', roomId: '1', text: 'old' }]);
  const send = (request: Promise<unknown>): void => void request.catch(() => {});
  send(controller.fetch(messages.getList.push, room, { id: 'new', text: 'new' }));
  const shown = () => controller.getResponse(messages.getList, room).data?.map(({ text }) => text);
  /** Answers the request to an address that was sent first. */
  const answer = async (address: string, value: unknown): Promise<void> => {
    await settled();
    transport.take(address).answer(value);
    await settled();
  };
  return { answer, controller, messages, params: { roomId: '1', id: 'new' }, send, shown, transport };
}

describe.each([Message, Indexed])('a create with an id that the client has chosen: $name', (schema) => {
  const POST = 'POST /rooms/1/messages';

  test('is sent before a change and a deletion of its record', async () => {
    const { answer, controller, messages, params, send, shown, transport } = await begin(schema);
    send(controller.fetch(messages.partialUpdate, params, { text: 'edited' }));
    send(controller.fetch(messages.delete, params));
    await settled();
    expect(shown()).toEqual(['old']);
    expect(controller.mutations.pendingRecords.has(controller.get(schema, { id: 'old' }) as Message)).toBe(false);
    expect(transport.sent).toEqual([POST]);
    await answer(POST, { ...params, text: 'new' });
    expect(shown()).toEqual(['old']);
    await answer('DELETE /rooms/1/messages/new', {});
    await answer('PATCH /rooms/1/messages/new', { ...params, text: 'edited' });
    expect(shown()).toEqual(['old']);
  });

  test('that fails lets a change be sent, because the server may have carried it out', async () => {
    const { answer, controller, messages, params, send, shown, transport } = await begin(schema);
    send(controller.fetch(messages.partialUpdate, params, { text: 'edited' }));
    await settled();
    transport.take(POST).fail(new TypeError('lost'));
    await answer('PATCH /rooms/1/messages/new', { ...params, text: 'edited' });
    expect(controller.get(schema, { id: 'new' })?.text).toBe('edited');
    expect(shown()).toContain('old');
  });

  test('is answered before a read of its record is sent', async () => {
    const { answer, controller, messages, params, transport } = await begin(schema);
    const read = controller.fetch(messages.get, params);
    await settled();
    expect(transport.sent).toEqual([POST]);
    await answer(POST, { ...params, text: 'new' });
    await answer('GET /rooms/1/messages/new', { ...params, text: 'read' });
    expect((await read).text).toBe('read');
  });

  test('that is refused lets a read of its record fail', async () => {
    const { controller, messages, params, transport } = await begin(schema);
    const read = controller.fetch(messages.get, params);
    await settled();
    transport.take(POST).answer({}, { status: 422 });
    await settled();
    transport.take('GET /rooms/1/messages/new').answer({}, { status: 404 });
    await expect(read).rejects.toThrow('404');
  });

  test('keeps an edit that is answered before it has shown its record', async () => {
    const { answer, controller, messages, params, send, shown } = await begin(schema);
    send(controller.fetch(messages.partialUpdate, params, { text: 'edited' }));
    await answer(POST, { ...params, text: 'new' });
    expect(shown()).toEqual(['old', 'edited']);
    await answer('PATCH /rooms/1/messages/new', { ...params, text: 'edited' });
    expect(shown()).toEqual(['old', 'edited']);
  });
});

class Booking extends Entity {
  roomId = '';
  day = '';
  state = '';
  override pk(): string {
    return `${this.roomId}/${this.day}`;
  }
  static override key = 'ClientBooking';
}

test('a read of a record with a key of two fields waits for the create of that record, and a list does not', async () => {
  const transport = new Transport();
  const options = { optimistic: true, platform: transport } as const;
  const bookings = resource({ path: '/rooms/:roomId/bookings/:day', schema: Booking, ...options });
  const controller = new Controller({ now: () => transport.time });
  const params = { roomId: '1', day: '3' };
  const created = controller.fetch(bookings.getList.push, { roomId: '1' }, { day: '3' });
  const read = controller.fetch(bookings.get, params);
  const list = controller.fetch(bookings.getList, { roomId: '1' });
  await settled();
  expect(transport.sent).toEqual(['POST /rooms/1/bookings', 'GET /rooms/1/bookings']);
  transport.take('GET /rooms/1/bookings').answer([]);
  await list;
  transport.take('POST /rooms/1/bookings').answer({ ...params, state: 'requested' });
  await created;
  await settled();
  const other = controller.fetch(bookings.get, params);
  transport.take('GET /rooms/1/bookings/3').answer({ ...params, state: 'confirmed' });
  expect(await read).toBe(controller.get(Booking, params));
  expect(await other).toBe(await read);
  expect(controller.getError(bookings.get, params)).toBe(undefined);
  expect(controller.get(Booking, params)?.state).toBe('confirmed');
  expect(transport.sent).toEqual([]);
});

test('a create that mentions a record with a chosen id waits for the create of that record', async () => {
  const transport = new Transport();
  const options = { optimistic: true, platform: transport } as const;
  const rooms = resource({ path: '/rooms/:id', schema: Room, ...options });
  const messages = resource({ path: '/messages/:id', schema: Message, ...options });
  const controller = new Controller({ now: () => transport.time });
  const room = { id: '0f9c1b9e-6a42-4d3b-8f5d-1f6b9a0c7e21', name: 'new' };
  void controller.fetch(rooms.getList.push, room);
  void controller.fetch(messages.getList.push, { roomId: room.id, text: 'in it' });
  void controller.fetch(messages.getList.push, { roomId: '1', text: 'new' });
  await settled();
  expect(transport.sent).toEqual(['POST /rooms', 'POST /messages']);
  transport.take('POST /messages').answer({ id: '5', roomId: '1', text: 'new' });
  transport.take('POST /rooms').answer(room);
  await settled();
  expect(transport.sent).toEqual(['POST /messages']);
  transport.take('POST /messages').answer({ id: '6', roomId: room.id, text: 'in it' });
  await settled();
  expect(controller.get(new All(Message))?.map(({ id }) => id)).toEqual(['6', '5']);
});

test('a change that adds a record with a chosen id to a list waits for the create of that record', async () => {
  const transport = new Transport();
  const options = { optimistic: true, platform: transport } as const;
  const rooms = resource({ path: '/rooms/:id', schema: Room, ...options });
  const lists = resource({ path: '/lists/:id', schema: List, ...options });
  const controller = new Controller({ now: () => transport.time });
  await controller.setResponse(lists.get, { id: '1' }, { id: '1', roomIds: ['7'] });
  const room = { id: '0f9c1b9e-6a42-4d3b-8f5d-1f6b9a0c7e21', name: 'new' };
  void controller.fetch(rooms.getList.push, room);
  void controller.fetch(lists.partialUpdate, { id: '1' }, { roomIds: ['7', room.id] });
  await settled();
  expect(controller.get(List, { id: '1' })?.roomIds).toEqual(['7', room.id]);
  expect(transport.sent).toEqual(['POST /rooms']);
  transport.take('POST /rooms').answer(room);
  await settled();
  expect(transport.sent).toEqual(['PATCH /lists/1']);
  transport.take('PATCH /lists/1').answer({ id: '1', roomIds: ['7', room.id] });
  await settled();
});

describe.each(['POST', 'PATCH'] as const)(
  'a record with a chosen id that is sent inside of another one by %s',
  (method) => {
    const path = method === 'POST' ? 'POST /posts' : 'PATCH /posts/1';
    const post = { id: '1', title: 'old' };
    const author = { id: 'new', name: 'Ann' };

    async function beginPost() {
      const transport = new Transport();
      const options = { optimistic: true, platform: transport } as const;
      const posts = resource({ path: '/posts/:id', schema: Post, body: {}, ...options });
      const users = resource({ path: '/users/:id', schema: User, ...options });
      const controller = new Controller({ now: () => transport.time });
      await controller.setResponse(posts.getList, [post]);
      await controller.setResponse(users.get, { id: '7' }, { id: '7', name: 'Bob' });
      const send = (body: object): void => {
        if (method === 'POST') void controller.fetch(posts.create, body);
        else void controller.fetch(posts.partialUpdate, { id: '1' }, body);
      };
      return { controller, send, transport, users };
    }

    test('is changed and deleted after that request, because the server does not know it before', async () => {
      const { controller, send, transport, users } = await beginPost();
      send({ title: 'new', author });
      void controller.fetch(users.partialUpdate, { id: 'new' }, { name: 'Anna' });
      await settled();
      expect(controller.get(User, { id: 'new' })?.name).toBe('Anna');
      expect(transport.sent).toEqual([path]);
      transport.take(path).answer({ ...post, title: 'new', author });
      await settled();
      expect(controller.get(User, { id: 'new' })?.name).toBe('Anna');
      expect(transport.sent).toEqual(['PATCH /users/new']);
      transport.take('PATCH /users/new').answer({ id: 'new', name: 'Anna' });
      await settled();
      expect(controller.get(User, { id: 'new' })?.name).toBe('Anna');
    });

    test('is changed at once if the store has it already', async () => {
      const { controller, send, transport, users } = await beginPost();
      send({ title: 'new', author: { id: '7', name: 'Bob' } });
      void controller.fetch(users.partialUpdate, { id: '7' }, { name: 'Rob' });
      await settled();
      expect(transport.sent).toEqual([path, 'PATCH /users/7']);
      for (const call of transport.calls.splice(0))
        call.answer(call.url === '/users/7' ? { id: '7', name: 'Rob' } : post);
      await settled();
    });
  },
);
