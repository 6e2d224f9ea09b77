import { describe, expect, test } from 'vitest';
import { Controller, Entity, keyOf, platform, resource } from '../../src/index.ts';
import { deferred } from '../../src/std/deferred.ts';

class Line extends Entity {
  id = 0;
  text = '';
  static override key = 'Line';
}
class Order extends Entity {
  id = 0;
  name = '';
  lines: Line[] = [];
  main?: Line;
  static override key = 'Order';
  static override schema = { lines: [Line], main: Line };
}
interface NewLine {
  readonly id?: number;
  readonly text: string;
}
interface Body {
  readonly name: string;
  readonly lines: readonly NewLine[];
  readonly main?: NewLine;
}
const body: Body = { name: 'Books', lines: [{ id: 10, text: 'One' }, { text: 'Two' }], main: { text: 'Three' } };

/** A server with orders, which gives ids to lines without one. */
function serving(optimistic: boolean, answer: (order: object) => Response) {
  const requests: string[] = [];
  let order: object = { id: 1, name: 'Books', lines: [{ id: 10, text: 'Old' }] };
  let next = 10;
  const fetch = async (input: string | URL | Request, { method, body: sent }: RequestInit = {}): Promise<Response> => {
    requests.push(`${method} ${input}`);
    if (method === 'GET') return Response.json(String(input).endsWith('/1') ? order : [order]);
    const { lines, main, ...fields } = JSON.parse(String(sent)) as Body;
    const kept = (line: NewLine): NewLine => ({ id: ++next, ...line });
    order = { id: 1, ...fields, lines: lines.map(kept), main: main && kept(main) };
    return answer(order);
  };
  const orders = resource({
    path: '/orders/:id',
    schema: Order,
    body,
    optimistic,
    platform: { ...platform, fetch },
  });
  const controller = new Controller();
  const shown = () => {
    const record = controller.get(Order, { id: 1 }) ?? controller.get(orders.getList.schema)?.[0];
    return [...(record?.lines ?? []), record?.main].map((line) => line?.text);
  };
  return { controller, orders, requests, shown };
}

const answers: readonly (readonly [string, (order: object) => Response])[] = [
  ['the record', (order) => Response.json(order)],
  ['its id alone', () => Response.json({ id: 1 })],
  ['204', () => new Response(null, { status: 204 })],
];

describe.each([false, true])('a body with new records inside, with guesses: %s', (optimistic) => {
  test.each(answers)('that changes a record, and is answered with %s', async (_what, answer) => {
    const { controller, orders, shown } = serving(optimistic, answer);
    await controller.fetch(orders.get, { id: 1 });
    const stop = controller.watch(orders.get, { id: 1 }, () => {});
    const saved = controller.fetch(orders.update, { id: 1 }, body);
    expect(shown()).toEqual(optimistic ? ['One', 'Two', 'Three'] : ['Old', undefined]);
    expect((await saved).name).toBe('Books');
    await expect.poll(shown).toEqual(['One', 'Two', 'Three']);
    expect(controller.get(Order, { id: 1 })?.lines.map(({ id }) => id)).toEqual([10, 12]);
    stop();
  });

  test('that creates a record has the data of the answer', async () => {
    const { controller, orders, requests, shown } = serving(optimistic, (order) => Response.json(order));
    await controller.setResponse(orders.getList, []);
    const created = controller.fetch(orders.create, body);
    expect(controller.get(orders.getList.schema)).toHaveLength(optimistic ? 1 : 0);
    expect((await created).lines.map(({ id }) => id)).toEqual([10, 12]);
    expect(shown()).toEqual(['One', 'Two', 'Three']);
    expect(requests).toEqual(['POST /orders']);
  });
});

test('a guess that is made again gives its new records the same keys', async () => {
  const { controller, orders } = serving(true, (order) => Response.json(order));
  await controller.fetch(orders.get, { id: 1 });
  const saved = controller.fetch(orders.update, { id: 1 }, body);
  const before = controller.get(Order, { id: 1 })?.lines.map(keyOf);
  await controller.set(Order, { id: 1 }, { id: 1, name: 'Other', lines: [] });
  expect(controller.get(Order, { id: 1 })?.lines.map(keyOf)).toEqual(before);
  await saved;
});

test('an answer with a record inside that has no pk is an error', async () => {
  const { controller, orders } = serving(true, () => Response.json({ id: 1, lines: [{ text: 'One' }] }));
  const saved = controller.fetch(orders.update, { id: 1 }, { name: 'Books', lines: [] });
  await expect(saved).rejects.toMatchObject({ code: 'pk-missing', path: 'lines[0]' });
});

describe('a new record inside of a create', () => {
  /** A server that answers a create when `answer` is called, and sorts its lines by their text. */
  function creating(textOf: (line: NewLine, at: number) => string) {
    const requests: string[] = [];
    const answered = deferred();
    const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const { lines = [], main, ...fields } = JSON.parse(String(init.body)) as Partial<Body>;
      requests.push(`${init.method} ${input} ${JSON.stringify(fields)}`);
      if (init.method === 'PATCH') return Response.json({ id: Number(String(input).split('/').at(-1)), ...fields });
      await answered.promise;
      const created = lines.map((line, at) => ({ id: 20 + at, text: textOf(line, at) })).reverse();
      return Response.json({ id: 1, ...fields, lines: created, main: { id: 30, ...main } });
    };
    const options = { optimistic: true, platform: { ...platform, fetch } } as const;
    const orders = resource({ path: '/orders/:id', schema: Order, body, ...options });
    const lines = resource({ path: '/lines/:id', schema: Line, ...options });
    return { answer: answered.resolve, controller: new Controller(), lines, orders, requests };
  }

  const sent: Body = { name: 'Books', lines: [{ text: 'One' }, { text: 'Two' }], main: { text: 'Three' } };

  test('is edited before the answer, and sent with the pk of the server', async () => {
    const { answer, controller, lines, orders, requests } = creating(({ text }) => text);
    await controller.setResponse(orders.getList, []);
    const saved = controller.fetch(orders.create, sent);
    const shown = () => controller.get(orders.getList.schema)?.[0];
    const texts = () => [...(shown()?.lines ?? []), shown()?.main].map((line) => line?.text);
    const order = shown() as Order;
    const [first, main] = [order.lines[0], order.main];
    const keys = [first, main].map((line) => keyOf(line as Line));
    const edits = [first, main].map((line) =>
      controller.fetch(lines.partialUpdate, { id: line?.id ?? 0 }, { text: `New ${line?.text}` }),
    );
    expect(texts()).toEqual(['New One', 'Two', 'New Three']);
    answer();
    await saved;
    await Promise.all(edits);
    expect(requests.slice(1)).toEqual(['PATCH /lines/20 {"text":"New One"}', 'PATCH /lines/30 {"text":"New Three"}']);
    expect(texts()).toEqual(['Two', 'New One', 'New Three']);
    expect([shown()?.lines[1], shown()?.main].map((line) => keyOf(line as Line))).toEqual(keys);
  });

  test('is not edited if several records of the answer can be it', async () => {
    const { answer, controller, lines, orders, requests } = creating((_line, at) => `line ${at}`);
    await controller.setResponse(orders.getList, []);
    const saved = controller.fetch(orders.create, sent);
    const line = controller.get(orders.getList.schema)?.[0]?.lines[0];
    const edited = controller.fetch(lines.partialUpdate, { id: line?.id ?? 0 }, { text: 'New' });
    answer();
    await saved;
    await expect(edited).rejects.toMatchObject({ code: 'record-never-created', entity: 'Line' });
    expect(requests).toEqual(['POST /orders {"name":"Books"}']);
    expect(controller.get(Order, { id: 1 })?.lines.map(({ text }) => text)).toEqual(['line 1', 'line 0']);
  });
});
