import { eitherSignal } from '../../std/cancelling.ts';
import { withDeadline } from '../endpoint/deadline.ts';
import type { Exchange, Refresh } from '../endpoint/exchange.ts';
import { isBareAnswer } from '../schema/bare-answer.ts';
import { isKey } from './retryable.ts';
import type { HeadersGiven, Platform } from '../../std/platform.ts';
import type { Retry } from '../endpoint/retry.ts';
import type { Caching } from './caching.ts';
import { checkOrigin, isConfidential } from './origin-guard.ts';
import type { ResponseMeta } from './infer-rest-options.ts';
import type { Content } from './parse-response.ts';
import type { RestCall } from './params-and-body.ts';
import { markUnreachable, NetworkError } from './network-error.ts';
import { errorDataOf } from './problem.ts';
import { createdAt, isCreating, readCreated } from './created-record.ts';
import { reasonsIn } from './refused-answer.ts';
import { fetchGuarded, type Fetcher, FOLLOWED } from './redirects.ts';
import { credentialsOf, withRefresh } from './refreshing.ts';
import {
  ACCEPT,
  checkHeaders,
  hasHeader,
  headersRecord,
  isStream,
  type PreparedInit,
  sentHeader,
} from './request-init.ts';
import { originOf } from './url.ts';
import type { AnyWire } from './wire-shape.ts';

/** The part of an endpoint that makes and sends its requests. */
export interface Sender {
  readonly name: string;
  readonly method: string;
  readonly schema?: unknown;
  readonly urlPrefix: string;
  readonly path: string;
  readonly origins: readonly string[];
  readonly platform: Platform;
  readonly timeout: number;
  readonly retry: Retry | false | undefined;
  readonly refresh?: Refresh | false | undefined;
  readonly content?: Content | undefined;
  readonly caching?: Caching | undefined;
  readonly exchange?: Exchange;
  readonly idempotencyKey?: boolean | string | (() => string) | undefined;
  readonly signal: AbortSignal | undefined;
  readonly wire?: AnyWire | undefined;
  getRequestInit(body: unknown, call: RestCall): RequestInit | Promise<RequestInit>;
  getHeaders(headers: Record<string, string>, call: RestCall): HeadersGiven | Promise<HeadersGiven>;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response, call: RestCall): Promise<unknown>;
  onResponse?(meta: ResponseMeta): void;
}

type Signal = AbortSignal | null | undefined;

/**
 * Sends a request and reads the response. Repeats the request if the endpoint has `retry` or `refresh`. The timeout applies to each step.
 */
export async function send(sender: Sender, url: string, call: RestCall): Promise<unknown> {
  const { body } = call;
  // Firefox and Safari, which lack this member, send the text "[object ReadableStream]" in place of a stream.
  // Bun, Deno and Cloudflare Workers lack it too, although they send streams.
  if (isStream(body) && !('duplex' in Request.prototype))
    return send(sender, url, { ...call, body: await new Response(body).blob() });
  const { method, platform, timeout, exchange, retry = exchange?.retry, refresh = exchange?.refresh } = sender;
  const what = `${method} ${sender.name}`;
  const inTime = <Value>(run: (inner: AbortSignal) => Promise<Value>, signal: Signal): Promise<Value> =>
    withDeadline(run, { timeout, signal, what }, platform);
  const credentials = refresh ? credentialsOf(refresh, exchange?.session) : undefined;
  /** How many times the credentials in the headers had been refreshed. */
  let refreshes = 0;
  const prepareNow = (until: Signal, earlier?: PreparedInit): Promise<PreparedInit> => {
    refreshes = credentials?.count ?? 0;
    return inTime(() => prepare(sender, url, call, what, earlier), until);
  };
  const first = await prepareNow(eitherSignal(sender.signal, exchange?.signal));
  const signal = eitherSignal(first.signal, exchange?.signal);
  let prepared: PreparedInit | undefined = first;

  const attempt = async (): Promise<unknown> => {
    // Headers are made again for each try, because credentials may have changed.
    const init = prepared ?? (await prepareNow(signal, first));
    prepared = undefined;
    const leave = signal && (await exchange?.enter(String(originOf(url)), signal));
    try {
      return await inTime((inner) => sendOnce(sender, url, { ...init, signal: inner }, call), signal);
    } finally {
      leave?.();
    }
  };
  // A stream that was read cannot be sent again.
  const isResendable = credentials !== undefined && !isStream(first.body);
  const authorized = isResendable
    ? () => withRefresh(attempt, (error) => inTime(() => credentials.renew(error, refreshes), signal))
    : attempt;
  let tries = 0;
  const sendAndCount = (): Promise<unknown> => {
    if (tries++ > 0 && exchange !== undefined) exchange.answered.isRepeated = true;
    return authorized();
  };
  return retry ? retry(sendAndCount, { ...first, method: first.method ?? method, platform, signal }) : authorized();
}

/** Returns the options of one try. Later tries keep the idempotency key of the `first`, so that the server recognizes the repeat. */
async function prepare(
  sender: Sender,
  url: string,
  call: RestCall,
  what: string,
  first?: PreparedInit,
): Promise<PreparedInit> {
  const init = await sender.getRequestInit(call.body, call);
  const headers = headersRecord(await sender.getHeaders(headersRecord(init.headers), call));
  const { content, wire } = sender;
  const isData = content === undefined || content === 'json';
  if (isData && !hasHeader(headers, 'accept')) headers['Accept'] = wire?.mediaType ?? ACCEPT;
  checkHeaders(headers, what);
  const key = first === undefined ? idempotencyKey(sender) : sentHeader(first.headers, 'idempotency-key');
  if (isKey(key) && (first !== undefined || !isKey(sentHeader(headers, 'idempotency-key')))) {
    for (const name of Object.keys(headers)) if (name.toLowerCase() === 'idempotency-key') delete headers[name];
    headers['Idempotency-Key'] = key;
    checkHeaders(headers, what);
  }
  const prepared: PreparedInit = { ...init, headers };
  if (!isConfidential(prepared)) return prepared;
  checkOrigin(sender, url, what);
  const isFollowed = prepared.redirect === undefined && (prepared.method ?? sender.method).toUpperCase() === 'GET';
  return { ...prepared, redirect: prepared.redirect ?? 'error', ...(isFollowed && { [FOLLOWED]: true }) };
}

function idempotencyKey({ method, idempotencyKey: given, platform }: Sender): unknown {
  if (method === 'GET') return false;
  if (given === true) return Array.from({ length: 32 }, () => Math.floor(platform.random() * 16).toString(16)).join('');
  return typeof given === 'function' ? given() : given;
}

async function sendOnce(sender: Sender, url: string, init: PreparedInit, call: RestCall): Promise<unknown> {
  const { method, exchange, caching, platform } = sender;
  const run = async (sent: RequestInit, learn?: (response: Response) => void): Promise<unknown> => {
    const sentAt = platform.now();
    const response = await sender.fetchResponse(url, sent);
    const { status, headers } = response;
    sender.onResponse?.({ url, method, status, headers, sentAt, receivedAt: platform.now() });
    learn?.(response);
    const value = await sender.parseResponse(response, call);
    const created = isCreating(method, status) && isBareAnswer(sender.schema, value, []) && createdAt(url, response);
    return created ? readCreated(sender, created, sent, value, call) : value;
  };
  return exchange && caching
    ? caching.send({ method, url, what: `${method} ${sender.name}`, exchange }, init, run)
    : run(init);
}

/** Sends a request once. Throws if the status is not a success. */
export async function fetchSuccess(
  fetcher: Fetcher & Pick<Sender, 'schema' | 'wire'> & { parseJson(text: string): unknown },
  url: string,
  init: RequestInit,
): Promise<Response> {
  const response = await markUnreachable(fetchGuarded(fetcher, url, init));
  if (response.ok) return response;
  const data = await errorDataOf(response, fetcher.parseJson);
  throw new NetworkError(response, { data, address: url, reasons: reasonsIn(fetcher, response, data) });
}
