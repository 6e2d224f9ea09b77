import { describe, expect, test } from 'vitest';
import { Endpoint } from './endpoint.ts';
import { callWith, type Exchange } from './exchange.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';

const add = async function add(one: number, other: number): Promise<number> {
  return one + other;
};

describe('an endpoint', () => {
  test('is a function that fetches', async () => {
    const sum = new Endpoint(add);
    expect(await sum(1, 2)).toBe(3);
    expect(typeof sum).toBe('function');
    expect(sum).toBeInstanceOf(Function);
    expect(sum).toBeInstanceOf(Endpoint);
    expect(await Reflect.apply(sum, undefined, [2, 2])).toBe(4);
  });

  test('has its options as members', () => {
    const extra = { any: 'thing' };
    const sum = new Endpoint(add, { dataExpiryLength: 5, sideEffect: true, extra, mine: 1 });
    expect(sum.dataExpiryLength).toBe(5);
    expect(sum.sideEffect).toBe(true);
    expect(sum.extra).toBe(extra);
    expect(sum.mine).toBe(1);
  });

  test('rejects if its function throws', async () => {
    const broken = new Endpoint(function broken(): Promise<never> {
      throw new Error('at once');
    });
    await expect(broken()).rejects.toThrow('at once');
  });

  test('runs its function with itself as this', async () => {
    const who = new Endpoint(
      async function who(this: { readonly mine?: string }) {
        return this.mine;
      },
      { mine: 'me' },
    );
    expect(await who()).toBe('me');
  });

  test('fails with an error if it has no function', async () => {
    const Untyped = Endpoint as unknown as new () => () => Promise<unknown>;
    await expect(new Untyped()()).rejects.toMatchObject({ code: 'endpoint-fetch-missing' });
  });
});

describe('the key of a request', () => {
  test('is the name of the function and the arguments', () => {
    expect(new Endpoint(add).key(1, 2)).toBe('add [1,2]');
    expect(new Endpoint(add, { name: 'sum' }).key(1, 2)).toBe('sum [1,2]');
  });

  test('belongs to the endpoint if it starts with its name', () => {
    const sum = new Endpoint(add);
    expect(sum.testKey(sum.key(5, 6))).toBe(true);
    expect(sum.testKey('GET /sums')).toBe(false);
  });

  test('does not belong to an endpoint whose name only begins like its own', () => {
    const [getUser, getUsers] = ['getUser', 'getUsers'].map((name) => new Endpoint(add, { name }));
    expect(getUser?.testKey(String(getUsers?.key(1, 2)))).toBe(false);
    const withKey = getUser?.extend({ key: () => 'getUser/1' });
    expect(withKey?.testKey('getUser/1')).toBe(true);
  });

  test('is an error for a function without a name, whose requests would share keys with others', () => {
    const anonymous = new Endpoint(
      (
        () => async () =>
          1
      )(),
    );
    expect(() => anonymous.key()).toThrow(expect.objectContaining({ code: 'endpoint-name-missing' }));
    expect(anonymous.extend({ name: 'one' }).key()).toBe('one []');
  });

  test('differs for any other arguments', () => {
    const find = new Endpoint(async (..._args: unknown[]) => 1, { name: 'find' });
    const kinds: unknown[][] = [[1], ['1'], [1n], [null], [undefined], [Number.NaN], [new Date(0)], [new Set([1])]];
    kinds.push([], [{}], [{ page: undefined }], [new Map()], [new Set()], [/a/], [1, undefined]);
    expect(new Set(kinds.map((args) => find.key(...args))).size).toBe(kinds.length);
    expect(find.key({ b: 1, a: 2 })).toBe(find.key({ a: 2, b: 1 }));
  });

  test('is an error that names the argument, if arguments of a read cannot be distinguished', () => {
    const find = new Endpoint(async (_options: object) => 1, { name: 'find' });
    expect(() => find.key({ where: () => true })).toThrow(
      expect.objectContaining({
        code: 'args-invalid',
        path: 'args[0].where',
        message: expect.stringContaining(' of find '),
      }),
    );
  });

  test('of a mutation identifies other objects by reference, so any argument is accepted', () => {
    const save = new Endpoint(async (_options: object) => 1, { name: 'save', sideEffect: true });
    const draft = new (class Draft {})();
    expect(save.key({ draft })).toBe(save.key({ draft }));
    expect(save.key({ draft })).not.toBe(save.key({ draft: () => true }));
  });

  test('may be overridden', () => {
    const sum = new Endpoint(add, { key: (one: number) => `add ${one}` });
    expect(sum.key(1, 2)).toBe('add 1');
  });
});

describe('extend', () => {
  test('makes another endpoint with other members, and leaves the first one as it was', async () => {
    const sum = new Endpoint(add, { dataExpiryLength: 5 });
    const product = sum.extend({ fetch: async (one: number, other: number) => one * other, pollFrequency: 7 });
    expect(await product(3, 4)).toBe(12);
    expect(await sum(3, 4)).toBe(7);
    expect(product.dataExpiryLength).toBe(5);
    expect(product.pollFrequency).toBe(7);
    expect(sum.pollFrequency).toBe(undefined);
  });

  test('keeps the class and the name', () => {
    class Own extends Endpoint<typeof add> {
      greet(): string {
        return `I am ${this.name}`;
      }
    }
    const extended = new Own(add).extend({ fetch: async () => 0 });
    expect(extended).toBeInstanceOf(Own);
    expect(extended.greet()).toBe('I am add.fetch');
  });

  test('removes a member with undefined if the class has one', () => {
    const own = new Endpoint(add, { key: () => 'own' });
    expect(own.extend({ key: undefined as never }).key(1, 2)).toBe('add [1,2]');
    expect(own.extend({ schema: undefined }).schema).toBe(undefined);
  });
});

describe('a subclass', () => {
  test('overrides fetch, and can call the one of its class', async () => {
    class Doubling extends Endpoint<typeof add> {
      override async fetch(...args: [number, number]): Promise<number> {
        return 2 * (await super.fetch(...args));
      }
    }
    const double = new Doubling(add);
    expect(await double(1, 2)).toBe(6);
    expect(await double.extend({ dataExpiryLength: 1 })(1, 2)).toBe(6);
  });

  test('may have fields of its own', () => {
    class Fresh extends Endpoint<typeof add> {
      override dataExpiryLength: number = 9;
    }
    const fresh = new Fresh(add);
    expect(fresh.dataExpiryLength).toBe(9);
    expect(fresh.extend({ dataExpiryLength: 1 }).dataExpiryLength).toBe(1);
  });
});

describe('the name of an endpoint that is extended with another fetch', () => {
  const sum = new Endpoint(add);
  async function product(one: number, other: number): Promise<number> {
    return one * other;
  }

  test('follows the function, so that the two never share a request key', () => {
    const other = sum.extend({ fetch: product });
    expect([other.name, other.key(2, 3)]).toEqual(['product', 'product [2,3]']);
    const inline = sum.extend({ fetch: async (one: number, two: number) => one * two });
    expect([inline.name, inline.key(2, 3)]).toEqual(['add.fetch', 'add.fetch [2,3]']);
    expect(sum.key(2, 3)).toBe('add [2,3]');
  });

  test('is the given one, or that of the endpoint if a key is given', () => {
    expect(sum.extend({ fetch: product, name: 'mine' }).key(2, 3)).toBe('mine [2,3]');
    expect(sum.extend({ fetch: product, key: () => 'mine' }).name).toBe('add');
    expect(sum.bind(undefined, 1).name).toBe('add');
  });

  test('is missing if neither has one', () => {
    const nameless = new Endpoint(
      (
        () => async () =>
          0
      )(),
    );
    expect(() => nameless.extend({ fetch: async () => 1 }).key()).toThrow('needs the option name');
  });
});

describe('bind', () => {
  test('passes the first arguments to fetch, key and guess', async () => {
    const sum = new Endpoint(add, {
      sideEffect: true,
      getOptimisticResponse: (_snap: unknown, one: number, other: number) => one + other,
    });
    const five = sum.bind(undefined, 5);
    expect(await five(2)).toBe(7);
    expect(five.key(2)).toBe('add [5,2]');
    expect(Reflect.apply(five.getOptimisticResponse as never, five, [{}, 2])).toBe(7);
    expect(await sum.bind(undefined, 5, 6)()).toBe(11);
  });

  test('passes them to what else gets the arguments of a call', () => {
    const seen: unknown[] = [];
    const note = (...args: unknown[]): undefined => void seen.push(args);
    const options: object = { sideEffect: true, serial: note, update: note, impliedResponse: note };
    const sum = new Endpoint(add, options);
    const { serial, update, impliedResponse } = sum.bind(undefined, 5) as unknown as Record<string, typeof note>;
    serial?.(2);
    update?.('stored', 2);
    impliedResponse?.(2);
    expect(seen).toEqual([
      [5, 2],
      ['stored', 5, 2],
      [5, 2],
    ]);
  });

  test('runs fetch on the endpoint itself unless thisArg is given', async () => {
    const who = new Endpoint(
      async function who(this: { readonly mine?: string }, greeting: string) {
        return `${greeting} ${this.mine ?? ''}`;
      },
      { mine: 'me' },
    );
    expect(await who.bind(undefined, 'hello')()).toBe('hello me');
    expect(await who.bind(undefined, 'hello').extend({ mine: 'you' })()).toBe('hello you');
    expect(await who.bind({ mine: 'somebody' }, 'hello')()).toBe('hello somebody');
  });
});

describe('a validator', () => {
  const positive: StandardSchema<number, number> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => (Number(value) > 0 ? { value: Number(value) } : { issues: [{ message: 'not positive' }] }),
    },
  };

  test('resolves to its output', async () => {
    const read = new Endpoint(async function read(value: string) {
      return value;
    });
    expect(await read.extend({ validate: positive })('5')).toBe(5);
  });

  test('rejects a value with an error', async () => {
    const sum = new Endpoint(add, { validate: positive });
    await expect(sum(1, -2)).rejects.toMatchObject({ code: 'validation-failed' });
    await expect(sum(1, -2)).rejects.toThrow('What add fetched was refused: not positive. Nothing was stored.');
  });
});

test('an endpoint that is extended during a request does not get its exchange', async () => {
  const exchange = { key: 'outer' } as Exchange;
  const seen: unknown[] = [];
  const outer = new Endpoint(
    async function outer(this: Endpoint<() => Promise<unknown>>): Promise<unknown> {
      seen.push(Reflect.get(this, 'exchange'));
      return this.extend({
        name: 'inner',
        async fetch(): Promise<void> {
          seen.push(Reflect.get(this, 'exchange'));
        },
      })();
    },
    { name: 'outer' },
  );
  await callWith(outer, exchange, []);
  expect(seen).toEqual([exchange, undefined]);
});
