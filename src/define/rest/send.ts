import { withDeadline } from '../endpoint/deadline.ts';
import type { Platform } from '../endpoint/platform.ts';
import { type Retry, withRetry } from '../endpoint/retry.ts';
import { checkOrigin, isConfidential, isRedirect, redirectRefused } from './guard.ts';
import type { ResponseMeta } from './infer-rest.ts';
import { markUnreachable, NetworkError } from './network-error.ts';
import { problemOf } from './problem.ts';
import { checkHeaders, hasHeader, headersRecord } from './request-init.ts';
import { failuresOf, isRepeatable } from './transience.ts';

/** What of an endpoint a request is made and sent with. */
export interface Sender {
  readonly name: string;
  readonly method: string;
  readonly urlPrefix: string;
  readonly origins: readonly string[];
  readonly platform: Platform;
  readonly timeout: number;
  readonly retry: Retry;
  readonly idempotencyKey?: boolean | string | (() => string) | undefined;
  readonly signal: AbortSignal | undefined;
  getRequestInit(body: unknown): RequestInit | Promise<RequestInit>;
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<unknown>;
  onResponse?(meta: ResponseMeta): void;
}

type Prepared = RequestInit & { readonly headers: Record<string, string> };

/** Sends a request, more than once if the endpoint says so, and reads the response. It ends, one way or the other. */
export async function send(sender: Sender, url: string, body: unknown): Promise<unknown> {
  const { method, platform, timeout, retry, signal } = sender;
  const what = `${method} ${sender.name}`;
  const init = await withDeadline(() => prepare(sender, url, body, what), { timeout, signal, what }, platform);
  const attempt = (): Promise<unknown> =>
    withDeadline(
      (inner) => exchange(sender, url, { ...init, signal: inner }),
      { timeout, signal: init.signal, what },
      platform,
    );
  const isTriedAgain = isRepeatable(method, init.headers, init.body);
  return withRetry(attempt, isTriedAgain ? retry : false, failuresOf(platform), platform, init.signal);
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

async function exchange(sender: Sender, url: string, init: RequestInit): Promise<unknown> {
  const { method, platform } = sender;
  const sentAt = platform.now();
  const response = await sender.fetchResponse(url, init);
  const { status, headers } = response;
  sender.onResponse?.({ url, method, status, headers, sentAt, receivedAt: platform.now() });
  return sender.parseResponse(response);
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
