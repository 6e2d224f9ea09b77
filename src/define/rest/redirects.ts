import type { Platform } from '../endpoint/platform.ts';
import { checkOrigin, type Guarded, isConfidential, redirectRefused } from './guard.ts';
import { headersRecord, type PreparedInit } from './request-init.ts';
import { originOf } from './url.ts';

/** Who fetches. */
export interface Fetcher extends Guarded {
  readonly platform: Pick<Platform, 'fetch'>;
}

/** As many as browsers follow. */
const MOST_REDIRECTS = 20;

/**
 * Fetches. A redirect of a request that has a body, or headers that may be secret, is refused, or, with
 * `redirect: 'follow'`, followed to origins that may have them: a fetch would follow it anywhere.
 */
export async function fetchGuarded(fetcher: Fetcher, url: string, init: RequestInit): Promise<Response> {
  const { platform } = fetcher;
  let sent: PreparedInit = { ...init, headers: headersRecord(init.headers) };
  const isFollowing = init.redirect === 'follow' && isConfidential(sent);
  if (init.redirect !== 'error' && !isFollowing) return platform.fetch(url, init);
  // A browser does not show where a redirect leads, but can be told to stay with its page.
  if (isFollowing && isOfPage(url)) return platform.fetch(url, { ...init, mode: 'same-origin' });
  let from = url;
  for (let count = 0; count < MOST_REDIRECTS; count++) {
    // With `error` a fetch would fail as if the network were down.
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    const response = await platform.fetch(from, { ...sent, redirect: 'manual' });
    if (!isRedirect(response)) return response;
    const location = response.headers.get('location');
    const isRepeatable = response.status === 303 || !('getReader' in Object(sent.body));
    if (!isFollowing || location === null || !isRepeatable) throw redirectRefused(url);
    const to = new URL(location, from).href;
    if (originOf(to) !== originOf(from)) checkOrigin(fetcher, to, `The redirect of ${url}`);
    sent = redirected(sent, response.status);
    from = to;
  }
  throw redirectRefused(url);
}

/** Whether a response sends the request elsewhere. In a browser all that can be seen of it is that. */
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(response.status);
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
