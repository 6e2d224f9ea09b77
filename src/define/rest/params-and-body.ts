import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { Params } from './path-build.ts';

/** The part of an endpoint that decides whether its last argument is a body. */
export interface BodyRules {
  readonly name: string;
  readonly method: string;
  readonly body?: unknown;
}

/**
 * Returns whether calls have a body: all methods but GET, HEAD and DELETE do, unless `body: undefined` is set. A DELETE has one
 * only if `body` is set.
 */
function hasBody(endpoint: BodyRules): boolean {
  const { method, body } = endpoint;
  if (isBodiless(method)) return false;
  return body !== undefined || (method !== 'DELETE' && !('body' in endpoint));
}

/** Returns whether `fetch` refuses a body for a method. */
function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The arguments of a call: the parameters of the path and the query, and the body. */
export interface RestCall<P = Params, Body = unknown> {
  readonly params: P;
  readonly body: Body;
}

/** The arguments of a call, with those for `url()`. */
export interface CallParts extends RestCall {
  /** The arguments of `url()`: the parameters as they were passed, and the body. */
  readonly urlArgs: readonly unknown[];
}

/**
 * Splits the arguments of a call into parameters and body. The body is the last argument, and the parameters may be left out. A form, a
 * file or bytes are always a body.
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
  if (isBodiless(endpoint.method)) throw bodyUnexpected(endpoint, body);
  const given = body === first ? {} : first;
  return { params: paramsOf(given), body, urlArgs: [given, body] };
}

/** Returns whether a value is a body that `fetch` accepts, and that is never parameters. */
export function isBodyForm(value: unknown): boolean {
  // By the tag, because in another realm the class is another one. By the class, because those of React Native and of test pages have no tag.
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return (
    ArrayBuffer.isView(value) ||
    BODY_FORMS.has(tag) ||
    [Blob, FormData, URLSearchParams].some((form) => value instanceof form)
  );
}
const BODY_FORMS: ReadonlySet<string> = new Set([
  'ArrayBuffer',
  'Blob',
  'File',
  'FormData',
  'ReadableStream',
  'URLSearchParams',
]);

function bodyUnexpected({ method, name }: BodyRules, body: unknown): DataError {
  const form = Object.prototype.toString.call(body).slice('[object '.length, -1);
  return new DataError('body-unexpected', `${method} ${name} was called with a ${form}, but a ${method} has no body.`, {
    cure: inDevelopment(() => "Pass search parameters as a plain object, or give the endpoint the method 'POST'."),
  });
}

/** Returns the parameters of a call, or {} if there are none. */
export function paramsOf(params: unknown): Params {
  return typeof params === 'object' && params !== null ? (params as Params) : {};
}

/**
 * Returns a text with the names of the lists that an address does not show: an empty one is not sent, and one value is sent as without a list. The lists of
 * records of such calls differ, so their request keys must differ too.
 */
export function shortLists(params: Params): string {
  const names = Object.keys(params).filter((name) => Array.isArray(params[name]) && params[name].length < 2);
  return names.length === 0 ? '' : ` [${names.sort().join()}]`;
}
