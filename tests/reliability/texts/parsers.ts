import { applyCacheControl } from '../../../src/define/rest/cache-control.ts';
import { decodeExtended, MAX_HEADER_LENGTH } from '../../../src/define/rest/header-reader.ts';
import { bodyKind, mediaType } from '../../../src/define/rest/media-type.ts';
import { NetworkError } from '../../../src/define/rest/network-error.ts';
import { errorDataOf } from '../../../src/define/rest/problem.ts';
import { retryAfter } from '../../../src/define/rest/retryable.ts';
import { withoutCredentials } from '../../../src/std/data-error.ts';
import {
  camelCase,
  camelCaseKeys,
  cursorIn,
  fileNameOf,
  getUrlBase,
  getUrlTokens,
  parseContentDisposition,
  parseInSlices,
  parseLinkHeader,
  parseLossless,
  RestEndpoint,
  safeFileName,
  snakeCase,
  snakeCaseKeys,
} from '../../../src/index.ts';

type Texts = Readonly<Record<string, (length: number) => string>>;

/** A parser, and the texts that would be slowest for a bad parser. */
export interface Parser {
  readonly name: string;
  readonly parse: (text: string) => unknown;
  readonly texts: Texts;
  /** The length of the shorter text. Default: 1 MB. */
  readonly length?: number;
  /** Runs before each measurement. */
  readonly prepare?: () => void;
}

const repeated =
  (piece: string, before = '', after = ''): ((length: number) => string) =>
  (length) =>
    before + piece.repeat(Math.floor(length / piece.length)) + after;

/** Texts for every parser. */
const ANY: Texts = {
  letters: repeated('a'),
  spaces: repeated(' '),
  'spaces and a letter': repeated(' ', '', 'x'),
  quotes: repeated('"'),
  'an open quote': repeated('a', '"'),
  backslashes: repeated('\\'),
  'escaped quotes': repeated('\\"', '"'),
  percents: repeated('%'),
  'percents and digits': repeated('%41'),
  slashes: repeated('/'),
  dots: repeated('../'),
  controls: repeated('\u0000'),
  'letters of other scripts': repeated('ä日😀'),
  'halves of pairs': repeated('\ud800'),
};

const HEADER: Texts = {
  ...ANY,
  semicolons: repeated(';'),
  'semicolons and spaces': repeated('; '),
  'names without values': repeated(';a'),
  'names with open quotes': repeated(';a="'),
  'names of their own': (length) =>
    Array.from({ length: Math.ceil(length / 12) }, (_, at) => `;n${at}=v`)
      .join('')
      .slice(0, length),
  'the same name': repeated(';filename=a', 'attachment'),
  'an extended value': repeated('%e2%82%ac', "attachment; filename*=UTF-8''"),
  'a long name in quotes': repeated('a.', 'attachment; filename="', '"'),
  'open angles': repeated('<'),
  angles: repeated('<>,'),
  links: repeated('<https://a.example/?page=2>; rel="next", '),
  'links with open quotes': repeated('<a>;rel="'),
  commas: repeated(','),
  'equals signs': repeated('='),
};

const JSONS: Texts = {
  ...ANY,
  'a long string': repeated('a', '"', '"'),
  'a string of escapes': repeated('\\\\', '"', '"'),
  'a long number': repeated('1'),
  'many long numbers': repeated('12345678901234567890,', '[', '1]'),
  'minus signs': repeated('-'),
  'digits and signs': repeated('1e+-.'),
  // Depth is not tested, because the parser of the platform reads data of any depth.
  'lists in lists': repeated('[["a word and another",1234567,"one more"]],', '[', '[]]'),
  'records in records': repeated('{"a":{"b":{}}},', '[', '{}]'),
  'open records': repeated('{"a":1,', '[{}'),
  'a list of records': repeated('{"id":12345678901234567,"name":"x y"},', '[', '{}]'),
};

const TEMPLATES: Texts = {
  ...ANY,
  params: repeated('/:a'),
  'params without slashes': repeated(':a'),
  wildcards: repeated('/*a'),
  groups: repeated('{/:a}'),
  'groups in groups': repeated('{/a'),
  colons: repeated(':'),
  'open names': repeated('a', ':"'),
  parentheses: repeated('('),
};

const KEYS: Texts = {
  ...ANY,
  underscores: repeated('_'),
  joints: repeated('_a'),
  capitals: repeated('A'),
  'capitals and underscores': repeated('A_a_'),
};

const MESSAGES: Texts = {
  ...ANY,
  'signs of a user': repeated('@', '//'),
  'a long user': repeated('a', '//'),
  addresses: repeated('//a:b@c'),
  'addresses without users': repeated('//a.b '),
};

const half = MAX_HEADER_LENGTH / 2;

/** Reads a text, and ignores typed errors. Any other error is thrown. */
const attempt =
  (read: (text: string) => unknown) =>
  (text: string): unknown => {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) throw error;
      return error;
    }
  };

const headersWith = (name: string, value: string): Headers =>
  ({ get: (asked: string) => (asked === name ? value : null) }) as Headers;

let count = 0;
/** Up to 2,000 templates are cached. After 2,000 others, a template is not in the cache any more. */
const forgetTemplates = (): void => {
  for (let left = 2000; left > 0; left--) getUrlTokens(`/${++count}`);
};
const fresh = { prepare: forgetTemplates, length: half };

/** Records whose keys are the text. They are made outside of the measured time, at the first use. */
const recordsOf = (text: string): readonly object[] => {
  const known = recorded.get(text);
  if (known !== undefined) return known;
  const records: object[] = [];
  for (let at = 0; at < text.length; at += 64) records.push({ [text.slice(at, at + 64)]: at });
  if (recorded.size === 3) recorded.clear();
  recorded.set(text, records);
  return records;
};
const recorded = new Map<string, readonly object[]>();

async function errorWith(body: string): Promise<NetworkError> {
  const response = new Response(body, { headers: { 'Content-Type': 'application/problem+json' } });
  return new NetworkError(response, { data: await errorDataOf(response, JSON.parse) });
}
const searching = new RestEndpoint({ urlPrefix: 'https://api.example', path: '/a/:b{/c/:d}/*rest' });

/** All parsers of the library that read text of servers or other users. */
export const parsers: readonly Parser[] = [
  { name: 'an error message', parse: withoutCredentials, texts: MESSAGES },
  { name: 'a path template', parse: attempt((text) => getUrlTokens(text)), texts: TEMPLATES, ...fresh },
  {
    name: 'a path template that is filled',
    parse: attempt((text) => getUrlBase(text)({ a: '1' })),
    texts: TEMPLATES,
    ...fresh,
  },
  { name: 'a parameter of a path', parse: attempt((id) => getUrlBase('/a/:id')({ id })), texts: ANY },
  {
    name: 'a request key',
    parse: (text) => searching.testKey(`GET https://api.example/a/${text}`),
    texts: ANY,
    length: half,
  },
  { name: 'Content-Disposition', parse: parseContentDisposition, texts: HEADER },
  { name: 'Content-Disposition, just not too long', parse: parseContentDisposition, texts: HEADER, length: half },
  { name: 'the name of a file in a header', parse: (text) => fileNameOf(text), texts: HEADER, length: half },
  { name: 'the name of a file', parse: safeFileName, texts: ANY },
  { name: 'an extended value', parse: (text) => decodeExtended(`UTF-8''${text}`), texts: ANY },
  { name: 'Link', parse: parseLinkHeader, texts: HEADER },
  { name: 'Link, just not too long', parse: parseLinkHeader, texts: HEADER, length: half },
  { name: 'a cursor in a Link', parse: (text) => cursorIn(text, 'page'), texts: HEADER, length: half },
  { name: 'a media type', parse: (text) => bodyKind(mediaType(headersWith('content-type', text))), texts: HEADER },
  { name: 'Cache-Control', parse: (text) => applyCacheControl({}, headersWith('cache-control', text)), texts: HEADER },
  {
    name: 'Cache-Control, just not too long',
    parse: (text) => applyCacheControl({}, headersWith('cache-control', text)),
    texts: HEADER,
    length: 500,
  },
  { name: 'Retry-After', parse: (text) => retryAfter(text, 0), texts: { ...ANY, digits: repeated('1') } },
  { name: 'JSON with long integers', parse: attempt(parseLossless), texts: JSONS },
  { name: 'JSON in slices', parse: (text) => parseInSlices(text).catch(() => undefined), texts: JSONS },
  { name: 'the body of an error', parse: errorWith, texts: JSONS },
  // The case of a megabyte of keys is below. A single key is shorter.
  { name: 'a key for camelCase', parse: camelCase, texts: KEYS, length: 2 ** 17 },
  { name: 'a key for snake_case', parse: snakeCase, texts: KEYS, length: 2 ** 17 },
  { name: 'a record for camelCase', parse: attempt((text) => camelCaseKeys(recordsOf(text))), texts: KEYS },
  { name: 'a record for snake_case', parse: attempt((text) => snakeCaseKeys(recordsOf(text))), texts: KEYS },
];
