import type { Random } from '../../oracle/random.ts';

const GOOD: readonly unknown[] = [
  '1',
  'a',
  0,
  42,
  -7,
  1.5,
  10n,
  true,
  false,
  Number.MAX_SAFE_INTEGER,
  'a b',
  'ä',
  '日本',
  '😀',
  'null',
  '...',
  '. .',
  '.a',
  'a..',
  "it's",
  'constructor',
  '__proto__',
];
/** Texts that would have another meaning if they were not encoded. All of them are allowed as one segment. */
const SHARP: readonly string[] = [
  '/',
  'a/b',
  '../..',
  '../../etc/passwd',
  '/../x',
  './.',
  '..;/',
  '..\\..\\x',
  '\\',
  '?',
  '?a=b',
  '&a=b',
  '#',
  '#top',
  '%',
  '%%',
  '%2e%2e',
  '%2e',
  '%2F',
  '%00',
  '%c0%ae',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '@evil.example',
  ':80',
  ':80@evil.example',
  'user:pass@evil.example',
  ' ',
  '\t',
  '\n',
  '\r\nX-Evil: 1',
  '\u0000',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u200b',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\u2024\u2024',
  '\uff0e\uff0e',
  '\uff0f',
  '\u3002\u3002',
  '{id}',
  ':id',
  '*',
  '(a+)+$',
  ';jsessionid=1',
  'a'.repeat(5000),
  '../'.repeat(200),
  '"><script>',
  '${7*7}',
  '<%= 1 %>',
];
/** Values that cannot be a segment. */
const BAD: readonly unknown[] = [
  '',
  '.',
  '..',
  null,
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2 ** 53,
  1e21,
  '\ud800',
  'a\udfffb',
  '\udc00\ud800',
  {},
  { toString: () => '..' },
  [],
  ['a'],
  new Date(0),
  new Map(),
  Symbol('x'),
  () => 'x',
];

/** Returns whether a value can be a segment of a path, by the rules of the documents. */
export function isSegment(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && value !== '.' && value !== '..' && isWellFormed(value);
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return typeof value === 'bigint' || typeof value === 'boolean';
}

/** Returns whether a text contains no half of a surrogate pair, so that it can be written in UTF-8. */
export function isWellFormed(text: string): boolean {
  return new TextDecoder().decode(new TextEncoder().encode(text)) === text.replace(/^\ufeff/, '');
}

export function drawValue(random: Random): unknown {
  const kind = random.weighted({ good: 5, sharp: 4, made: 2, bad: 0.7 });
  if (kind === 'good') return random.pick(GOOD);
  if (kind === 'sharp') return random.pick(SHARP);
  return kind === 'bad' ? random.pick(BAD) : drawText(random);
}

/** Draws a text of characters with and without a meaning in a URL. */
function drawText(random: Random): string {
  const chars = [
    '.',
    '/',
    '\\',
    '%',
    '2',
    'e',
    'E',
    'F',
    '?',
    '#',
    '&',
    '=',
    ':',
    '@',
    ' ',
    'a',
    'é',
    '😀',
    '\u0000',
    ';',
  ];
  return Array.from({ length: 1 + random.below(8) }, () => random.pick(chars)).join('');
}
