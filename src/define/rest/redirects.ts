import type { Platform } from '../../std/platform.ts';
import { checkOrigin, type Guarded, isConfidential, isOnlyAuthorized, redirectRefused } from './origin-guard.ts';
import { headersRecord, isStream, type PreparedInit } from './request-init.ts';
import { originOf, parsedUrl } from './url.ts';

/** The part of an endpoint that fetches. */
export interface Fetcher extends Guarded {
  readonly platform: Pick<Platform, 'fetch'>;
}

/** The same limit as in browsers. */
const MAX_REDIRECTS = 20;

/** In the options of a request: follow redirects to allowed origins only. Copies of the options keep it. */
export const FOLLOWED: unique symbol = Symbol('followed');

/** The options of a request for `fetchGuarded`. A plain `fetch` ignores the symbol and, with `redirect: 'error'`, follows no redirect. */
export type GuardedInit = RequestInit & { readonly [FOLLOWED]?: boolean };

/**
 * Fetches. A request that has a body, or headers that may be secret, does not follow redirects. With `FOLLOWED` or `redirect: 'follow'` it
 * follows them to allowed origins; a plain `fetch` would follow them to any origin.
 */
export async function fetchGuarded(fetcher: Fetcher, url: string, given: GuardedInit): Promise<Response> {
  const { platform } = fetcher;
  const { [FOLLOWED]: isMarked = false, ...init } = given;
  let sent: PreparedInit = { ...init, headers: headersRecord(init.headers) };
  const isFollowing = isMarked || (init.redirect === 'follow' && isConfidential(sent));
  if (init.redirect !== 'error' && !isFollowing) return platform.fetch(url, init);
  // A browser does not reveal the target of a redirect, but it can refuse to leave the origin of the page.
  if (isFollowing && isOfPage(url)) return platform.fetch(url, { ...init, redirect: 'follow', mode: 'same-origin' });
  let from = url;
  for (let count = 0; count < MAX_REDIRECTS; count++) {
    // With `redirect: 'error'`, the error would look as if the network were down.
    // oxlint-disable-next-line no-await-in-loop -- each redirect follows from the response before
    const response = await platform.fetch(from, { ...sent, redirect: 'manual' });
    if (!isRedirect(response)) return response;
    const isHidden = response.type === 'opaqueredirect';
    // When a redirect leaves the origin, browsers drop `Authorization`, and no other header.
    if (isHidden && isMarked && isOnlyAuthorized(sent.headers))
      return platform.fetch(from, { ...sent, redirect: 'follow' });
    const to = targetOf(response, from);
    const isRepeatable = response.status === 303 || !isStream(sent.body);
    if (!isFollowing || to === undefined || !isRepeatable) throw redirectRefused(url, to);
    if (originOf(to) !== originOf(from)) checkOrigin(fetcher, to, `The redirect of ${url}`);
    // Its body is of no use, and would keep the connection.
    response.body?.cancel().catch(() => {});
    sent = redirectedInit(sent, response.status);
    from = to;
  }
  throw redirectRefused(url);
}

/** Returns whether a response is a redirect. A browser reveals only that, as the type `opaqueredirect`. */
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(response.status);
}

/** Returns the absolute target of a redirect, if the response has one. */
function targetOf(response: Response, from: string): string | undefined {
  const location = response.headers.get('location');
  return location === null ? undefined : parsedUrl(location, from)?.href;
}

/** Returns whether an address is on the origin of the page. False if there is no page. */
function isOfPage(url: string): boolean {
  const page = (globalThis as { readonly location?: { readonly origin: string } }).location?.origin;
  return page !== undefined && originOf(url, page) === page;
}

/** Returns the request for the target of a redirect. As in any fetch, some statuses turn it into a GET. */
function redirectedInit(init: PreparedInit, status: number): PreparedInit {
  const method = String(init.method).toUpperCase();
  const isTurned = status === 303 ? method !== 'GET' && method !== 'HEAD' : status <= 302 && method === 'POST';
  if (!isTurned) return init;
  const { body: _body, headers, ...rest } = init;
  const kept = Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith('content-'));
  return { ...rest, method: 'GET', headers: Object.fromEntries(kept) };
}
