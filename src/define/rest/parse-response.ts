import { DataError } from '../../std/data-error.ts';
import { kindOf, mediaType } from './media-type.ts';
import { markUnreachable, NetworkError } from './network-error.ts';

/** How a body is read, whatever its media type says. */
export type Content = 'json' | 'blob' | 'text' | 'arrayBuffer' | 'stream';

export interface Reading {
  readonly content: Content | undefined;
  /** What is read has to be data: a schema will file it, and nothing else looks at it before. */
  readonly isFiled: boolean;
  readonly parseJson: (text: string) => unknown;
  readonly what: string;
}

/** The body of a response: JSON as data, text as a string, anything else as a blob; `null` if there is none. */
export async function readResponse(response: Response, reading: Reading): Promise<unknown> {
  const { content, isFiled } = reading;
  if (content !== undefined && content !== 'json' && isFiled) throw contentInvalid(content, reading.what);
  if (response.status === 204) return null;
  const kind = content ?? kindOf(mediaType(response.headers));
  switch (kind) {
    case 'json':
      return readJson(response, reading);
    case 'blob':
      if (isFiled) throw notData(response, 400, `is ${mediaType(response.headers)}`, reading.what);
      return markUnreachable(response.blob());
    case 'arrayBuffer':
      return markUnreachable(response.arrayBuffer());
    case 'stream':
      return response.body;
    default:
      return readText(response, reading);
  }
}

/** `JSON.parse`, and nothing but the text for it. */
export function parseJson(text: string): unknown {
  return JSON.parse(text);
}

async function readJson(response: Response, reading: Reading): Promise<unknown> {
  const text = await markUnreachable(response.text());
  if (text === '') return null;
  try {
    return await reading.parseJson(text);
  } catch (cause) {
    throw new NetworkError(response, {
      code: 'response-unreadable',
      message: `The response to ${reading.what} is not JSON, though ${reading.content === 'json' ? 'the endpoint' : 'its Content-Type'} says so.`,
      status: 400,
      cause,
    });
  }
}

async function readText(response: Response, reading: Reading): Promise<unknown> {
  const text = await markUnreachable(response.text());
  if (!reading.isFiled) return text;
  if (text === '') return null;
  throw notData(response, 404, describeText(text, mediaType(response.headers)), reading.what);
}

function describeText(text: string, type: string): string {
  const says = type === '' ? 'without a Content-Type' : `of type ${type}`;
  switch (text.trimStart().charAt(0)) {
    case '<':
      return `looks like a page of HTML (${says}); the address may be wrong, so that a fallback page came`;
    case '{':
    case '[':
      return `looks like JSON but comes ${says}; correct the header on the server, or set content: 'json'`;
    default:
      return `is text ${says}`;
  }
}

function notData(response: Response, status: number, found: string, what: string): NetworkError {
  return new NetworkError(response, {
    code: 'response-unexpected',
    message: `The response to ${what} is to be JSON for its schema, but it ${found}. Without a schema it may be anything.`,
    status,
  });
}

function contentInvalid(content: Content, what: string): DataError {
  return new DataError(
    'content-invalid',
    `${what} has content: '${content}' and a schema, which files data only. Leave the schema undefined, or make data in ` +
      'process().',
  );
}
