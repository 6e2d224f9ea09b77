import { describe, expect, it } from 'vitest';
import { runInNewContext } from 'node:vm';
import { argsKey } from './args-key.ts';
import { Temporal } from 'temporal-polyfill';
import { DataError } from './data-error.ts';

class Money {
  amount = 1;
}

const key = (...args: readonly unknown[]): string => argsKey(args, 'a query');
const withField = (items: unknown[], name: string, value: unknown): unknown[] =>
  Object.assign(items, { [name]: value });
const sparse = (length: number, ...items: readonly [at: number, value: unknown][]): unknown[] => {
  const made = new Array<unknown>(length);
  for (const [at, value] of items) made[at] = value;
  return made;
};
const form = (...entries: readonly [string, string][]): FormData => {
  const made = new FormData();
  for (const [name, value] of entries) made.append(name, value);
  return made;
};
const shared = { a: 1 };
const circle: Record<string, unknown> = {};
circle['self'] = circle;

describe('different arguments have different keys', () => {
  it('a missing argument and `null`', () => {
    expect(argsKey(sparse(2, [1, 'a']), 'a query')).not.toBe(key(null, 'a'));
  });

  const different: readonly (readonly unknown[])[] = [
    [],
    [undefined],
    [null],
    ['null'],
    ['undefined'],
    [''],
    [0],
    [-0],
    ['0'],
    [1],
    ['1'],
    [1n],
    ['2026-01-02'],
    [Temporal.PlainDate.from('2026-01-02')],
    [Temporal.PlainDate.from('2026-01-03')],
    [Temporal.PlainDateTime.from('2026-01-02')],
    ['1n'],
    [true],
    ['true'],
    [false],
    [Number.NaN],
    ['NaN'],
    [Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY],
    [1, undefined],
    [1, null],
    [1, 2],
    [[1, 2]],
    ['1,2'],
    ['[1,2]'],
    ['"'],
    ['","'],
    ['', ''],
    ['\ud800'],
    ['\\ud800'],
    [{}],
    [{ a: undefined }],
    [{ a: null }],
    [{ b: undefined }],
    [{ a: 1 }],
    [{ a: '1' }],
    [{ a: { b: 1 } }],
    [{ 'a":1,"b': 1 }],
    [{ a: 1, b: 1 }],
    [JSON.parse('{"__proto__":1}')],
    [[]],
    [[undefined]],
    [[null]],
    [sparse(1)],
    [sparse(2)],
    [sparse(2, [0, 1])],
    [sparse(2, [1, 1])],
    [sparse(1_000_000_000, [5, 1])],
    [withField([1], 'x', 1)],
    [withField(sparse(2, [1, 1]), 'x', 1)],
    [[undefined, 1]],
    [new Date(5)],
    [5],
    [new Date(6)],
    [new Date(Number.NaN)],
    [new Date(5).toISOString()],
    [new Map()],
    [new Map([[1, 2]])],
    [new Map([['1', 2]])],
    [new Map([[1, [2]]])],
    [new Map([[[1], 2]])],
    [new Set()],
    [new Set([1])],
    [new Set(['1'])],
    [new Set([1, 2])],
    [new Set([[1, 2]])],
    [new Set([new Set([1])])],
    [/a/],
    [/a/g],
    [/b/],
    ['/a/'],
    [new Error('a')],
    [new Error('b')],
    [new TypeError('a')],
    [new Error('a', { cause: 1 })],
    [Object.assign(new Error('a'), { code: 1 })],
    [new Uint8Array([1, 2])],
    [new Uint8Array([1, 2]).buffer],
    [new Uint8Array([12])],
    [new Int8Array([1, 2])],
    [new Uint16Array([1, 2])],
    [new DataView(new ArrayBuffer(2))],
    [new ArrayBuffer(2)],
    [new ArrayBuffer(0)],
    [new SharedArrayBuffer(2)],
    [Object(1)],
    [Object('1')],
    [Object(true)],
    [Object(1n)],
    [form()],
    [form(['a', '1'])],
    [form(['a', '1'], ['b', '2'])],
    [form(['b', '2'], ['a', '1'])],
    [new URLSearchParams('a=1')],
    [new URLSearchParams('a=2')],
    [new URL('https://a.test/')],
    ['https://a.test/'],
    [new Blob(['a'])],
    [new Blob(['a'])],
    [new File(['a'], 'a')],
    [new File(['a'], 'a')],
    [new Money()],
    [new Money()],
    [{ amount: 1 }],
    [Object.create({ amount: 1 })],
  ];

  const repeated = (keys: readonly string[]): string[] => keys.filter((one, at) => keys.indexOf(one) !== at);
  const single = different.filter((args) => args.length === 1).map(([arg]) => arg);

  it('for every pair of them', () => {
    expect(repeated(different.map((args) => key(...args)))).toEqual([]);
  });

  it('also inside of an object, a list, a map or a set', () => {
    expect(repeated(single.map((arg) => key({ a: arg })))).toEqual([]);
    expect(repeated(single.map((arg) => key([arg])))).toEqual([]);
    expect(repeated(single.map((arg) => key(new Map([[1, arg]]))))).toEqual([]);
    // A map and a set have no -0.
    expect(repeated(single.map((arg) => key(new Map([[arg, 1]]))))).toEqual(['[Map([0,1])]']);
    expect(repeated(single.map((arg) => key(new Set([arg]))))).toEqual(['[Set([0])]']);
  });
});

describe('arguments that mean the same have one key', () => {
  it.each<[string, unknown, unknown]>([
    ['fields in another order', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
    ['an object without a prototype', { a: 1 }, Object.assign(Object.create(null) as object, { a: 1 })],
    ['an object of another realm', { a: [1] }, runInNewContext('({ a: [1] })')],
    ['a date of another realm', new Date(5), runInNewContext('new Date(5)')],
    ['a map of another realm', new Map([[1, 2]]), runInNewContext('new Map([[1, 2]])')],
    ['a view of a part of a buffer', new Uint8Array([2]), new Uint8Array([1, 2, 3]).subarray(1, 2)],
    ['a buffer of Node', new Uint8Array([1, 2]), Buffer.from([1, 2])],
    ['symbols are not fields', { a: 1 }, { a: 1, [Symbol('b')]: 2 }],
    ['a value of Temporal', Temporal.PlainDate.from('2026-01-02'), Temporal.PlainDate.from('2026-01-02')],
    ['one object in two places', [{ a: 1 }, { a: 1 }], [shared, shared]],
  ])('%s', (_what, one, other) => {
    // A buffer of Node is a Uint8Array.
    expect(key(one)).toBe(key(other));
  });

  it('for a value and its copy by structuredClone', () => {
    const args = [{ a: [1, undefined, -0], b: new Map([[new Date(5), new Set(['x', 1n])]]) }, /a/g, new Error('x')];
    expect(key(...structuredClone(args))).toBe(key(...args));
  });

  it('for the same instance of a class, at any place', () => {
    const money = Object.assign(new Money(), { self: {} });
    money.self = money;
    expect(key({ price: money }, money)).toBe(key({ price: money }, money));
    const bare = Object.create(Object.create(null) as object) as object;
    expect(key(bare)).toBe(key(bare));
  });

  it('for the same file or blob', () => {
    const blob = new Blob(['a']);
    expect(key(blob)).toBe(key(blob));
  });
});

it('the key of plain data is JSON with sorted names', () => {
  expect(key({ b: 'x', a: [1, true, null] }, 'y')).toBe('[{"a":[1,true,null],"b":"x"},"y"]');
  expect(key('5')).toBe('["5"]');
  expect(key(5)).toBe('[5]');
});

describe('a value without a key is refused with an error that names the argument', () => {
  it.each<[string, unknown, string]>([
    ['a function', () => 1, 'args[1]'],
    ['a symbol', Symbol('a'), 'args[1]'],
    ['a boxed symbol', Object(Symbol('a')), 'args[1]'],
    ['a promise', [0, Promise.resolve()], 'args[1][1]'],
    ['a WeakMap', new WeakMap(), 'args[1]'],
    ['a stream', new ReadableStream(), 'args[1]'],
    ['a circle', circle, 'args[1].self.self.self.self.self.self.self.self…'],
    ['a circle of a map', new Map([[1, circle]]), 'args[1][1].self.self.self.self.self.self.self…'],
    [
      'an impostor',
      {
        [Symbol.toStringTag]: 'x',
        a: new (class Fake {
          get [Symbol.toStringTag]() {
            return 'Map';
          }
        })(),
      },
      'args[1].a',
    ],
  ])('%s', (_what, value, path) => {
    let error: unknown;
    try {
      key('x', value);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(DataError);
    expect(error).toMatchObject({ code: 'args-invalid', path });
    expect((error as Error).message).toContain(`The argument ${path} of a query`);
  });

  it('an instance of a class, when classes are not allowed', () => {
    const collection = (value: unknown): string => argsKey([value], 'a collection', 'nothing');
    expect(() => collection(new Money())).toThrow('is an instance of the class Money');
    expect(() => collection(Object.create({}))).toThrow(/an instance of/);
    const tagged = { [Symbol.toStringTag]: 'Money', toJSON: () => ({ cents: 1 }) };
    expect(() => collection(Object.create(tagged))).toThrow(/an instance of/);
  });

  it('a field that throws when it is read', () => {
    const cause = new Error('mine');
    const thrower = {
      get a(): never {
        throw cause;
      },
    };
    expect(() => key(thrower)).toThrow(expect.objectContaining({ code: 'args-invalid', path: 'args[0]', cause }));
  });
});

it('instances of a class whose JSON is a text or a number are equal if their JSON is', () => {
  const json = (value: unknown): object => Object.create({ toJSON: () => value }) as object;
  expect(key(json('a'))).toBe(key(json('a')));
  expect(key(json('1'))).not.toBe(key(json(1)));
  expect(key(json({}))).not.toBe(key(json({})));
});

it('the key of a mutation identifies values by reference that the key of a read would refuse', () => {
  const money = new Money();
  const byIdentity = (value: unknown): string => argsKey([value], 'a mutation', 'everything');
  expect(byIdentity(money)).toBe(byIdentity(money));
  expect(byIdentity(money)).not.toBe(byIdentity(new Money()));
  expect(byIdentity(() => 1)).not.toBe(byIdentity(() => 1));
  expect(byIdentity(Symbol('a'))).toBe('[Symbol(a)]');
  expect(byIdentity(circle)).toBe(byIdentity(circle));
  expect(byIdentity({ circle })).not.toBe(byIdentity({ circle }));
});
