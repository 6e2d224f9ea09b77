import { describe, expect, it } from 'vitest';
import { fromScriptJson, toScriptJson } from '../../src/ssr.ts';
import { breakoutFaults, breakouts } from './breakouts.ts';

const roundTrip = (value: unknown): unknown => fromScriptJson(toScriptJson(value));

describe('a value as JSON in a script element', () => {
  it.each([
    ['plain data', { a: [1, 'x', true, null, { b: {} }], c: -1.5e300 }],
    ['nothing', undefined],
    ['undefined in data', { a: undefined, b: [undefined] }],
    ['dates', [new Date(5), { at: new Date('2026-11-21T00:00:00Z') }]],
    ['numbers that JSON lacks', [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0]],
    ['bigints', { big: 2n ** 70n, less: -1n }],
    ['lists that look like marks', [['\u0000d', 5], ['\u0000'], ['\u0000a', ['\u0000u']], '\u0000d']],
    ['a list with holes', [[1, undefined, 3]]],
  ])('%s is equal after it was written and read', (_what, value) => {
    expect(roundTrip(value)).toStrictEqual(value);
  });

  it('an invalid date is still an invalid date after it was written and read', () => {
    expect((roundTrip(new Date(Number.NaN)) as Date).getTime()).toBeNaN();
  });

  it.each(['<', '>', '&', '\u2028', '\u2029'])('%j is always escaped', (char) => {
    const json = toScriptJson({ [char]: [char, `a${char}b`] });
    expect(json).not.toContain(char);
    expect(fromScriptJson(json)).toEqual({ [char]: [char, `a${char}b`] });
  });

  it('a field may have the name of a member of Object.prototype', () => {
    const value: unknown = JSON.parse(
      '{"__proto__":{"isAdmin":true,"at":["\\u0000x"]},"constructor":1,"toString":[1]}',
    );
    const back = roundTrip(value) as { isAdmin?: unknown };
    expect(JSON.stringify(back)).toBe(JSON.stringify(value));
    expect(back.isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    // The same holds if a value in it is replaced by a decoded value.
    const dated = fromScriptJson('{"__proto__":["\\u0000d",5]}');
    expect(Object.getPrototypeOf(dated)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(dated, '__proto__')?.value).toEqual(new Date(5));
  });

  it.each([
    ['an instance', new Map()],
    ['a function', () => 1],
    ['a symbol', [Symbol('x')]],
    ['an object of a class', { a: new (class Point {})() }],
  ])('%s is refused', (_what, value) => {
    expect(() => toScriptJson(value)).toThrow(expect.objectContaining({ code: 'state-unsendable' }));
  });

  it('data that refers to itself, or is nested too deep, is a typed error', () => {
    const self: Record<string, unknown> = {};
    self['self'] = self;
    expect(() => toScriptJson(self)).toThrow('too deep');
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(() => toScriptJson(deep)).toThrow('too deep');
  });

  it('a text that toScriptJson did not write is a typed error', () => {
    expect(() => fromScriptJson('{')).toThrow(expect.objectContaining({ code: 'state-invalid' }));
    expect(() => fromScriptJson('["\\u0000b","x"]')).toThrow(expect.objectContaining({ code: 'state-invalid' }));
    expect(fromScriptJson('["\\u0000q",1]')).toBeUndefined();
  });
});

describe('a page with texts that want to break out of it', () => {
  it('is tested with at least two hundred such texts', () => {
    expect(new Set(breakouts).size).toBeGreaterThanOrEqual(200);
  });

  it('contains none of them unescaped, neither as pk, field, name of a field, argument, nonce nor id', async () => {
    const faults: string[] = [];
    for (const text of breakouts) faults.push(...(await breakoutFaults(text)));
    expect(faults).toEqual([]);
  });
});
