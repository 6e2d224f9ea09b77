import type { Platform } from '../../std/platform.ts';
import { checkOrigin, type Guarded, isConfidential, isOnlyAuthorized, redirectRefused } from './guard.ts';
import { headersRecord, type PreparedInit } from './request-init.ts';
import { originOf } from './url.ts';

/** Who fetches. */
export interface Fetcher extends Guarded {
  readonly platform: Pick<Platform, 'fetch'>;
}

/** As many as browsers follow. */
const MOST_REDIRECTS = 20;

/** Marks the options of a request that is redirected to origins that may have it, and to no others. Copies have it too. */
export const FOLLOWED: unique symbol = Symbol('followed');

/** The options of a request, for `fetchGuarded`. A fetch that knows nothing of the mark follows no redirect with them. */
export type GuardedInit = RequestInit & { readonly [FOLLOWED]?: boolean };

/**
 * Fetches. A redirect of a request that has a body, or headers that may be secret, is refused, or, where it is marked or has
 * `redirect: 'follow'`, followed to origins that may have them: a fetch would follow it anywhere.
 */
export async function fetchGuarded(fetcher: Fetcher, url: string, given: GuardedInit): Promise<Response> {
  const { platform } = fetcher;
  const { [FOLLOWED]: isMarked = false, ...init } = given;
  let sent: PreparedInit = { ...init, headers: headersRecord(init.headers) };
  const isFollowing = isMarked || (init.redirect === 'follow' && isConfidential(sent));
  if (init.redirect !== 'error' && !isFollowing) return platform.fetch(url, init);
  // A browser does not show where a redirect leads, but can be told to stay with its page.
  if (isFollowing && isOfPage(url)) return platform.fetch(url, { ...init, redirect: 'follow', mode: 'same-origin' });
  let from = url;
  for (let count = 0; count < MOST_REDIRECTS; count++) {
    // With `error` a fetch would fail as if the network were down.
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    const response = await platform.fetch(from, { ...sent, redirect: 'manual' });
    if (!isRedirect(response)) return response;
    const isHidden = response.type === 'opaqueredirect';
    // A browser takes the header Authorization away where it leaves the origin, and no other.
    if (isHidden && isMarked && isOnlyAuthorized(sent.headers))
      return platform.fetch(from, { ...sent, redirect: 'follow' });
    const to = targetOf(response, from);
    const isRepeatable = response.status === 303 || !('getReader' in Object(sent.body));
    if (!isFollowing || to === undefined || !isRepeatable) throw redirectRefused(url);
    if (originOf(to) !== originOf(from)) checkOrigin(fetcher, to, `The redirect of ${url}`);
    // Its body is of no use, and would keep the connection.
    response.body?.cancel().catch(() => {});
    sent = redirected(sent, response.status);
    from = to;
  }
  throw redirectRefused(url);
}

/** Whether a response sends the request elsewhere. In a browser all that can be seen of it is that. */
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(response.status);
}

/** Where a redirect leads, if it says so. */
function targetOf(response: Response, from: string): string | undefined {
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, from) ? new URL(location, from).href : undefined;
}

/** Whether an address is on the origin of the page, where there is one. */
function isOfPage(url: string): boolean {
  const page = (globalThis as { readonly location?: { readonly origin: string } }).location?.origin;
  return page !== undefined && originOf(url, page) === page;
}

/** A request as it is sent to where a redirect leads: some statuses turn it into a GET, as in any fetch. */
function redirected(init: PreparedInit, status: number): PreparedInit {
  const method = String(init.method).toUpperCase();
  const isTurned = status === 303 ? method !== 'GET' && method !== 'HEAD' : status <= 302 && method === 'POST';
  if (!isTurned) return init;
  const { body: _body, headers, ...rest } = init;
  const kept = Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith('content-'));
  return { ...rest, method: 'GET', headers: Object.fromEntries(kept) };
}
