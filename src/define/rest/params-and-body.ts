import { DataError } from '../../std/data-error.ts';
import type { Params } from './path-build.ts';

/** What of an endpoint decides whether its last argument is a body. */
export interface BodyRules {
  readonly name: string;
  readonly method: string;
  readonly body?: unknown;
}

/** A body is sent with every method but GET, unless the endpoint says `body: undefined`; with DELETE where it says what body. */
function hasBody(endpoint: BodyRules): boolean {
  const { method, body } = endpoint;
  if (method === 'GET') return false;
  return body !== undefined || (method !== 'DELETE' && !('body' in endpoint));
}

/** The arguments of a call by their meaning: parameters of the path and the query, and the body. */
export interface RestCall<P = Params, Body = unknown> {
  readonly params: P;
  readonly body: Body;
}

/** The arguments of a call, and what its address is made of. */
export interface CallParts extends RestCall {
  /** What `url()` gets: the params as they were passed, and the body. */
  readonly urlArgs: readonly unknown[];
}

/**
 * The arguments of a call by their meaning. Where there is a body it is the last one; the params may be left out. A form, a file or
 * bytes are a body also where the endpoint says that it has none.
 */
export function paramsAndBody(endpoint: BodyRules, args: readonly unknown[]): CallParts {
  const [first, second] = args;
  if (hasBody(endpoint)) {
    const given = args.length < 2 ? {} : first;
    const body = args.length < 2 ? first : second;
    return { params: paramsOf(given), body, urlArgs: [given, body] };
  }
  const body = args.find(isBodyForm);
  if (body === undefined) return { params: paramsOf(first), body, urlArgs: args.length === 0 ? [{}] : args };
  if (endpoint.method === 'GET') throw bodyUnexpected(endpoint.name, body);
  const given = body === first ? {} : first;
  return { params: paramsOf(given), body, urlArgs: [given, body] };
}

/** Whether a value is one of the forms of a body that a fetch knows, and that are never parameters. */
function isBodyForm(value: unknown): boolean {
  // By its tag: of another realm, or of a polyfill, it is no instance of the classes here.
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return ArrayBuffer.isView(value) || BODY_FORMS.has(tag);
}
const BODY_FORMS: ReadonlySet<string> = new Set([
  'ArrayBuffer',
  'Blob',
  'File',
  'FormData',
  'ReadableStream',
  'URLSearchParams',
]);

function bodyUnexpected(name: string, body: unknown): DataError {
  const form = Object.prototype.toString.call(body).slice('[object '.length, -1);
  return new DataError(
    'body-unexpected',
    `GET ${name} was called with a ${form}, and a GET has no body. Pass search parameters as a plain object, or give the endpoint ` +
      "the method 'POST'.",
  );
}

/** The first argument of a call, where it has parameters. */
export function paramsOf(params: unknown): Params {
  return typeof params === 'object' && params !== null ? (params as Params) : {};
}
