import { describe, expect, it } from 'vitest';
import {
  copyPlain,
  MAX_DEPTH,
  equalPlain,
  freezePlain,
  isPlain,
  keepEqual,
  ownArgs,
  setOwn,
  TooDeep,
} from './plain.ts';

class Money {
  amount = 1;
}
const withProto = (value: unknown): object => JSON.parse(`{"__proto__":${JSON.stringify(value)}}`) as object;
const nested = (levels: number): unknown => {
  let value: unknown = [];
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { inner: value } : [value];
  return value;
};

describe('plain data', () => {
  it.each([[[]], [{}], [Object.create(null)], [JSON.parse('{"a":[]}')]])('%j is plain', (value) => {
    expect(isPlain(value)).toBe(true);
  });

  it.each([[null], [undefined], ['text'], [1], [new Date(0)], [new Money()], [new Map()]])('%s is not', (value) => {
    expect(isPlain(value)).toBe(false);
  });

  it('a field called __proto__ is set as a field of its own', () => {
    const record = {};
    setOwn(record, '__proto__', { admin: true });
    setOwn(record, 'name', 'a');
    expect(Object.keys(record)).toEqual(['__proto__', 'name']);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });
});

describe('a copy', () => {
  it('shares no array and no plain object', () => {
    const inner = { tags: ['a'] };
    const copy = copyPlain({ inner, list: [inner] }) as { inner: typeof inner; list: (typeof inner)[] };
    expect(copy).toEqual({ inner: { tags: ['a'] }, list: [{ tags: ['a'] }] });
    expect(copy.inner).not.toBe(inner);
    expect(copy.list[0]).not.toBe(inner);
    expect(copy.inner.tags).not.toBe(inner.tags);
  });

  it('keeps null, text, and values that are not plain', () => {
    const date = new Date(0);
    const copy = copyPlain({ date, none: null, text: 'a' }) as { date: Date };
    expect(copy).toEqual({ date, none: null, text: 'a' });
    expect(copy.date).toBe(date);
    expect(copyPlain('text')).toBe('text');
  });

  it('keeps a field called __proto__ as a field, and shares no part of it', () => {
    const value = withProto({ admin: true });
    const copy = copyPlain(value) as object;
    const kept: unknown = Object.getOwnPropertyDescriptor(copy, '__proto__')?.value;
    expect(kept).toEqual({ admin: true });
    expect(kept).not.toBe(Object.getOwnPropertyDescriptor(value, '__proto__')?.value);
    expect((copy as { admin?: unknown }).admin).toBeUndefined();
  });

  it('goes as deep as the given depth, and no deeper', () => {
    expect(copyPlain(nested(MAX_DEPTH - 1))).toEqual(nested(MAX_DEPTH - 1));
    expect(() => copyPlain(nested(MAX_DEPTH))).toThrow(TooDeep);
    expect(() => copyPlain({ a: { b: {} } }, 2)).toThrow(TooDeep);
  });

  it('of data in a circle ends', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => copyPlain(circle)).toThrow(TooDeep);
  });
});

/** As the values of libraries for decimal numbers: a class whose objects say with `toJSON` what they are. */
class Decimal {
  readonly scale: number;
  readonly #digits: string;
  constructor(digits: string, scale: number = 2) {
    this.#digits = digits;
    this.scale = scale;
  }
  toJSON(): string {
    if (this.#digits === '') throw new Error('no digits');
    return this.#digits;
  }
}
class Labels extends Set<string> {
  label = '';
}
const circular = (): Decimal & { self?: unknown } => {
  const made: Decimal & { self?: unknown } = new Decimal('1');
  made.self = [made];
  return made;
};

describe('two pieces of plain data are equal', () => {
  it.each([
    [1, 1],
    [Number.NaN, Number.NaN],
    [
      { a: [1, { b: null }], c: undefined },
      { c: undefined, a: [1, { b: null }] },
    ],
    [new Date(5), new Date(5)],
    [withProto([1]), withProto([1])],
    [new Map([['a', { b: [1] }]]), new Map([['a', { b: [1] }]])],
    [new Set([1, 2]), new Set([1, 2])],
    [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    [new Float64Array([Number.NaN]), new Float64Array([Number.NaN])],
    [new ArrayBuffer(2), new ArrayBuffer(2)],
    [new URL('https://a.example/'), new URL('https://a.example')],
    [new Decimal('1'), new Decimal('1')],
    [new Date(Number.NaN), new Date(Number.NaN)],
  ])('%j and %j', (one, other) => {
    expect(equalPlain(one, other)).toBe(true);
  });
});

describe('two pieces of plain data differ', () => {
  it.each([
    [1, '1'],
    [0, -0],
    [null, undefined],
    [null, {}],
    [{}, null],
    [{}, 'text'],
    [[], {}],
    [{}, []],
    [
      [1, 2],
      [1, 2, 3],
    ],
    [
      [1, 2],
      [1, 3],
    ],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, { a: 2 }],
    [new Date(5), new Date(6)],
    [new Date(5), {}],
    [{}, new Date(5)],
    [new Map(), new Set()],
    [new Map([['a', 1]]), new Map([['a', 2]])],
    [new Map([['a', 1]]), new Map()],
    [new Set([1, 2]), new Set([2, 1])],
    [new Labels(), Object.assign(new Labels(), { label: 'a' })],
    [new Uint8Array([1, 2]), new Uint8Array([1, 3])],
    [new Uint8Array([0]), new Int8Array([0])],
    [new ArrayBuffer(2), new ArrayBuffer(3)],
    [new URL('https://a.example/'), new URL('https://b.example/')],
    [new Decimal('1'), new Decimal('2')],
    [new Decimal('1'), new Decimal('1', 3)],
    [new Money(), new Money()],
    [new Money(), null],
    [Symbol.iterator, new Money()],
    [{}, new Money()],
    [withProto([1]), withProto([2])],
    [{ toString: 1 }, withProto(1)],
  ])('%j and %j', (one, other) => {
    expect(equalPlain(one, other)).toBe(false);
  });
});

it('two values differ whose toJSON throws, or whose fields go in a circle', () => {
  expect(equalPlain(new Decimal(''), new Decimal(''))).toBe(false);
  expect(equalPlain(circular(), circular())).toBe(false);
});

it('two values of a class that does not show its content are compared once', () => {
  let reads = 0;
  class Sealed {}
  Object.defineProperty(Sealed.prototype, 'constructor', { get: () => (reads++, Sealed) });
  expect(equalPlain([new Sealed()], [new Sealed()])).toBe(false);
  expect(reads).toBe(2);
});

describe('freezing', () => {
  it('changes all levels, and does not change values that are not plain', () => {
    const money = new Money();
    const value = { list: [{ money }], none: null };
    expect(freezePlain(value)).toBe(value);
    expect(Object.isFrozen(value.list[0])).toBe(true);
    expect(Object.isFrozen(money)).toBe(false);
    expect(freezePlain('text')).toBe('text');
  });

  it('reaches every level, however many there are', () => {
    const innermost = {};
    let value: object = innermost;
    for (let level = 0; level < 100_000; level++) value = [value];
    freezePlain(value);
    expect(Object.isFrozen(innermost)).toBe(true);
  });

  it('stops at frozen values', () => {
    const inner = { list: [1] };
    freezePlain(Object.freeze({ inner }));
    expect(Object.isFrozen(inner)).toBe(false);
  });
});

describe('the parts of former data that are kept', () => {
  it('are all parts with the same content', () => {
    const known = { a: [1, { b: 1 }], c: { d: [2] }, e: null };
    expect(keepEqual(known, structuredClone(known))).toBe(known);
    const next = { ...structuredClone(known), a: [1, { b: 2 }] };
    const kept = keepEqual(known, next) as typeof known;
    expect(kept).toEqual(next);
    expect(kept.c).toBe(known.c);
    expect(kept.a).not.toBe(next.a);
    expect(keepEqual([{ a: 1 }], [{ a: 1 }, { a: 1 }])).toEqual([{ a: 1 }, { a: 1 }]);
    expect(keepEqual(5, { a: [1] })).toEqual({ a: [1] });
    expect(keepEqual(known, 5)).toBe(5);
  });

  it('are found in a field named __proto__, and data in a circle is too deep', () => {
    const next = JSON.parse('{"__proto__":{"a":1}}') as object;
    const kept = keepEqual({}, next) as object;
    expect(Object.keys(kept)).toEqual(['__proto__']);
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => keepEqual({}, circle)).toThrow(TooDeep);
  });
});

describe('the arguments of a call', () => {
  it('are copied, without objects of classes', () => {
    const [money, body] = [new Money(), { tags: ['a'] }];
    const copy = ownArgs([money, body, undefined]);
    body.tags.push('b');
    expect(copy).toEqual([money, { tags: ['a'] }, undefined]);
    expect(copy[0]).toBe(money);
  });

  it('are not copied if they are nested too deep', () => {
    const args = [nested(MAX_DEPTH + 1)];
    expect(ownArgs(args)).toBe(args);
  });
});
