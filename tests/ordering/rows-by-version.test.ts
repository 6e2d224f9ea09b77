import { describe, expect, test } from 'vitest';
import { Controller, Entity, resource } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

type Given<Hook extends 'merge' | 'shouldReorder'> = Parameters<(typeof Entity)[Hook]>;

class Ordered extends Entity {
  id = '';
  version = 0;
  static override shouldReorder(...[, , stored, incoming]: Given<'shouldReorder'>): boolean {
    return stored.version > incoming.version;
  }
}

class Merged extends Entity {
  id = '';
  version = 0;
  static override merge(...[stored, incoming]: Given<'merge'>): object {
    return { ...stored, ...incoming };
  }
}

describe.each([
  ['orders its records by version', Ordered],
  ['merges its records', Merged],
])('a class that %s', (_what, Base) => {
  test('shows the last of several edits when it is answered, although the answer of a later mutation has contained the record', async () => {
    class Person extends Base {
      name = '';
      static override key = 'Person';
    }
    class Message extends Base {
      author: Person | undefined = undefined;
      static override key = 'Message';
      static override schema = { author: Person };
    }
    const transport = new Transport();
    const controller = new Controller({ now: () => transport.time });
    const body: object = {};
    const options = { optimistic: true, platform: transport, body };
    const people = resource({ path: '/people/:id', schema: Person, ...options });
    const messages = resource({ path: '/messages/:id', schema: Message, ...options });
    await controller.set(Person, { id: '1' }, { id: '1', name: 'a', version: 1 });
    const shown: unknown[] = [];
    const look = async (): Promise<void> => {
      await settled();
      shown.push(controller.get(Person, { id: '1' })?.name);
    };
    for (const name of ['b', 'c']) void controller.fetch(people.partialUpdate, { id: '1' }, { name });
    void controller.fetch(messages.create, { id: '7', author: '1' });
    await look();
    const answer = async (what: string, value: object, at = 0): Promise<void> => {
      transport.calls.filter(({ method }) => method === what)[at]?.answer(value);
      await look();
    };
    const last = { id: '1', name: 'c', version: 3 };
    await answer('POST', { id: '7', version: 4, author: last });
    await answer('PATCH', last, 1);
    await answer('PATCH', { id: '1', name: 'b', version: 2 });
    expect(shown).toEqual(['c', 'c', 'c', 'c']);
  });
});
