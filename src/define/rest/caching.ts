import type { Exchange, Version } from '../endpoint/exchange.ts';
import type { Loose } from '../schema/infer-schema.ts';
import { applyCacheControl } from './cache-control.ts';
import { NetworkError } from './network-error.ts';
import { hasHeader, type PreparedInit } from './request-init.ts';
import { memo } from '../../std/memo.ts';
import { thrown } from '../../std/thrown.ts';

type SentHeaders = Readonly<Record<string, string>>;

interface NewerTag {
  readonly than: string | undefined;
  readonly tag: string;
}

/** The options of `httpCaching`. */
export interface HttpCachingOptions {
  /** A GET sends the version of the stored answer, so that the server can answer 304 without a body. Default: true. */
  readonly conditional?: boolean;
  /**
   * A mutation sends the version that it changes, and the server refuses it if there is a newer one. Default: true. `'weak'` also sends
   * weak tags, for servers that have no others, such as those of OData. A function returns the tag of the stored record.
   */
  readonly ifMatch?: boolean | 'weak' | ((record: Loose) => string | undefined);
  /** Uses `Cache-Control` of a response as the time for which its answer is fresh. Default: true. */
  readonly cacheControl?: boolean;
}

/** A request for which caching adds headers. */
export interface CachedRequest {
  readonly method: string;
  readonly url: string;
  /** Names the request in errors. */
  readonly what: string;
  readonly exchange: Exchange;
}

/** HTTP caching of an endpoint. */
export interface Caching {
  /**
   * Sends a request with the headers of caching, and stores the version and freshness of the response. `run` sends and reads; it must call
   * `noteVersion` before it reads. Rejects with the error of `run`, or with one that explains a conflict of versions.
   */
  send(
    request: CachedRequest,
    init: PreparedInit,
    run: (init: PreparedInit, noteVersion: (response: Response) => void) => Promise<unknown>,
  ): Promise<unknown>;
  /** Returns the tag of the version that a mutation would change if it was sent now. */
  tagOf?(request: Omit<CachedRequest, 'what'>): string | undefined;
}

/**
 * The option `caching` of a REST endpoint: uses `ETag` and `Last-Modified`, `If-None-Match` and `304`, `If-Match` and `412`, and
 * `Cache-Control`. Works only for requests of a controller, because it needs a stored answer. For another origin, the server has to allow
 * these request headers and expose `ETag`.
 */
export function httpCaching(options: HttpCachingOptions = {}): Caching {
  const { conditional = true, ifMatch = true, cacheControl = true } = options;
  const tags = typeof ifMatch === 'function' ? new RecordTags(ifMatch) : undefined;

  const conditionsOf = ({ method, url, exchange }: CachedRequest, given: SentHeaders): SentHeaders => {
    if (method === 'GET') {
      const stored = conditional ? exchange.stored() : undefined;
      if (stored?.url !== url || hasHeader(given, 'if-none-match')) return {};
      exchange.answered.version = stored;
      return conditions(stored);
    }
    const { basedOn = tagOf({ method, url, exchange }) ?? '' } = exchange;
    return basedOn === '' || hasHeader(given, 'if-match') ? {} : { 'If-Match': basedOn };
  };

  const tagOf = (request: Omit<CachedRequest, 'what'>): string | undefined => {
    const { url, exchange } = request;
    if (ifMatch === false || isCreate(request)) return undefined;
    return tags ? tags.latest(url, exchange) : tagToMatch(exchange.version(`GET ${url}`), url, ifMatch === 'weak');
  };

  const noteVersion = ({ method, url, exchange }: CachedRequest, response: Response): void => {
    const { answered, key } = exchange;
    const { status, headers } = response;
    // The default `fetchResponse()` throws for 304, but one of the application may return it.
    if (status === 304) throw new NetworkError(response);
    const isRead = method === 'GET';
    if (!isRead) tags?.note(url, exchange, headers.get('etag'));
    // If one call made several requests, its answer has no single version.
    const isOnly = answered.version === undefined || answered.version.url === url;
    answered.version = { url: isOnly ? url : '', key: isRead ? key : `GET ${url}`, ...tagsOf(headers) };
    if (isRead && cacheControl) applyCacheControl(answered, headers);
  };

  const failure = ({ what, exchange: { answered } }: CachedRequest, error: unknown): unknown => {
    const { status } = thrown(error);
    if (status === 304) answered.isUnchanged = true;
    if (!(error instanceof NetworkError)) return error;
    if (status === 304 && cacheControl) applyCacheControl(answered, error.response.headers);
    return status === 412 ? conflict(what, error) : error;
  };

  return {
    tagOf,
    async send(request, given, run) {
      const added = conditionsOf(request, given.headers);
      const isConditional = Object.keys(added).length > 0;
      const init: PreparedInit = { ...given, headers: { ...given.headers, ...added } };
      // With the default cache mode, `fetch` would add headers that make caches and the server send the full body.
      if (request.method === 'GET' && isConditional) init.cache ??= 'no-cache';
      try {
        return await run(init, (response) => noteVersion(request, response));
      } catch (error) {
        throw isConditional ? failure(request, error) : error;
      }
    },
  };
}

/** A create changes no version: the tag of its address is that of the list, or of the record that was created before. */
function isCreate({ method, exchange }: Pick<CachedRequest, 'method' | 'exchange'>): boolean {
  return method === 'POST' && exchange.record?.() === undefined;
}

/** Returns the tag of a version at an address, if a server accepts it in `If-Match`. */
function tagToMatch(version: Version | undefined, url: string, isWeakSent: boolean): string | undefined {
  const etag = version?.url === url ? version.etag : undefined;
  // A weak tag says that two versions are equivalent, not that they are identical, so servers refuse it in `If-Match`.
  return isWeakSent || etag?.startsWith('W/') === false ? etag : undefined;
}

/** The tags of records, for `ifMatch` as a function. */
class RecordTags {
  readonly #tagOf: (record: Loose) => string | undefined;
  /** By session and address: the tag that a mutation was answered with. An answer without a body leaves the older tag in the record. */
  readonly #newer = new WeakMap<object, Map<string, NewerTag>>();

  constructor(tagOf: (record: Loose) => string | undefined) {
    this.#tagOf = tagOf;
  }

  latest(url: string, exchange: Exchange): string | undefined {
    const tag = this.#stored(exchange);
    const newer = this.#newer.get(exchange.session)?.get(url);
    return newer?.than === tag ? newer?.tag : tag;
  }

  note(url: string, exchange: Exchange, tag: string | null): void {
    const { session } = exchange;
    if (tag !== null) memo(this.#newer, session, () => new Map()).set(url, { than: this.#stored(exchange), tag });
  }

  #stored({ record }: Exchange): string | undefined {
    const stored = record?.();
    return stored === undefined ? undefined : this.#tagOf(stored);
  }
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
