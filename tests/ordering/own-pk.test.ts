import { describe, expect, test } from 'vitest';
import { All, Controller, dehydrate, Entity, from, hydrate, keyOf, resource } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

/** The server assigns `number` to all of these records. */
class OneField extends Entity {
  hotelId = 0;
  number = 0;
  title = '';
  override pk(): string | undefined {
    return String(this.number);
  }
  static override key = 'OneField';
}
class InText extends OneField {
  override pk(): string {
    return `${this.hotelId}/${this.number}`;
  }
  static override key = 'InText';
}
class Joined extends OneField {
  override pk(): string {
    return [this.hotelId, this.number].join();
  }
  static override key = 'Joined';
}
class Checked extends OneField {
  override pk(): string | undefined {
    return Object.hasOwn(this, 'number') ? `${this.hotelId}/${this.number}` : undefined;
  }
  static override key = 'Checked';
}

function begin(entity: typeof OneField) {
  const transport = new Transport();
  const path = '/hotels/:hotelId/bookings/:number';
  const bookings = resource({ path, schema: entity, optimistic: true, platform: transport });
  const controller = new Controller({ now: () => transport.time });
  const shown = () => controller.get(new All(entity)) ?? [];
  const titles = (): string[] => shown().map(({ title }) => title);
  const push = (title: string): void => {
    controller.fetch(bookings.getList.push, { hotelId: 1 }, { title }).catch(() => {});
  };
  /** Answers the request to an address that was sent first. */
  const answer = async (address: string, value: unknown): Promise<void> => {
    await settled();
    transport.take(address).answer(value);
    await settled();
  };
  return { answer, bookings, controller, push, shown, titles, transport };
}

const CREATE = 'POST /hotels/1/bookings';

describe.each([OneField, InText, Joined, Checked])(
  'a create of a record whose pk() reads a field that the server assigns: $name',
  (entity) => {
    test('is a record of its own before the answer, in lists and in live queries', async () => {
      const { answer, bookings, controller, push, shown, titles } = begin(entity);
      await controller.setResponse(bookings.getList, { hotelId: 1 }, []);
      push('a');
      push('b');
      expect(controller.get(bookings.getList.schema, { hotelId: 1 })?.map(({ title }) => title)).toEqual(['a', 'b']);
      expect(controller.get(from(entity))?.map(({ title }) => title)).toEqual(['a', 'b']);
      const keys = shown().map((record) => keyOf(record));
      expect(new Set(keys).size).toBe(2);
      await answer(CREATE, { hotelId: 1, number: 1, title: 'a' });
      expect(titles()).toEqual(['a', 'b']);
      await answer(CREATE, { hotelId: 1, number: 2, title: 'b' });
      expect(shown().map(({ title, number }) => `${title} ${number}`)).toEqual(['a 1', 'b 2']);
      expect(shown().map((record) => keyOf(record))).toEqual(keys);
    });

    test('can be changed and deleted before the answer, by the fields that are shown', async () => {
      const { answer, bookings, controller, push, shown, titles, transport } = begin(entity);
      push('a');
      const number = shown()[0]?.number as number;
      void controller.fetch(bookings.partialUpdate, { hotelId: 1, number }, { title: 'b' });
      expect(titles()).toEqual(['b']);
      expect(controller.mutations.pendingRecords.has(shown()[0] as OneField)).toBe(true);
      void controller.fetch(bookings.delete, { hotelId: 1, number });
      expect(titles()).toEqual([]);
      await answer(CREATE, { hotelId: 1, number: 5, title: 'a' });
      await answer('PATCH /hotels/1/bookings/5', { hotelId: 1, number: 5, title: 'b' });
      await answer('DELETE /hotels/1/bookings/5', { hotelId: 1, number: 5 });
      expect(titles()).toEqual([]);
      expect(transport.sent).toEqual([]);
    });

    test('leaves with its refusal, and with its change', async () => {
      const { bookings, controller, push, shown, titles, transport } = begin(entity);
      push('a');
      const number = shown()[0]?.number as number;
      const change = controller.fetch(bookings.partialUpdate, { hotelId: 1, number }, { title: 'b' });
      await settled();
      transport.take(CREATE).fail(new TypeError('refused'));
      await expect(change).rejects.toMatchObject({ code: 'record-never-created' });
      expect(titles()).toEqual([]);
    });
  },
);

test('an answer that lacks a field of a pk is refused', async () => {
  const { bookings, controller } = begin(InText);
  const answered = controller.setResponse(bookings.getList, { hotelId: 1 }, [{ hotelId: 1, title: 'a' } as InText]);
  await expect(answered).rejects.toMatchObject({ code: 'pk-missing' });
});

test('a temporary pk in a state of another page is replaced by the whole pk as long as no class has read its record', async () => {
  const { answer, controller, push, shown } = begin(InText);
  push('a');
  const number = shown()[0]?.number;
  await answer(CREATE, { hotelId: 1, number: 5, title: 'a' });
  const other = new Controller();
  hydrate(other.store, dehydrate(controller.store));
  const replaced = other.mutations.temporaryPks.known([{ number }]);
  expect(replaced).toEqual([{ number: '1/5' }]);
});

describe('a pk that is made of the pk of a record that is being created', () => {
  class Hotel extends Entity {
    id = 0;
    name = '';
    static override key = 'Hotel';
  }
  /** The link between a hotel and a guest. It has no id of its own. */
  class Stay extends Entity {
    hotelId = 0;
    guestId = 0;
    nights = 0;
    override pk(): string {
      return `${this.hotelId}-${this.guestId}`;
    }
    static override key = 'Stay';
  }

  async function beginHotel() {
    const { answer, controller, transport, ...others } = begin(InText);
    const options = { optimistic: true, platform: transport } as const;
    const hotels = resource({ path: '/hotels/:id', schema: Hotel, ...options });
    const stays = resource({ path: '/hotels/:hotelId/stays/:guestId', schema: Stay, ...options });
    await controller.setResponse(hotels.getList, []);
    const created = controller.fetch(hotels.getList.push, { name: 'Ritz' });
    const hotelId = controller.get(hotels.getList.schema)?.[0]?.id as number;
    const nights = (): unknown[] => (controller.get(new All(Stay)) ?? []).map((stay) => [stay.pk(), stay.nights]);
    const add = (guestId: number): Promise<unknown> =>
      controller.fetch(stays.getList.push, { hotelId }, { guestId, nights: 1 });
    return { ...others, add, answer, controller, created, hotelId, nights, stays, transport };
  }

  test('is another pk for each record, and has the pk of the server as soon as that is known', async () => {
    const { add, answer, hotelId, nights } = await beginHotel();
    void add(1);
    void add(2);
    expect(nights()).toEqual([
      [`${hotelId}-1`, 1],
      [`${hotelId}-2`, 1],
    ]);
    await answer('POST /hotels', { id: 7, name: 'Ritz' });
    expect(nights()).toEqual([
      ['7-1', 1],
      ['7-2', 1],
    ]);
    await answer('POST /hotels/7/stays', { hotelId: 7, guestId: 1, nights: 1 });
    await answer('POST /hotels/7/stays', { hotelId: 7, guestId: 2, nights: 3 });
    expect(nights()).toEqual([
      ['7-1', 1],
      ['7-2', 3],
    ]);
  });

  test('names a record that can be changed and deleted before the answers', async () => {
    const { add, answer, controller, hotelId, nights, stays, transport } = await beginHotel();
    void add(1);
    void add(2);
    void controller.fetch(stays.partialUpdate, { hotelId, guestId: 1 }, { nights: 5 });
    void controller.fetch(stays.delete, { hotelId, guestId: 2 });
    const [first] = controller.get(new All(Stay)) ?? [];
    expect(nights()).toEqual([[`${hotelId}-1`, 5]]);
    expect(controller.mutations.pendingRecords.has(first as Stay)).toBe(true);
    await answer('POST /hotels', { id: 7, name: 'Ritz' });
    expect(controller.mutations.pendingRecords.has(first as Stay)).toBe(true);
    await answer('POST /hotels/7/stays', { hotelId: 7, guestId: 1, nights: 1 });
    await answer('POST /hotels/7/stays', { hotelId: 7, guestId: 2, nights: 1 });
    expect(nights()).toEqual([['7-1', 5]]);
    await answer('DELETE /hotels/7/stays/2', '');
    await answer('PATCH /hotels/7/stays/1', '');
    expect(nights()).toEqual([['7-1', 5]]);
    expect(controller.mutations.pendingRecords.has(first as Stay)).toBe(false);
    expect(transport.sent).toEqual([]);
  });

  test.each(['PATCH', 'DELETE'])(
    'is in the %s that is sent after the create of the link, also if the hotel is answered before that',
    async (method) => {
      const { add, answer, controller, stays, transport } = await beginHotel();
      void add(1);
      await answer('POST /hotels', { id: 7, name: 'Ritz' });
      const params = { hotelId: 7, guestId: 1 };
      if (method === 'DELETE') void controller.fetch(stays.delete, params);
      else void controller.fetch(stays.partialUpdate, params, { nights: 5 });
      await settled();
      expect(transport.sent).toEqual(['POST /hotels/7/stays']);
      await answer('POST /hotels/7/stays', { hotelId: 7, guestId: 1, nights: 1 });
      expect(transport.sent).toEqual([`${method} /hotels/7/stays/1`]);
    },
  );

  test('belongs to no record if that create fails, and nothing is sent for it', async () => {
    const { add, created, nights, transport } = await beginHotel();
    const added = add(1);
    await settled();
    transport.take('POST /hotels').fail(new TypeError('refused'));
    await expect(created).rejects.toThrow('refused');
    await expect(added).rejects.toMatchObject({ code: 'record-never-created' });
    expect(nights()).toEqual([]);
    expect(transport.sent).toEqual([]);
  });

  test('can have a field of its own that the server assigns', async () => {
    const { answer, bookings, controller, hotelId, shown, transport } = await beginHotel();
    void controller.fetch(bookings.getList.push, { hotelId }, { title: 'a' });
    void controller.fetch(bookings.getList.push, { hotelId }, { title: 'b' });
    const [a, b] = shown();
    expect(shown().map(({ title }) => title)).toEqual(['a', 'b']);
    void controller.fetch(bookings.partialUpdate, { hotelId, number: a?.number as number }, { title: 'c' });
    void controller.fetch(bookings.delete, { hotelId, number: b?.number as number });
    expect(shown().map(({ title }) => title)).toEqual(['c']);
    await answer('POST /hotels', { id: 7, name: 'Ritz' });
    await answer('POST /hotels/7/bookings', { hotelId: 7, number: 1, title: 'a' });
    await answer('POST /hotels/7/bookings', { hotelId: 7, number: 2, title: 'b' });
    expect(shown().map(({ title, number }) => `${number} ${title}`)).toEqual(['1 c']);
    await answer('PATCH /hotels/7/bookings/1', { hotelId: 7, number: 1, title: 'c' });
    await answer('DELETE /hotels/7/bookings/2', '');
    expect(shown().map((record) => record.pk())).toEqual(['7/1']);
    expect(transport.sent).toEqual([]);
  });
});
