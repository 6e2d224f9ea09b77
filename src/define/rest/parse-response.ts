import { inDevelopment } from '../../std/development.ts';
import { bodyKind, mediaType } from './media-type.ts';
import { markUnreachable, NetworkError } from './network-error.ts';

/** How a body is read. The media type does not count. */
export type Content = 'json' | 'blob' | 'text' | 'arrayBuffer' | 'stream';

export interface ParseOptions {
  readonly content: Content | undefined;
  /** Whether a schema reads the response next, so that the response must be data. */
  readonly hasSchema: boolean;
  /** Whether this is the answer of a mutation, for which a word such as OK is allowed. */
  readonly isChange: boolean;
  readonly parseJson: (text: string) => unknown;
  readonly what: string;
}

/** Returns the body of a response: JSON as data, text as a string, anything else as a blob, `null` if there is none. */
export async function readResponse(response: Response, reading: ParseOptions): Promise<unknown> {
  const { content, hasSchema, isChange, what } = reading;
  const isEmpty = [204, 205].includes(response.status) || (hasSchema && response.headers.get('content-length') === '0');
  if (isEmpty) return null;
  const kind = content ?? bodyKind(mediaType(response.headers));
  const isText = kind === 'json' || kind === 'text';
  if (hasSchema && !isText) throw dataInvalid(response, kind, what);
  if (kind === 'stream') return response.body;
  const body: unknown = await markUnreachable<unknown>(response[kind === 'json' ? 'text' : kind]());
  // Rails answers some mutations with a space.
  if (typeof body === 'string' && body.trim() === '' && (hasSchema || kind === 'json')) return null;
  const isWord = isChange && !'<{['.includes(String(body).trimStart().charAt(0));
  if (kind === 'json') return parseAs(body as string, response, reading, isWord);
  if (hasSchema && !isWord) throw dataInvalid(response, kind, what, body as string);
  return body;
}

/** `JSON.parse` without its second parameter. */
export function parseJson(text: string): unknown {
  return JSON.parse(text);
}

async function parseAs(
  text: string,
  response: Response,
  { parseJson: parse, what, content }: ParseOptions,
  isWord: boolean,
): Promise<unknown> {
  try {
    return await parse(text);
  } catch (cause) {
    // Spring sends a text as it is, although it says that it is JSON.
    if (isWord) return text;
    throw new NetworkError(response, {
      code: 'response-unreadable',
      message: `The response to ${what} is not JSON, although ${content === 'json' ? 'the endpoint' : 'its Content-Type'} says so.`,
      cure: hintOf(undefined, text),
      status: 400,
      data: text,
      cause,
    });
  }
}

function dataInvalid(response: Response, kind: Content, what: string, text?: string): NetworkError {
  const type = mediaType(response.headers);
  return new NetworkError(response, {
    code: 'response-unexpected',
    message: `The response to ${what} must be JSON for its schema, but is read as ${kind} (of type '${type}').`,
    cure: hintOf(type, text),
    status: 400,
    data: text,
  });
}

/* oxlint-disable unicorn/consistent-function-scoping -- a production bundle has none of what is inside the callback */

/** Guesses from a body why it cannot be read, and says what to write. Without `type`, the body should be JSON and is not. */
function hintOf(type: string | undefined, text = ''): string | undefined {
  return inDevelopment(() => {
    const areLines = (): boolean => {
      const lines = text.trim();
      try {
        return typeof JSON.parse(lines.slice(0, lines.indexOf('\n'))) === 'object';
      } catch {
        return false;
      }
    };
    // A type with `json` that is read as text has several documents in one body.
    if ((type?.includes('json') === true && bodyKind(type) === 'text') || areLines())
      return (
        "It looks like lines of JSON (NDJSON); set content: 'text' and " +
        'process: (text) => text.split(/[\\n\\x1e]/).filter((line) => line.trim()).map((line) => JSON.parse(line)).'
      );
    if (type === undefined) return '';
    switch (text.trimStart().charAt(0)) {
      case '<':
        return type.includes('xml') && !type.includes('html')
          ? 'It looks like XML; convert it to records in process() of the endpoint.'
          : 'It looks like a page of HTML; the address may be wrong.';
      case '{':
      case '[':
        return "It looks like JSON; correct its Content-Type, or set content: 'json'.";
      default:
        return 'Without a schema it may be anything.';
    }
  });
}
