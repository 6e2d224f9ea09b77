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
