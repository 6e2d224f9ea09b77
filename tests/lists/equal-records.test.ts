import { expect, test } from 'vitest';
import { type Collection, Controller, Entity, resource } from '../../src/index.ts';
import { settled, Transport } from '../ordering/transport.ts';

class Message extends Entity {
  id = '';
  text = '';
  /** Only the server knows it. */
  createdAt: number = Number.POSITIVE_INFINITY;
  static override key = 'EqualMessage';
}

class Early extends Message {
  override createdAt = 0;
  static override key = 'EqualEarlyMessage';
}

/** A controller with a list in the order of `createdAt`. */
function scene(entity: typeof Message) {
  const transport = new Transport();
  const messages = resource({
    path: '/messages/:id',
    schema: entity,
    optimistic: true,
    platform: transport,
    list: { orderBy: (one: Message, other: Message) => one.createdAt - other.createdAt },
  });
  const controller = new Controller({ now: () => transport.time });
  const shown = () => controller.get(messages.getList.schema as Collection<[typeof Message]>, {}) ?? [];
  const texts = () => shown().map(({ text }) => text);
  return { controller, messages, shown, texts, transport };
}

test.each([Message, Early])(
  'a message that is changed before its create is answered keeps its place among the others whose time only the server knows: $name',
  async (entity) => {
    const { controller, messages, shown, texts } = scene(entity);
    await controller.setResponse(messages.getList, []);
    for (const text of ['a', 'b', 'c']) void controller.fetch(messages.getList.push, { text });
    const [first] = shown();
    void controller.fetch(messages.partialUpdate, { id: first?.id ?? '' }, { text: 'A' });
    expect(texts()).toEqual(['A', 'b', 'c']);
  },
);

test.each([Message, Early])(
  'records of a list that lack the field of its order keep their places when a mutation changes one: $name',
  async (entity) => {
    const { controller, messages, texts, transport } = scene(entity);
    await controller.setResponse(
      messages.getList,
      ['a', 'b', 'c'].map((text, at) => ({ id: `${at + 1}`, text })),
    );
    const saved = controller.fetch(messages.partialUpdate, { id: '1' }, { text: 'A' });
    expect(texts()).toEqual(['A', 'b', 'c']);
    await settled();
    transport.take('PATCH /messages/1').answer({ id: '1', text: 'A' });
    await saved;
    expect(texts()).toEqual(['A', 'b', 'c']);
  },
);
