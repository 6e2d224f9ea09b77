import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLossless } from './lossless-json.ts';

describe('lossless JSON', () => {
  test.each([
    ['{"id":9007199254740993}', { id: '9007199254740993' }],
    [
      '[9007199254740991,9007199254740992,-9007199254740993]',
      [9007199254740991, '9007199254740992', '-9007199254740993'],
    ],
    ['[100000000000000000992,100000000000000000993]', ['100000000000000000992', '100000000000000000993']],
    ['18446744073709551615', '18446744073709551615'],
    [' -9223372036854775808 ', '-9223372036854775808'],
    ['{"a":"9007199254740993","b\\"9007199254740993":1}', { a: '9007199254740993', 'b"9007199254740993': 1 }],
    [
      '[1.5,1e3,12345678901234567.5,12345678901234568e2,0,-0]',
      [1.5, 1000, 12345678901234568, 1234567890123456800, 0, -0],
    ],
    [
      '[12345678901234568E2,1e+12345678901234567890,1e-12345678901234567890]',
      [1234567890123456800, Number.POSITIVE_INFINITY, 0],
    ],
    ['{"a\\\\":9007199254740993}', { 'a\\': '9007199254740993' }],
    ['null', null],
  ])('%s', (text, value) => {
    expect(parseLossless(text)).toEqual(value);
  });

  test.each([
    '012345678901234567890',
    '-012345678901234567890',
    '12345678901234567890x',
    '1234567890123456789-0',
    '"9007199254740993',
    '"\\',
    '',
    '{"a":}',
    '{12345678901234567890:1}',
    '{"a":1,-12345678901234567890 \n\t: 1}',
    '{12345678901234567890',
    '+12345678901234567890',
    '.12345678901234567890',
    '--12345678901234567890',
    '[1 12345678901234567890]',
    '["a"12345678901234567890]',
    '[12345678901234567890"a"]',
    '-',
  ])('%s is refused, as by JSON.parse', (text) => {
    expect(() => parseLossless(text)).toThrow(SyntaxError);
  });

  test('is the same as JSON.parse if all integers are safe', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!/\d{16}/.test(text));
        expect(parseLossless(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('accepts exactly the texts that JSON.parse accepts', () => {
    const parts = [
      '12345678901234567890',
      '-12345678901234567890',
      '1',
      '0',
      '.5',
      'e5',
      '-',
      '+',
      '"',
      '\\',
      '"a"',
      ':',
    ];
    const text = fc.array(fc.constantFrom(...parts, ',', '[', ']', '{', '}', ' ', '\n', '\u00a0', 'null', 'true'), {
      maxLength: 8,
    });
    const isJson = (parse: (given: string) => unknown, given: string): boolean => {
      try {
        parse(given);
        return true;
      } catch {
        return false;
      }
    };
    const around = fc.constantFrom(['', ''], ['[', ']'], ['{"a":', '}'], ['{', ':1}']);
    fc.assert(
      fc.property(text, around, (pieces, [before, after]) => {
        const given = `${before}${pieces.join('')}${after}`;
        expect(isJson(parseLossless, given)).toBe(isJson(JSON.parse, given));
      }),
      { numRuns: 20_000 },
    );
  });

  test('keeps any integer', () => {
    fc.assert(
      fc.property(fc.bigInt(), (id) => {
        const { read } = parseLossless(`{"read":${id}}`) as { read: number | string };
        expect(BigInt(read)).toBe(id);
      }),
      { numRuns: 2000 },
    );
  });

  test('parses a megabyte of digits, of quotes and of backslashes', () => {
    expect(parseLossless('9'.repeat(1_000_000))).toBe('9'.repeat(1_000_000));
    expect(() => parseLossless('"'.repeat(1_000_000))).toThrow(SyntaxError);
    expect(() => parseLossless(`"${'\\'.repeat(1_000_001)}`)).toThrow(SyntaxError);
    expect(parseLossless(`[${'9007199254740993,'.repeat(50_000)}1]`)).toHaveLength(50_001);
  });
});
