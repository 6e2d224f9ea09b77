import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain } from '../../std/plain.ts';
import type { HeadersGiven } from '../../std/platform.ts';
import { isBodyForm, type RestCall } from './params-and-body.ts';
import type { AnyWire, WireEndpoint } from './wire-shape.ts';

/** The part of an endpoint that its requests are made from. */
export interface RequestSource extends WireEndpoint {
  readonly requestInit: RequestInit | undefined;
  readonly signal: AbortSignal | undefined;
  readonly wire?: AnyWire | undefined;
}

/** The options of a request, with its headers as a plain object. */
export type PreparedInit = Omit<RequestInit, 'headers'> & { readonly headers: Record<string, string> };

/** The default `Accept` header: prefers JSON, then text, then anything. */
export const ACCEPT = 'application/json, text/plain;q=0.9, */*;q=0.8';

/** Returns the options of a request: those of the endpoint, the method, and the body. Data is sent as JSON. */
export function requestInitOf(source: RequestSource, body: unknown, call?: RestCall): RequestInit {
  const { method, requestInit, signal, wire } = source;
  const headers = headersRecord(requestInit?.headers);
  const init: RequestInit = { ...requestInit, ...(signal && { signal }), method, headers };
  const written = isData(body) ? (wire?.write?.(body, source, call) ?? body) : body;
  if (isData(written)) {
    if (!hasHeader(headers, 'content-type')) headers['Content-Type'] = wire?.mediaType ?? 'application/json';
    init.body = jsonOf(written, source);
  } else if (written !== undefined) init.body = written as BodyInit;
  // Without `duplex`, `fetch` does not send a stream.
  if (isStream(body)) return { duplex: 'half', ...init } as RequestInit;
  return init;
}

export function isStream(body: unknown): body is ReadableStream {
  return 'getReader' in Object(body);
}

type HeadersRecord = Record<string, string>;

/** Returns headers as a plain object, without those that are `undefined` or `null`. */
export function headersRecord(headers: HeadersGiven | undefined): HeadersRecord {
  const isIterable = Symbol.iterator in Object(headers);
  const given: Iterable<readonly [string, unknown]> = isIterable ? (headers as Headers) : Object.entries(headers ?? {});
  return Object.fromEntries([...given].filter(([, value]) => value !== undefined && value !== null)) as HeadersRecord;
}

/** Returns a header as it is sent. Names that differ only in case are one header, and their values are joined. */
export function sentHeader(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  const values = Object.entries(headers).filter(([given]) => given.toLowerCase() === name);
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ');
}

export function hasHeader(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((given) => given.toLowerCase() === name);
}

/** Returns whether a body is sent as JSON. Bodies that `fetch` accepts, such as forms and blobs, are sent as they are. */
function isData(body: unknown): body is object {
  if (typeof body !== 'object' || body === null) return false;
  return isPlain(body) || !(Symbol.asyncIterator in body || isBodyForm(body));
}

function jsonOf(body: unknown, { method, name }: RequestSource): string {
  try {
    return JSON.stringify(body, refuseLost);
  } catch (cause) {
    throw new DataError('body-invalid', `The body of ${method} ${name} cannot be JSON: ${(cause as Error).message}.`, {
      cause,
      cure: inDevelopment(
        () =>
          'Pass plain data without circles, numbers and dates that are valid, a bigint as a string, Object.fromEntries(map) for a Map, [...set] for a Set, and a FormData with all fields for a file.',
      ),
    });
  }
}

/** Refuses values in place of which JSON would have an empty object or null. */
function refuseLost(this: unknown, field: string, value: unknown): unknown {
  const lost =
    typeof value === 'object' && value !== null
      ? lostKind(value)
      : typeof value === 'number' && !Number.isFinite(value)
        ? String(value)
        : // An invalid Date says that its JSON is null.
          value === null && Reflect.get(Object(this) as object, field) instanceof Date
          ? 'an invalid Date'
          : undefined;
  if (lost !== undefined) throw new TypeError(`${field || 'it'} is ${lost}`);
  return value;
}

/** Returns the kind of an object whose content JSON does not have. */
function lostKind(value: object): string | undefined {
  // The JSON of bytes has them all.
  if (isPlain(value) || ArrayBuffer.isView(value)) return undefined;
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return ['Map', 'Set', 'Promise'].includes(tag) || isBodyForm(value) ? `a ${tag}` : undefined;
}

/** Throws an error that names an invalid header. The error of `fetch` does not name it. */
export function checkHeaders(headers: Readonly<Record<string, string>>, what: string): void {
  const probe = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    try {
      probe.set(name, value);
    } catch (cause) {
      throw new DataError('header-invalid', `A header of ${what} is not valid: ${JSON.stringify(name)}.`, {
        path: name,
        cause,
        cure: inDevelopment(() => 'Use plain words, and no line breaks.'),
      });
    }
  }
}
