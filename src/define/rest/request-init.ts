import { DataError } from '../../std/data-error.ts';
import { isPlain } from '../../std/plain.ts';

/** What of an endpoint its requests are made with. */
export interface RequestSource {
  readonly method: string;
  readonly requestInit: RequestInit | undefined;
  readonly signal: AbortSignal | undefined;
  readonly name: string;
}

/** The options of a request: the endpoint's own, its method, and a body, as JSON if it is data. */
export function requestInitOf(source: RequestSource, body: unknown): RequestInit {
  const { method, requestInit, signal } = source;
  const headers = headersRecord(requestInit?.headers);
  const init: RequestInit = { ...requestInit, method, headers };
  if (signal !== undefined) init.signal = signal;
  if (body === undefined) return init;
  if (!isData(body)) return { ...init, body: body as BodyInit };
  if (!hasHeader(headers, 'content-type')) headers['Content-Type'] = 'application/json';
  return { ...init, body: jsonOf(body, source) };
}

/** Headers as a plain object, which is easy to spread. */
export function headersRecord(headers: HeadersInit | undefined): Record<string, string> {
  if (headers === undefined) return {};
  const isList = Array.isArray(headers) || headers instanceof Headers;
  return isList ? Object.fromEntries(headers) : { ...headers };
}

export function hasHeader(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((given) => given.toLowerCase() === name);
}

/** Whether a body is sent as JSON. Everything that a fetch has a form of its own for, is sent in that form. */
function isData(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return isPlain(body) || !(ArrayBuffer.isView(body) || Symbol.asyncIterator in body || SENT_AS_IT_IS.has(tagOf(body)));
}

// Told by their tags: those of another realm, or of a polyfill, are no instances of the classes here.
const SENT_AS_IT_IS: ReadonlySet<string> = new Set([
  'ArrayBuffer',
  'Blob',
  'File',
  'FormData',
  'ReadableStream',
  'SharedArrayBuffer',
  'URLSearchParams',
]);

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function jsonOf(body: unknown, { method, name }: RequestSource): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new DataError(
      'body-invalid',
      `The body of ${method} ${name} cannot be JSON: ${(cause as Error).message}. Pass plain data without ` +
        'circles, a bigint as a string.',
      { cause },
    );
  }
}

/** Throws, naming the header, where a fetch would only say that something is wrong with one. */
export function checkHeaders(headers: Readonly<Record<string, string>>, what: string): void {
  const probe = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    try {
      probe.set(name, value);
    } catch (cause) {
      throw new DataError(
        'header-invalid',
        `A header of ${what} is not valid: ${JSON.stringify(name)}. Use plain words, and no line breaks.`,
        { path: name, cause },
      );
    }
  }
}
