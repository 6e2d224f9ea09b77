import type { Exchange, Version } from '../endpoint/exchange.ts';
import type { Loose } from '../schema/infer-schema.ts';
import { keepAsTold } from './cache-control.ts';
import { NetworkError } from './network-error.ts';
import { hasHeader, type PreparedInit } from './request-init.ts';
import { thrown } from '../../std/thrown.ts';

type Sent = Readonly<Record<string, string>>;

export interface HttpCachingOptions {
  /** A GET names the version that is stored, and what has not changed is not sent again. Default: true. */
  readonly conditional?: boolean;
  /**
   * A mutation names the version that it changes, and is refused when there is a newer one. Default: true. `'weak'`: also where
   * the server names versions by weak tags alone, as those of OData do. A function gives the tag of the stored record.
   */
  readonly ifMatch?: boolean | 'weak' | ((record: Loose) => string | undefined);
  /** `Cache-Control` says for how long an answer is fresh. Default: true. */
  readonly cacheControl?: boolean;
}

/** A request that caching has a say in. */
export interface CachedRequest {
  readonly method: string;
  readonly url: string;
  /** What it is, for errors. */
  readonly what: string;
  readonly exchange: Exchange;
}

/** What of HTTP's own ways with stored answers an endpoint uses. */
export interface Caching {
  /**
   * Sends a request with what it has to say besides, and learns from the response before it is read. `run` sends and
   * reads; its error is passed on, or another that says more.
   */
  send(
    request: CachedRequest,
    init: PreparedInit,
    run: (init: PreparedInit, learn: (response: Response) => void) => Promise<unknown>,
  ): Promise<unknown>;
}

/**
 * `ETag` and `Last-Modified`, `If-None-Match` and `304`, `If-Match` and `412`, `Cache-Control`: the option `caching` of a
 * REST endpoint. Works for requests of a controller, where there is a stored answer. Between origins, the server has to
 * allow the headers and expose `ETag`.
 */
export function httpCaching(options: HttpCachingOptions = {}): Caching {
  const { conditional = true, ifMatch = true, cacheControl = true } = options;

  const conditionsOf = ({ method, url, exchange }: CachedRequest, given: Sent): Sent => {
    if (method === 'GET') {
      const stored = conditional ? exchange.stored() : undefined;
      if (stored?.url !== url || hasHeader(given, 'if-none-match')) return {};
      exchange.answered.version = stored;
      return conditions(stored);
    }
    const etag = hasHeader(given, 'if-match') ? undefined : tagToMatch(url, exchange);
    return etag === undefined ? {} : { 'If-Match': etag };
  };

  const tagToMatch = (url: string, exchange: Exchange): string | undefined => {
    if (typeof ifMatch === 'function') {
      const record = exchange.record?.();
      return record === undefined ? undefined : ifMatch(record);
    }
    const known = ifMatch ? exchange.version(`GET ${url}`) : undefined;
    const etag = known?.url === url ? known.etag : undefined;
    // A weak tag says that two versions are worth the same, and not that they are the same.
    return ifMatch === 'weak' || etag?.startsWith('W/') === false ? etag : undefined;
  };

  const learn = ({ method, url, exchange: { answered, key } }: CachedRequest, response: Response): void => {
    const { status, headers } = response;
    // A fetchResponse() of the application may let it pass.
    if (status === 304) throw new NetworkError(response);
    const isRead = method === 'GET';
    // What several requests were made for is a version of none of them.
    const isOnly = answered.version === undefined || answered.version.url === url;
    answered.version = { url: isOnly ? url : '', key: isRead ? key : `GET ${url}`, ...tagsOf(headers) };
    if (isRead && cacheControl) keepAsTold(answered, headers);
  };

  const failure = ({ what, exchange: { answered } }: CachedRequest, error: unknown): unknown => {
    const { status } = thrown(error);
    if (status === 304) answered.isUnchanged = true;
    if (!(error instanceof NetworkError)) return error;
    if (status === 304 && cacheControl) keepAsTold(answered, error.response.headers);
    return status === 412 ? conflict(what, error) : error;
  };

  return {
    async send(request, given, run) {
      const told = conditionsOf(request, given.headers);
      const isTold = Object.keys(told).length > 0;
      const init: PreparedInit = { ...given, headers: { ...given.headers, ...told } };
      // With its default, a fetch would tell every cache on the way, and the server, to send all of it.
      if (request.method === 'GET' && isTold) init.cache ??= 'no-cache';
      try {
        return await run(init, (response) => learn(request, response));
      } catch (error) {
        throw isTold ? failure(request, error) : error;
      }
    },
  };
}

function tagsOf(headers: Headers): Pick<Version, 'etag' | 'lastModified'> {
  return { etag: headers.get('etag') ?? undefined, lastModified: headers.get('last-modified') ?? undefined };
}

function conditions({ etag, lastModified }: Version): Record<string, string> {
  return {
    ...(etag !== undefined && { 'If-None-Match': etag }),
    ...(lastModified !== undefined && { 'If-Modified-Since': lastModified }),
  };
}

function conflict(what: string, { response, data, cause }: NetworkError): NetworkError {
  return new NetworkError(response, {
    code: 'version-conflict',
    message: `${what} was refused, because there is a newer version than the one that was read. Fetch it again, then repeat the change.`,
    data,
    cause,
  });
}
