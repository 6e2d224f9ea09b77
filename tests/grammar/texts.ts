import {
  camelCase,
  camelCaseKeys,
  convertKeys,
  cursorIn,
  DataError,
  ExtendableEndpoint,
  fileNameOf,
  getUrlBase,
  getUrlTokens,
  linkTo,
  parseContentDisposition,
  parseInSlices,
  parseLinkHeader,
  parseLossless,
  platform,
  readFile,
  renameKeys,
  restoreKeys,
  safeFileName,
  serverSentEvents,
  snakeCase,
  snakeCaseKeys,
  StreamRefusedError,
  webSocket,
  withDeadline,
  withLink,
  withRetry,
  RestEndpoint,
  NetworkError,
  hookifyResource,
  resource,
  type StreamSource,
  Entity,
} from 'rejoin';
import { fromScriptJson, toScriptJson } from 'rejoin/ssr';
import type { Random } from '../oracle/random.ts';
import { alike, BrokenLaw, show } from './compare.ts';

const letters = [
  'a',
  'B',
  '_',
  '-',
  '/',
  '\\',
  '"',
  "'",
  '<',
  '>',
  ';',
  ',',
  '=',
  ' ',
  '%',
  '.',
  'é',
  '\u2028',
  '\n',
  '</script>',
  '{',
  '}',
  '[',
  ']',
  ':',
  '0',
  '9',
];
const drawText = (random: Random): string =>
  Array.from({ length: random.below(12) }, () => random.pick(letters)).join('');

function drawJson(random: Random, depth = 3): unknown {
  const kind = random.below(depth > 0 ? 6 : 4);
  if (kind === 0) return drawText(random);
  if (kind === 1) return random.below(1000) - 500;
  if (kind === 2) return random.chance(0.5);
  if (kind === 3) return null;
  const size = random.below(4);
  if (kind === 4) return Array.from({ length: size }, () => drawJson(random, depth - 1));
  return Object.fromEntries(Array.from({ length: size }, (_, at) => [`field_${at}_of`, drawJson(random, depth - 1)]));
}

/** Runs something that may refuse its input, with an error that has a type. */
async function typed(what: string, input: unknown, run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    // Parsers refuse what is not JSON as `JSON.parse` does.
    if (error instanceof DataError || (error instanceof SyntaxError && what === 'parseLossless')) return undefined;
    throw new BrokenLaw('L8', `${what}(${show(input)}) threw an error without a type: ${show(error)}`);
  }
}

function same(what: string, input: unknown, one: unknown, other: unknown): void {
  if (!alike(one, other, new Map()))
    throw new BrokenLaw('L1', `${what} of ${show(input)}: ${show(one)} is not ${show(other)}`);
}

type Check = (random: Random) => void | Promise<void>;

const checks: readonly Check[] = [
  (random) => {
    const value = drawJson(random);
    same('fromScriptJson(toScriptJson(value))', value, fromScriptJson(toScriptJson(value)), value);
    if (/<\/script/i.test(toScriptJson(value)))
      throw new BrokenLaw('L8', `toScriptJson lets a script end: ${show(value)}`);
  },
  async (random) => {
    const value = drawJson(random);
    const text = JSON.stringify(value);
    const clock = { now: () => 0, setTimeout: (run: () => void) => queueMicrotask(run) };
    same('parseInSlices', text, await parseInSlices(text, { pieceLength: 3, platform: clock }), value);
    same('parseLossless', text, parseLossless(text), value);
  },
  (random) => {
    const value = drawJson(random);
    same('snakeCaseKeys(camelCaseKeys(value))', value, snakeCaseKeys(camelCaseKeys(value)), value);
    same(
      'convertKeys',
      value,
      convertKeys(value, (name) => name),
      value,
    );
    const names = { field_0_of: 'first', field_1_of: 'second' };
    same('restoreKeys(renameKeys(value))', value, restoreKeys(renameKeys(value, names), names), value);
    if (snakeCase(camelCase('a_field')) !== 'a_field') throw new BrokenLaw('L1', 'a_field does not come back');
  },
  async (random) => {
    const text = drawText(random);
    await typed('parseLinkHeader', text, () => parseLinkHeader(text));
    await typed('linkTo', text, () => linkTo(text, 'next'));
    await typed('cursorIn', text, () => cursorIn(text, 'cursor'));
    await typed('parseContentDisposition', text, () => parseContentDisposition(text));
    await typed('parseLossless', text, () => parseLossless(text));
    await typed('getUrlTokens', text, () => getUrlTokens(text));
    await typed('getUrlBase', text, () => getUrlBase(text)({ a: 'b' }));
    const names = [
      await typed('fileNameOf', text, () => fileNameOf(`attachment; filename="${text}"`)),
      safeFileName(text),
    ];
    for (const name of names)
      if (typeof name === 'string' && /[/\\]/.test(name))
        throw new BrokenLaw('L8', `a file name with a way in it: ${show(name)}`);
  },
  async (random) => {
    const body = drawJson(random);
    const response = new Response(JSON.stringify(body), {
      headers: { link: '</a?cursor=5>; rel="next"', 'content-disposition': 'attachment; filename=a.txt' },
    });
    await typed('withLink', body, () => withLink(response, body));
    await typed('readFile', body, () => readFile(response));
  },
  async (random) => {
    let left = random.below(3);
    const attempt = (): Promise<number> =>
      left-- > 0 ? Promise.reject(new DataError('again', 'Not yet.')) : Promise.resolve(5);
    const soon = { ...platform, setTimeout: (run: () => void) => queueMicrotask(run) };
    await typed('withRetry', left, () =>
      withRetry(attempt, { limit: 1 }, { isTransient: () => true, delayAsked: () => undefined }, soon),
    );
    const given = withDeadline(
      (signal) => (signal.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve(5)),
      { timeout: 50, what: 'A program' },
      soon,
    );
    await typed('withDeadline', 50, () => given);
  },
  async (random) => {
    const status = random.pick([200, 204, 404, 500]);
    const refused = await endOf(
      serverSentEvents('https://api.example.com/events', {
        platform: { fetch: () => Promise.resolve(new Response(null, { status })) },
      }),
    );
    if (status === 404 && !(refused instanceof StreamRefusedError))
      throw new BrokenLaw('L8', `a stream was refused with ${show(refused)}`);
    await endOf(webSocket('wss://api.example.com', { WebSocket: ClosedSocket }));
  },
  async (random) => {
    const text = drawText(random);
    const endpoint = new RestEndpoint({
      urlPrefix: 'https://api.example.com',
      path: '/things/:id',
      schema: Thing,
      platform: { ...platform, fetch: () => Promise.resolve(new Response(text, { status: random.pick([200, 404]) })) },
    });
    await typed('endpoint', text, () => endpoint({ id: text }));
    const things = resource({ urlPrefix: 'https://api.example.com', path: '/things/:id', schema: Thing });
    const { useGet } = hookifyResource(things, () => ({ headers: { a: 'b' } })) as unknown as {
      useGet: () => typeof things.get;
    };
    same('the key of a hook', text, useGet().key({ id: '5' }), things.get.key({ id: '5' }));
    if (new ExtendableEndpoint(() => Promise.resolve(5), { name: 'a' }).extend({ name: 'b' }).key() === undefined)
      throw new BrokenLaw('L1', 'no key');
    const failed = new NetworkError(new Response('', { status: 404 }));
    if (failed.status !== 404) throw new BrokenLaw('L8', 'the status of an error is another');
  },
];

class Thing extends Entity {
  id = '';
  static override key = 'Thing';
}

class ClosedSocket {
  addEventListener(type: string, listener: (event: object) => void): void {
    if (type === 'close') queueMicrotask(() => listener({ code: 1000, reason: '' }));
  }
  send(): void {}
  close(): void {}
}

/** Why a stream ended. */
const endOf = (source: StreamSource): Promise<unknown> =>
  new Promise((resolve) => {
    source(
      {
        opened: () => resolve(undefined),
        message: () => {},
        alive: () => {},
        retryAfter: () => {},
        closed: ({ error }) => resolve(error),
      },
      undefined,
    );
  });

/** Passes texts and values to the functions that read and write them. */
export async function checkTexts(random: Random): Promise<void> {
  for (let step = 0; step < 4; step++)
    // oxlint-disable-next-line no-await-in-loop -- one check after another
    await random.pick(checks)(random);
}
