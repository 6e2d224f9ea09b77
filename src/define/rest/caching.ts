import type { Exchange, Version } from '../endpoint/exchange.ts';
import { keepAsTold } from './cache-control.ts';
import { NetworkError } from './network-error.ts';
import { hasHeader } from './request-init.ts';

export interface HttpCachingOptions {
  /** A GET names the version that is stored, and what has not changed is not sent again. Default: true. */
  readonly conditional?: boolean;
  /** A mutation names the version that it changes, and is refused when there is a newer one. Default: true. */
  readonly ifMatch?: boolean;
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
  /** The headers to send beside those of the endpoint. */
  headers(request: CachedRequest, given: Readonly<Record<string, string>>): Record<string, string>;
  /** Learns from a response, before it is read. Throws for one that has nothing to read. */
  learn(request: CachedRequest, response: Response): void;
  /** The error for a request that failed, with what was sent because of this. */
  failure(request: CachedRequest, sent: Readonly<Record<string, string>>, error: unknown): unknown;
}

/**
 * `ETag` and `Last-Modified`, `If-None-Match` and `304`, `If-Match` and `412`, `Cache-Control`: the option `caching` of a
 * REST endpoint. Works for requests of a controller, where there is a stored answer. Between origins, the server has to
 * allow the headers and expose `ETag`.
 */
export function httpCaching(options: HttpCachingOptions = {}): Caching {
  const { conditional = true, ifMatch = true, cacheControl = true } = options;
  return {
    headers({ method, url, exchange }, given) {
      if (method === 'GET') {
        const stored = conditional ? exchange.stored() : undefined;
        if (stored?.url !== url || hasHeader(given, 'if-none-match')) return {};
        exchange.answered.version = stored;
        return conditions(stored);
      }
      const known = ifMatch ? exchange.version(`GET ${url}`) : undefined;
      const etag = known?.url === url ? known.etag : undefined;
      // A weak tag says that two versions are worth the same, and not that they are the same.
      const isStrong = etag !== undefined && !etag.startsWith('W/');
      return isStrong && !hasHeader(given, 'if-match') ? { 'If-Match': etag } : {};
    },

    learn({ method, url, exchange: { answered, key } }, response) {
      const { status, headers } = response;
      // A fetchResponse() of the application may let it pass.
      if (status === 304) throw new NetworkError(response);
      const isRead = method === 'GET';
      // What several requests were made for is a version of none of them.
      const isOnly = answered.version === undefined || answered.version.url === url;
      answered.version = { url: isOnly ? url : '', key: isRead ? key : `GET ${url}`, ...tagsOf(headers) };
      if (isRead && cacheControl) keepAsTold(answered, headers);
    },

    failure({ what, exchange: { answered } }, sent, error) {
      const { status } = Object(error) as { readonly status?: unknown };
      if (isEmpty(sent)) return error;
      if (status === 304) answered.isUnchanged = true;
      if (!(error instanceof NetworkError)) return error;
      if (status === 304 && cacheControl) keepAsTold(answered, error.response.headers);
      return status === 412 ? conflict(what, error) : error;
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

function isEmpty(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).length === 0;
}

function conflict(what: string, { response, problem, cause }: NetworkError): NetworkError {
  return new NetworkError(response, {
    code: 'version-conflict',
    message: `${what} was refused, because there is a newer version than the one that was read. Fetch it again, then repeat the change.`,
    problem,
    cause,
  });
}
