import { describe, expect, test } from 'vitest';
import { Collection, Controller, Entity, from, hasMany, resource, RestEndpoint, Values } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

class Line extends Entity {
  id = '';
  sku = '';
  static override key = 'Line';
}
class Order extends Entity {
  id = '';
  name = '';
  lines: readonly Line[] = [];
  static override key = 'Order';
  static override schema = {
    lines: new Collection([Line], { nestKey: ({ id }: Order) => ({ orderId: id }) }),
  };
}

/** An order with a line is shown, and a second one with a line is being created. */
async function begin() {
  const transport = new Transport();
  const options = { optimistic: true, platform: transport } as const;
  const orders = resource({ path: '/orders/:id', schema: Order, ...options });
  const lines = resource({ path: '/orders/:orderId/lines/:id', schema: Line, ...options });
  const controller = new Controller({ now: () => transport.time });
  await controller.setResponse(orders.getList, [{ id: '1', name: 'first', lines: [{ id: 'a', sku: 'a' }] }]);
  const all = (): readonly Order[] => controller.getResponse(orders.getList).data ?? [];
  const shown = (): readonly string[] =>
    all().map((order) => `${order.name}: ${order.lines.map(({ sku }) => sku).join()}`);
  controller.fetch(orders.getList.push, { name: 'second', lines: [{ sku: 'b' }] }).catch(() => {});
  await settled();
  const temporary = String(all().at(-1)?.id);
  const addLine = async (orderId: string, sku: string): Promise<void> => {
    controller.fetch(lines.getList.push, { orderId }, { sku }).catch(() => {});
    await settled();
  };
  const answer = async (address: string, value: unknown): Promise<void> => {
    transport.take(address).answer(value);
    await settled();
  };
  return { addLine, answer, controller, lines, shown, temporary, transport };
}

describe('a list inside of a record that is being created', () => {
  test('shows the records of the body, and those that are added before the answer', async () => {
    const { addLine, shown, temporary } = await begin();
    expect(shown()).toEqual(['first: a', 'second: b']);
    await addLine(temporary, 'c');
    expect(shown()).toEqual(['first: a', 'second: b,c']);
  });

  test('keeps a record that was added before the answer, although its own answer does not say to which list it belongs', async () => {
    const { addLine, answer, shown, temporary } = await begin();
    await addLine(temporary, 'c');
    await answer('POST /orders', { id: '2', name: 'second', lines: [{ id: 'b', sku: 'b' }] });
    expect(shown()).toEqual(['first: a', 'second: b,c']);
    await answer('POST /orders/2/lines', { id: 'c', sku: 'c' });
    expect(shown()).toEqual(['first: a', 'second: b,c']);
  });

  test('is gone with its record when the create fails, and what was added to it is not sent', async () => {
    const { addLine, shown, temporary, transport } = await begin();
    await addLine(temporary, 'c');
    transport.take('POST /orders').fail();
    await settled();
    expect(shown()).toEqual(['first: a']);
    expect(transport.sent).toEqual([]);
  });

  test.each([
    ['list', new Collection([Line], { nestKey: ({ id }: { id: string }) => ({ orderId: id }) }), 'push', { sku: 'a' }],
    [
      'map',
      new Collection(new Values(Line), { nestKey: ({ id }: { id: string }) => ({ orderId: id }) }),
      'assign',
      { a: { sku: 'a' } },
    ],
  ] as const)(
    'shows a record that is added to it before the answer, also if the body has no %s',
    async (_kind, of, add, added) => {
      class Cart extends Entity {
        id = '';
        lines: unknown = undefined;
        static override key = 'Cart';
        static override schema = { lines: of };
      }
      const transport = new Transport();
      const carts = resource({ path: '/carts/:id', schema: Cart, optimistic: true, platform: transport });
      const lines = new RestEndpoint({
        path: '/carts/:orderId/lines',
        method: 'POST',
        schema: of[add as never],
        platform: transport,
        getOptimisticResponse: (_: unknown, __: unknown, body: unknown) => body,
      });
      const controller = new Controller({ now: () => transport.time });
      await controller.setResponse(carts.getList, []);
      void controller.fetch(carts.getList.push, {});
      const cart = () => controller.getResponse(carts.getList).data?.[0] as Cart;
      void controller.fetch(lines, { orderId: cart().id }, added);
      expect(Object.values(cart().lines as object)).toMatchObject([{ sku: 'a' }]);
    },
  );

  test('does not hide the record if nestKey needs more of it than the body has', async () => {
    class Sale extends Entity {
      id = '';
      shop?: { readonly id: string };
      lines: readonly Line[] = [];
      static override key = 'Sale';
      static override schema = {
        lines: new Collection([Line], {
          nestKey: ({ shop }: Sale) => ({ shopId: (shop as { readonly id: string }).id }),
        }),
      };
    }
    const transport = new Transport();
    const sales = resource({ path: '/sales/:id', schema: Sale, optimistic: true, platform: transport });
    const controller = new Controller({ now: () => transport.time });
    await controller.setResponse(sales.getList, []);
    void controller.fetch(sales.getList.push, {});
    expect(controller.getResponse(sales.getList).data).toMatchObject([{ lines: [] }]);
  });

  test('keeps a record of the body that was edited before the answer', async () => {
    const { answer, controller, lines, shown, temporary } = await begin();
    const line = controller.getResponse(lines.getList, { orderId: temporary }).data?.[0] as Line;
    void controller.fetch(lines.partialUpdate, { orderId: temporary, id: line.id }, { sku: 'c' });
    await settled();
    await answer('POST /orders', { id: '2', name: 'second', lines: [{ id: 'b', sku: 'b' }] });
    await answer('PATCH /orders/2/lines/b', { id: 'b', sku: 'c' });
    expect(shown()).toEqual(['first: a', 'second: c']);
    expect(controller.store.row('Line', 'b')).toEqual({ id: 'b', sku: 'c', orderId: '2' });
  });

  test('is the same list when it is requested with the temporary pk', async () => {
    const { addLine, answer, controller, lines, temporary } = await begin();
    const requested = controller.fetch(lines.getList, { orderId: temporary });
    await answer('POST /orders', { id: '2', name: 'second', lines: [] });
    await answer('GET /orders/2/lines', [{ id: 'b', sku: 'b' }]);
    expect(await requested).toBe(controller.getResponse(lines.getList, { orderId: temporary }).data);
    await addLine('2', 'c');
    expect(controller.getResponse(lines.getList, { orderId: temporary }).data).toHaveLength(2);
  });

  test('is not changed by a record that another order gets: orderId does not sort', async () => {
    const { addLine, shown, transport } = await begin();
    await addLine('1', 'c');
    await addLine('3', 'd');
    expect(shown()).toEqual(['first: a,c', 'second: b']);
    transport.take('POST /orders/3/lines').answer({ id: 'd', sku: 'd' });
    await settled();
    expect(shown()).toEqual(['first: a,c', 'second: b']);
  });
});

describe('a record that is created at a path with the pk of another record', () => {
  class Item extends Entity {
    id = '';
    sku = '';
    cartId = '';
    static override key = 'Item';
  }
  class Cart extends Entity {
    id = '';
    items: readonly Item[] = [];
    static override key = 'Cart';
    static override schema = { items: hasMany(() => Item, 'cartId') };
  }

  test.each([true, false])(
    'keeps that pk in its field when the answer leaves it out (optimistic: %s), also if it was a temporary pk',
    async (optimistic) => {
      const transport = new Transport();
      const carts = resource({ path: '/carts/:id', schema: Cart, optimistic: true, platform: transport });
      const items = resource({ path: '/carts/:cartId/items/:id', schema: Item, optimistic, platform: transport });
      const controller = new Controller({ now: () => transport.time });
      await controller.setResponse(carts.getList, []);
      void controller.fetch(carts.getList.push, {});
      const cart = () => controller.getResponse(carts.getList).data?.[0] as Cart;
      void controller.fetch(items.getList.push, { cartId: cart().id }, { sku: 'a' });
      await settled();
      expect(cart().items).toHaveLength(optimistic ? 1 : 0);
      transport.take('POST /carts').answer({ id: '7' });
      await settled();
      transport.take('POST /carts/7/items').answer({ id: '1', sku: 'a' });
      await settled();
      expect(cart().items).toMatchObject([{ id: '1', cartId: '7' }]);
      expect(controller.get(from(Item).where({ cartId: '7' }))).toHaveLength(1);
    },
  );
});

describe('a hasMany of a record that is being created', () => {
  class Part extends Entity {
    id = 0;
    machineId = 0;
    static override key = 'Part';
  }
  class Machine extends Entity {
    id = 0;
    parts: readonly Part[] = [];
    static override key = 'Machine';
    static override schema = { parts: hasMany(() => Part, 'machineId') };
  }

  test('shows the records of the body also if the pks of the server are numbers', async () => {
    const transport = new Transport();
    const options = { optimistic: true, platform: transport, body: {} } as const;
    const machines = resource({ path: '/machines/:id', schema: Machine, ...options });
    const controller = new Controller({ now: () => transport.time });
    await controller.setResponse(machines.getList, []);
    const created = controller.fetch(machines.getList.push, { parts: [{}, {}] });
    const shown = () => controller.getResponse(machines.getList).data?.[0] as Machine;
    expect(shown().parts.map(({ machineId }) => machineId)).toEqual([shown().id, shown().id]);
    await settled();
    transport.take('POST /machines').answer({ id: 1, parts: [{ id: 2 }, { id: 3 }] });
    await created;
    expect(shown().parts).toMatchObject([
      { id: 2, machineId: 1 },
      { id: 3, machineId: 1 },
    ]);
  });
});

describe('process() of a record inside of a record that is being created', () => {
  test('gets the temporary pk of the record around it, and the pk of the server after the answer', async () => {
    class Author extends Entity {
      id = '';
      books: readonly string[] = [];
      static override key = 'Author';
      static override process(input: object, parent: { readonly id: string }): object {
        return { ...input, books: [parent.id] };
      }
    }
    class Book extends Entity {
      id = '';
      author = Author.fromJS();
      static override key = 'Book';
      static override schema = { author: Author };
    }
    const transport = new Transport();
    const books = resource({ path: '/books/:id', schema: Book, optimistic: true, platform: transport });
    const controller = new Controller({ now: () => transport.time });
    await controller.setResponse(books.getList, []);
    const created = controller.fetch(books.getList.push, { author: { id: '1' } });
    await settled();
    const [book] = controller.getResponse(books.getList).data ?? [];
    expect(book?.author.books).toEqual([book?.id]);
    transport.take('POST /books').answer({ id: '7', author: { id: '1' } });
    await created;
    expect(controller.get(Author, '1')?.books).toEqual(['7']);
  });
});

describe('update() of a mutation that mentions a record which is still being created', () => {
  test('gets the pk of the server as soon as it is known', async () => {
    const { answer, controller, lines, temporary } = await begin();
    const seen: unknown[] = [];
    const add = lines.getList.push.extend({
      update: (_stored: unknown, { orderId }: { readonly orderId: string }) => {
        if (seen.at(-1) !== orderId) seen.push(orderId);
        return {};
      },
    });
    void controller.fetch(add, { orderId: temporary }, { sku: 'c' });
    await settled();
    await answer('POST /orders', { id: '2', name: 'second', lines: [] });
    await answer('POST /orders/2/lines', { id: 'c', sku: 'c' });
    expect(seen).toEqual([temporary, '2']);
  });
});

describe('an argument with the name of a field that is a text or a boolean', () => {
  class Shirt extends Entity {
    id = '';
    size = '';
    top = false;
    static override key = 'Shirt';
  }

  test('selects records, also if its name usually stands for a page', async () => {
    const transport = new Transport();
    const shirts = resource({
      path: '/shirts/:id',
      searchParams: undefined as { size?: string; top?: boolean } | undefined,
      schema: Shirt,
      platform: transport,
    });
    const controller = new Controller({ now: () => transport.time });
    const ids = (size: string) => controller.getResponse(shirts.getList, { size }).data?.map(({ id }) => id);
    await controller.setResponse(shirts.getList, { size: 'M' }, [{ id: '1', size: 'M' }]);
    await controller.setResponse(shirts.getList, { size: 'L' }, []);
    const created = controller.fetch(shirts.getList.push, {}, { size: 'L' });
    await settled();
    transport.take('POST /shirts').answer({ id: '2', size: 'L' });
    await created;
    await controller.set(Shirt, { id: '1' }, { id: '1', size: 'L' });
    expect(ids('M')).toEqual([]);
    expect(ids('L')).toEqual(expect.arrayContaining(['1', '2']));
    await controller.setResponse(shirts.getList, { top: true }, [{ id: '3', top: true }]);
    await controller.set(Shirt, { id: '3' }, { id: '3', top: false });
    expect(controller.getResponse(shirts.getList, { top: true }).data).toEqual([]);
  });
});
