import { describe, expect, test } from 'vitest';
import { Controller, Entity, resource } from '../../src/index.ts';
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
  return { answer, controller, messages, params: { roomId: '1', id: 'new' }, send, shown };
}

describe.each([Message, Indexed])('a create with an id that the client has chosen: $name', (schema) => {
  test('stays deleted, if its deletion is answered first', async () => {
    const { answer, controller, messages, params, send, shown } = await begin(schema);
    send(controller.fetch(messages.delete, params));
    await answer('DELETE /rooms/1/messages/new', {});
    expect(shown()).toEqual(['old']);
    await answer('POST /rooms/1/messages', { ...params, text: 'new' });
    expect(shown()).toEqual(['old']);
  });

  test('keeps a later edit, if the edit is answered first', async () => {
    const { answer, controller, messages, params, send, shown } = await begin(schema);
    send(controller.fetch(messages.partialUpdate, params, { text: 'edited' }));
    await answer('PATCH /rooms/1/messages/new', { ...params, text: 'edited' });
    expect(shown()).toEqual(['old', 'edited']);
    await answer('POST /rooms/1/messages', { ...params, text: 'new' });
    expect(shown()).toEqual(['old', 'edited']);
  });
});
