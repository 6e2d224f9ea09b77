import { DataError } from '../../std/data-error.ts';
import type { PreparedInit } from './request-init.ts';
import { isAbsolute, originOf } from './url.ts';

/** Headers that say nothing of who is asking. Any other may be a secret. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'content-language',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'pragma',
  'prefer',
  'range',
]);

/** Who a request is from. */
export interface Guarded {
  readonly urlPrefix: string;
  readonly origins: readonly string[];
}

/**
 * Whether a request has something that must not reach another origin than the one it is for. Fetch leaves out
 * `Authorization` when it follows a redirect there, and sends everything else: keys in other headers, and the body.
 */
export function isConfidential({ headers, body }: PreparedInit): boolean {
  const hasBody = body !== undefined && body !== null;
  return hasBody || Object.keys(headers).some((name) => !HARMLESS.has(name.toLowerCase()));
}

/** Throws before a request would give headers or a body to an origin that they are not for. */
export function checkOrigin({ urlPrefix, origins }: Guarded, url: string, what: string): void {
  // Without a host in the prefix and without a list, nobody has said where requests may go.
  if (!isAbsolute(urlPrefix) && origins.length === 0) return;
  const origin = originOf(url);
  if ([urlPrefix, ...origins].some((allowed) => originOf(allowed) === origin)) return;
  throw new DataError(
    'origin-refused',
    `${what} would send headers or a body to ${origin ?? 'no origin'}, not to the one of '${urlPrefix}'. If it may ` +
      'have them, list it in origins.',
  );
}

/** Whether a response sends the request elsewhere. In a browser all that can be seen of it is that. */
export function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(response.status);
}

/** The error for a redirect that is not followed. */
export function redirectRefused(url: string): DataError {
  return new DataError(
    'redirect-refused',
    `${url} redirects a request with headers or a body. Use the address that it redirects to, or set ` +
      "requestInit: { redirect: 'follow' }.",
  );
}
