import { withDeadline } from '../endpoint/deadline.ts';
import type { Exchange } from '../endpoint/exchange.ts';
import type { Platform } from '../endpoint/platform.ts';
import { type Retry, withRetry } from '../endpoint/retry.ts';
import type { Caching } from './caching.ts';
import { checkOrigin, isConfidential, isRedirect, redirectRefused } from './guard.ts';
import type { ResponseMeta } from './infer-rest.ts';
import { markUnreachable, NetworkError } from './network-error.ts';
import { problemOf } from './problem.ts';
import { checkHeaders, hasHeader, headersRecord } from './request-init.ts';
import { failuresOf, isRepeatable } from './transience.ts';
import { originOf } from './url.ts';

/** What of an endpoint a request is made and sent with. */
export interface Sender {
  readonly name: string;
  readonly method: string;
  readonly urlPrefix: string;
  readonly origins: readonly string[];
  readonly platform: Platform;
  readonly timeout: number;
  readonly retry: Retry | undefined;
  readonly caching?: Caching | undefined;
  readonly exchange?: Exchange;
  readonly idempotencyKey?: boolean | string | (() => string) | undefined;
  readonly signal: AbortSignal | undefined;
  getRequestInit(body: unknown): RequestInit | Promise<RequestInit>;
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<unknown>;
  onResponse?(meta: ResponseMeta): void;
}

type Prepared = Omit<RequestInit, 'headers'> & { readonly headers: Record<string, string> };

/** Sends a request, more than once if the endpoint says so, and reads the response. It ends, one way or the other. */
export async function send(sender: Sender, url: string, body: unknown): Promise<unknown> {
  const { method, platform, timeout, exchange, retry = exchange?.retry ?? false } = sender;
  const what = `${method} ${sender.name}`;
  const init = await withDeadline(
    () => prepare(sender, url, body, what),
    { timeout, signal: either(sender.signal, exchange?.signal), what },
    platform,
  );
  const signal = either(init.signal, exchange?.signal);
  const attempt = async (): Promise<unknown> => {
    const leave = signal && (await exchange?.enter(String(originOf(url)), signal));
    try {
      return await withDeadline(
        (inner) => sendOnce(sender, url, { ...init, signal: inner }),
        { timeout, signal, what },
        platform,
      );
    } finally {
      leave?.();
    }
  };
  const isTriedAgain = isRepeatable(method, init.headers, init.body);
  return withRetry(attempt, isTriedAgain ? retry : false, failuresOf(platform), platform, signal);
}

function either(one: AbortSignal | null | undefined, other: AbortSignal | undefined): AbortSignal | null | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

/** Everything that is the same each time the request is sent. */
async function prepare(sender: Sender, url: string, body: unknown, what: string): Promise<Prepared> {
  const init = await sender.getRequestInit(body);
  const headers = headersRecord(await sender.getHeaders(headersRecord(init.headers)));
  const key = idempotencyKey(sender);
  if (key !== undefined && !hasHeader(headers, 'idempotency-key')) headers['Idempotency-Key'] = key;
  checkHeaders(headers, what);
  checkOrigin({ url, headers, body: init.body, what }, sender.urlPrefix, sender.origins);
  const { redirect = isConfidential({ headers, body: init.body }) ? 'error' : undefined } = init;
  return { ...init, headers, ...(redirect && { redirect }) };
}

async function sendOnce(sender: Sender, url: string, prepared: Prepared): Promise<unknown> {
  const { method, platform, exchange, caching } = sender;
  const request = exchange && caching && { method, url, what: `${method} ${sender.name}`, exchange };
  const extra = request ? caching.headers(request, prepared.headers) : {};
  const init: RequestInit = { ...prepared, headers: { ...prepared.headers, ...extra } };
  // With its default, a fetch would tell every cache on the way, and the server, to send all of it.
  if (method === 'GET' && Object.keys(extra).length > 0) init.cache ??= 'no-cache';
  const sentAt = platform.now();
  try {
    const response = await sender.fetchResponse(url, init);
    const { status, headers } = response;
    sender.onResponse?.({ url, method, status, headers, sentAt, receivedAt: platform.now() });
    if (request) caching.learn(request, response);
    return await sender.parseResponse(response);
  } catch (error) {
    throw request ? caching.failure(request, extra, error) : error;
  }
}

/** Sends a request once. Anything but a successful status is an error. */
export async function fetchSuccess(platform: Platform, url: string, init: RequestInit): Promise<Response> {
  const isGuarded = init.redirect === 'error';
  // With `error` a fetch would fail as if the network were down.
  const response = await markUnreachable(platform.fetch(url, isGuarded ? { ...init, redirect: 'manual' } : init));
  if (isGuarded && isRedirect(response)) throw redirectRefused(url);
  if (!response.ok) throw new NetworkError(response, { problem: await problemOf(response) });
  return response;
}

function idempotencyKey({ method, idempotencyKey: given, platform }: Sender): string | undefined {
  if (method === 'GET' || given === undefined || given === false) return undefined;
  if (typeof given === 'function') return given();
  return typeof given === 'string' ? given : randomKey(platform);
}

function randomKey(platform: Platform): string {
  return Array.from({ length: 32 }, () => Math.floor(platform.random() * 16).toString(16)).join('');
}
