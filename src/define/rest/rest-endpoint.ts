import { fallBack } from '../../std/fall-back.ts';
import { derived } from '../endpoint/callable.ts';
import { CallableEndpoint } from '../endpoint/endpoint.ts';
import type { Exchange, Refresh } from '../endpoint/exchange.ts';
import { type HeadersGiven, type Platform, platform } from '../../std/platform.ts';
import { checkRetry, type Retry } from '../endpoint/retry.ts';
import { isBareAnswer, isSoleRecord } from '../schema/bare-answer.ts';
import { type StandardSchema, validateWith } from '../../std/standard-schema.ts';
import { argsKey } from '../../std/args-key.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { warn } from '../../std/warn.ts';
import type { Caching } from './caching.ts';
import { checkOptions } from './check-options.ts';
import type { HasPath } from './infer-args.ts';
import type { RestEndpointConstructor, RestEndpointInstance } from './infer-rest.ts';
import type { ResponseMeta } from './infer-rest-options.ts';
import { processEmpty, impliedRecords } from './implied-record.ts';
import { listChangeOf, paginated } from './list-endpoints.ts';
import type { RemoveCursor } from '../schema/collection-options.ts';
import { BatchAnswer, BatchError, Outcomes } from './outcomes.ts';
import { paramsAndBody, paramsOf, type RestCall, shortLists } from './params-and-body.ts';
import { type Content, parseJson, readResponse } from './parse-response.ts';
import type { Params } from './path-build.ts';
import { checkCreated, checkInside, checkPresence } from './check-envelope.ts';
import { matchesPath } from './path-match.ts';
import { checkRefused } from './refused-answer.ts';
import { requestInitOf } from './request-init.ts';
import { isCutOff } from './retryable.ts';
import { fetchSuccess, send } from './send.ts';
import { addressOf, searchToString, withSearch } from './url.ts';
import type { AnyWire } from './wire-shape.ts';
import type { Fields } from '../../std/plain.ts';
import { thrown } from '../../std/thrown.ts';

/** The class `RestEndpoint` at run time. Its public type is `RestEndpointConstructor`. */
class CallableRestEndpoint extends CallableEndpoint {
  declare readonly path: string;
  declare readonly urlPrefix: string;
  declare readonly method: string;
  declare readonly sideEffect: boolean | undefined;
  declare readonly schema: unknown;
  declare readonly body?: unknown;
  declare readonly content: Content | undefined;
  declare readonly requestInit: RequestInit | undefined;
  declare readonly signal: AbortSignal | undefined;
  declare readonly timeout: number;
  declare readonly retry: Retry | false | undefined;
  declare readonly refresh?: Refresh | false | undefined;
  declare readonly caching: Caching | undefined;
  declare readonly exchange?: Exchange;
  declare readonly idempotencyKey?: boolean | string | (() => string) | undefined;
  declare readonly parseJson: (text: string) => unknown;
  declare readonly origins: readonly string[];
  declare readonly platform: Platform;
  declare readonly paginationField: string | undefined;
  declare readonly wire?: AnyWire | undefined;
  declare readonly onResponse?: (meta: ResponseMeta) => void;

  constructor(options: Fields) {
    super(undefined, options);
    checkEndpoint(this, options);
  }

  override invoke(...args: readonly unknown[]): Promise<unknown> {
    const { validate } = this;
    const isOwn = this.fetch === CallableRestEndpoint.prototype.fetch;
    return isOwn || validate === undefined ? this.fetch(...args) : fetchAndValidate(this, validate, args);
  }

  override async fetch(...args: readonly unknown[]): Promise<unknown> {
    const { params, body, urlArgs } = paramsAndBody(this, args);
    if (body === undefined) checkUnsent(this, args);
    const answer = await send(this, this.url(...urlArgs), { params, body });
    const what = `${this.method} ${this.name}`;
    if (!(answer instanceof BatchAnswer)) return processResponse(this, answer, what, args);
    const { count, refused, values, isUnreadable } = new Outcomes(answer, body, this);
    if (isUnreadable) throw answer.unreadable(what);
    const error = refused.length > 0 ? new BatchError(refused, count, what) : undefined;
    // A controller stores the accepted items before it throws this error.
    if (error !== undefined && (this.exchange === undefined || values.length === 0)) throw error;
    if (this.exchange !== undefined) this.exchange.answered.refused = error;
    try {
      return await processResponse(this, values, what, args);
    } catch (cause) {
      throw thrown(cause).code === 'pk-missing' ? answer.unreadable(what, cause) : cause;
    }
  }

  /** Returns the response that a bare answer implies. A controller calls it if there was no guess. */
  impliedResponse(...args: readonly unknown[]): unknown {
    return impliedRecords(this, args);
  }

  /** Returns the tag of the version that a call would change if it was sent now. An outbox keeps it with a call that waits. */
  tagOf(...args: readonly unknown[]): string | undefined {
    const { caching, exchange, method } = this;
    return exchange && caching?.tagOf?.({ method, url: this.url(...paramsAndBody(this, args).urlArgs), exchange });
  }

  url(...[params]: readonly unknown[]): string {
    if (typeof this.path !== 'string') throw pathMissing();
    const { address, rest } = addressOf(this.urlPrefix, this.path, paramsOf(params));
    return Object.keys(rest).length === 0 ? address : withSearch(address, this.searchToString(rest));
  }

  searchToString(params: Params): string {
    return searchToString(this.wire?.search?.(params) ?? params);
  }

  override key(...args: readonly unknown[]): string {
    const { params, body, urlArgs } = paramsAndBody(this, args);
    const request = `${this.method} ${this.url(...urlArgs)}${shortLists(params)}`;
    // Two reads of one address with different bodies are different requests.
    const isPartOfKey = body !== undefined && !this.sideEffect;
    return isPartOfKey ? `${request} ${argsKey([body], `the body of ${this.method} ${this.name}`)}` : request;
  }

  override testKey(key: string): boolean {
    const start = `${this.method} ${this.urlPrefix}`;
    if (!key.startsWith(start)) return false;
    const [path = ''] = key.slice(start.length).split(QUERY_OR_BODY, 1);
    return matchesPath(this.path, path);
  }

  getRequestInit(body?: unknown, call?: RestCall): RequestInit | Promise<RequestInit> {
    return requestInitOf(this, body, call);
  }

  getHeaders(headers: Record<string, string>, _call?: RestCall): HeadersGiven | Promise<HeadersGiven> {
    return headers;
  }

  fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return fetchSuccess(this, url, init);
  }

  async parseResponse(response: Response, call?: RestCall): Promise<unknown> {
    const { content, parseJson: parse, schema, wire } = this;
    // A `process()` of the endpoint can turn any response into data.
    const isProcessed = this.process !== CallableRestEndpoint.prototype.process;
    const isOfRecords = schema !== undefined && schema !== null && typeof schema !== 'string';
    const hasSchema = isOfRecords && !isProcessed;
    const isChange = Boolean(this.sideEffect);
    const what = `${this.method} ${this.name}`;
    const answer = await readResponse(response, { content, parseJson: parse, hasSchema, isChange, what });
    if (isChange && response.status === 207 && answer !== null) return new BatchAnswer(answer, response.headers);
    // The deletion of a resource processes answers by the function `read`.
    const { read: processes = this.process } = Object(this.process) as { readonly read?: unknown };
    if (isChange && isOfRecords && processes === CallableRestEndpoint.prototype.process)
      checkRefused(this, response, answer, what);
    try {
      const read: unknown = wire === undefined || answer === null ? answer : wire.read(answer, this, response.headers);
      // PostgREST answers a mutation of one record with a list of that record.
      const isSole = isChange && hasSchema && call && !Array.isArray(call.body) && isSoleRecord(schema, read);
      return isSole ? (read as readonly unknown[])[0] : read;
    } catch (error) {
      // A plain word, such as OK, has no records for the wire to read.
      if (isChange && isBareAnswer(schema, answer, [])) return answer;
      throw error;
    }
  }

  process(value: unknown, ..._args: readonly unknown[]): unknown {
    return value;
  }

  errorPolicy(error: unknown): 'soft' | undefined {
    const { status, code } = thrown(error);
    return (typeof status === 'number' && status >= 500) || code === 'request-timeout' || isCutOff(error)
      ? 'soft'
      : undefined;
  }

  override extend(options: Fields): this {
    const extended = derived(this, options);
    // A new method decides again whether there is a side effect.
    if ('method' in options && !('sideEffect' in options)) Reflect.deleteProperty(extended, 'sideEffect');
    // A DELETE does not inherit the body of another method.
    if (options['method'] === 'DELETE' && !('body' in options)) Reflect.deleteProperty(extended, 'body');
    checkEndpoint(extended, options);
    return extended;
  }

  get getPage(): this | undefined {
    return this.paginationField === undefined ? undefined : this.paginated(this.paginationField);
  }

  paginated(cursor: string | RemoveCursor): this {
    return paginated(this, cursor);
  }
}

setDefaults(CallableRestEndpoint.prototype);

/** Defaults are on the prototype: class fields would be set after the options, and would override them. Not in a static block: for React Native, Babel compiles none. */
function setDefaults(prototype: CallableRestEndpoint): void {
  Object.assign(prototype, { urlPrefix: '', timeout: 30_000, parseJson, origins: [], platform });
  fallBack(prototype, 'name', ({ urlPrefix, path }) => urlPrefix + path);
  fallBack(prototype, 'method', (self) => (isWriting(self) ? 'POST' : 'GET'));
  fallBack(prototype, 'sideEffect', ({ method }) => (method === 'GET' ? undefined : true));
  for (const name of ['push', 'unshift', 'assign', 'remove', 'move'] as const)
    fallBack(prototype, name, (self) => listChangeOf(self, name));
}

/** Calls the `fetch` of an application, and validates what it returns. If it calls that of the class, that has validated the response. */
async function fetchAndValidate(
  endpoint: CallableRestEndpoint,
  validate: StandardSchema,
  args: readonly unknown[],
): Promise<unknown> {
  let isValidated = false;
  const get = (): StandardSchema => {
    isValidated = true;
    return validate;
  };
  const value = await (Object.create(endpoint, { validate: { get } }) as CallableRestEndpoint).fetch(...args);
  if (isValidated || isEmptyAnswer(endpoint, value, args)) return value;
  return validateWith(validate, value, `What ${endpoint.name} fetched`);
}

/** Returns whether the answer to a mutation has no body, or only a word. */
function isEmptyAnswer(
  { sideEffect, schema }: CallableRestEndpoint,
  value: unknown,
  args: readonly unknown[],
): boolean {
  return Boolean(sideEffect) && isBareAnswer(schema, value, args) && Object(value) !== value;
}

/** Validates and processes a response, and checks it against the schema. */
async function processResponse(
  endpoint: CallableRestEndpoint,
  read: unknown,
  what: string,
  args: readonly unknown[],
): Promise<unknown> {
  const { schema, validate } = endpoint;
  const isEmpty = isEmptyAnswer(endpoint, read, args);
  const isRefusable = validate !== undefined && !isEmpty;
  const value: unknown = isRefusable ? await validateWith(validate, read, `The response to ${what}`) : read;
  const made: unknown = isEmpty ? await processEmpty(endpoint, value, args) : await endpoint.process(value, ...args);
  // The answer of a mutation may hold no records.
  if (endpoint.sideEffect && isBareAnswer(schema, made, args)) return made;
  checkPresence(schema, made, what);
  if (endpoint.sideEffect) checkCreated(schema, made, args);
  else checkInside(schema, made, what);
  return made;
}

/** The start of the query, or of the body, in a request key. */
const QUERY_OR_BODY = /\?| \[/;

/** Returns whether an endpoint without a method is a mutation. */
function isWriting(self: CallableRestEndpoint): boolean {
  return (Object.hasOwn(self, 'sideEffect') && self.sideEffect === true) || self.body !== undefined;
}

/** Warns if a call has a second argument that is not sent, unless `url` or `process` is overridden and may use it. */
function checkUnsent(endpoint: CallableRestEndpoint, [, second]: readonly unknown[]): void {
  warn(endpoint, 'argument-unsent', () => {
    const { method, name, url, process } = endpoint;
    const { prototype } = CallableRestEndpoint;
    // The deletion of a resource processes answers by the function `read`.
    const { read = process } = process as { readonly read?: unknown };
    const isUsed = url !== prototype.url || read !== prototype.process;
    if (isUsed || Object(second) !== second || Object.keys(second as object).length === 0) return undefined;
    return (
      `${method} ${name} was called with { ${Object.keys(second as object).join(', ')} } after its parameters, which it does not send. ` +
      `Pass ${method === 'GET' || method === 'HEAD' ? 'search parameters in the first argument' : 'it to an endpoint with the option body'}.`
    );
  });
}

function checkEndpoint(endpoint: CallableRestEndpoint, options: Fields): void {
  checkRetry(options['retry']);
  checkMethod(endpoint);
  inDevelopment(() => {
    checkContent(endpoint);
    const { path, urlPrefix } = endpoint;
    checkOptions(Object.getPrototypeOf(endpoint) as object, { ...options, path, urlPrefix });
  });
}

/** Throws if a method is not in capital letters. The endpoint would count as a mutation, and some servers refuse such a method. */
function checkMethod({ method, name }: { readonly method: unknown; readonly name: string }): void {
  const given = String(method);
  const due = given.toUpperCase();
  if (method !== due)
    throw new DataError('method-case', `The method of ${name} is '${given}', which is not an HTTP method.`, {
      cure: inDevelopment(() => `Write '${due}'.`),
    });
}

/** Warns if a response that is not read as JSON has a schema, unless `process` is overridden. */
function checkContent(endpoint: CallableRestEndpoint): void {
  warn(endpoint, 'content-not-json', () => {
    const { content = 'json', schema, method, name, process } = endpoint;
    const hasSchema = typeof schema === 'function' || (typeof schema === 'object' && schema !== null);
    if (content === 'json' || !hasSchema || process !== CallableRestEndpoint.prototype.process) return undefined;
    return (
      `${method} ${name} has a schema, but reads its response as ${content}, which no schema can normalize. Remove one of them, ` +
      'or convert the response in process().'
    );
  });
}

function pathMissing(): DataError {
  return new DataError('path-missing', 'A RestEndpoint has no path.', {
    cure: inDevelopment(() => 'Give it the option path, such as /posts/:id.'),
  });
}

/**
 * An endpoint over HTTP. A call runs its methods in this order: `url`, `getRequestInit`, `getHeaders`, `fetchResponse`, `parseResponse`,
 * `process`. Override any of them in a subclass or as an option.
 */
// A cast, because TypeScript has no classes whose instances can be called.
export const RestEndpoint: RestEndpointConstructor = CallableRestEndpoint as unknown as RestEndpointConstructor;
export type RestEndpoint<O extends HasPath = { readonly path: string }> = RestEndpointInstance<O>;
