import { afterAll, beforeAll, expect, test } from 'vitest';
import { Controller, Entity, RestEndpoint } from '../../src/index.ts';
import { type Listening, listening } from '../servers/listening.ts';

class Row extends Entity {
  id = 0;
  name = '';
  static override key = 'Row';
}

const ROWS = Array.from({ length: 50_000 }, (_, at) => ({ id: at + 1, name: `Zoë 日本 😀 ${at}` }));
const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const TWO = ROWS.slice(0, 2);
const BODIES: Readonly<Record<string, string>> = {
  many: linesOf(ROWS),
  one: linesOf(ROWS.slice(0, 1)),
  'kept-open': `\r\n${linesOf(TWO).replaceAll('\n', '\r\n\r\n')}`,
  sequence: TWO.map((row) => `\u{1e}${JSON.stringify(row)}\n`).join(''),
};
/** The message of the error. */
const cure = {
  content: 'text' as const,
  process: (text: string): unknown =>
    text
      // oxlint-disable-next-line no-control-regex -- application/json-seq begins each row with this character
      .split(/[\n\x1e]/)
      .filter((line) => line.trim())
      .map((line) => JSON.parse(line)),
};
const CURE =
  "set content: 'text' and process: (text) => " +
  String.raw`text.split(/[\n\x1e]/).filter((line) => line.trim()).map((line) => JSON.parse(line)).`;

/** A prime number, so that parts end at each byte of a row, also inside of characters. */
const PART = 7919;
let server: Listening;
beforeAll(async () => {
  // The address has the type and the name of the body.
  server = await listening(({ url = '' }, response) => {
    const [, type = '', body = ''] = url.split('/').map(decodeURIComponent);
    const bytes = Buffer.from(BODIES[body] ?? body);
    response.writeHead(200, { 'Content-Type': type });
    for (let at = 0; at < bytes.length; at += PART) response.write(bytes.subarray(at, at + PART));
    response.end();
  });
});
afterAll(() => server.close());

const getRows = (type: string, body: string) =>
  new RestEndpoint({
    urlPrefix: server.url,
    path: `/${encodeURIComponent(type)}/${body}`,
    schema: [Row],
  });

test.each([
  ['application/x-ndjson', 'many', 50_000],
  ['application/x-ndjson', 'one', 1],
  ['application/x-ndjson', 'kept-open', 2],
  ['application/stream+json', 'one', 1],
  ['text/plain', 'kept-open', 2],
  ['application/json', 'kept-open', 2],
  ['application/json-seq', 'sequence', 2],
])('lines of JSON are an error that names the option that reads them: %s, %s', async (type, body, count) => {
  const endpoint = getRows(type, body);
  await expect(new Controller().fetch(endpoint)).rejects.toThrow(CURE);
  expect(await new Controller().fetch(endpoint.extend(cure))).toEqual(ROWS.slice(0, count));
});

test.each([
  ['text/plain', '["cut off', "or set content: 'json'."],
  ['text/plain', '7', 'Without a schema it may be anything.'],
  ['application/json', '{"cut off', 'although its Content-Type says so. See'],
])('a text that only begins like JSON is not mistaken for lines of JSON: %s, %s', async (type, body, hint) => {
  await expect(new Controller().fetch(getRows(type, encodeURIComponent(body)))).rejects.toThrow(hint);
});

test('a body that the endpoint reads in another way is not mistaken for lines of JSON', async () => {
  const asText: object = { content: 'text' };
  const endpoint = getRows('application/json', 'one').extend(asText);
  await expect(new Controller().fetch(endpoint)).rejects.toThrow("or set content: 'json'.");
});
