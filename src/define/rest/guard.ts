import { DataError } from '../../std/data-error.ts';
import type { PreparedInit } from './request-init.ts';
import { parseTemplate } from './path-template.ts';
import { originOf, ownOrigin } from './url.ts';

/** Headers that say nothing of the user. Any other may be a secret. */
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
  readonly path: string;
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

/** Whether nothing in these headers is secret, but for `Authorization`. */
export function isOnlyAuthorized(headers: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return names.every((name) => name === 'authorization' || HARMLESS.has(name));
}

/** Throws before a request would give headers or a body to an origin that they are not for. */
export function checkOrigin({ urlPrefix, path, origins }: Guarded, url: string, what: string): void {
  const origin = originOf(url);
  if ([urlPrefix, ...origins].some((allowed) => originOf(allowed) === origin)) return;
  if (urlPrefix === '' && originOfPath(path) === origin) return;
  // A relative prefix has the origin of the page.
  const page = (globalThis as { readonly location?: { readonly origin: string } }).location?.origin;
  if (page !== undefined && originOf(urlPrefix, page) === originOf(url, page)) return;
  throw new DataError(
    'origin-refused',
    `${what} would send headers or a body to ${origin ?? 'no origin'}, which is not the origin of its urlPrefix ` +
      `'${urlPrefix}'. If it may have them, list it in origins.`,
  );
}

/** The origin of a path that begins with a host of its own. An endpoint with a url() of its own may have any path, or none. */
function originOfPath(path: string): string | undefined {
  try {
    return ownOrigin('', parseTemplate(path));
  } catch {
    return undefined;
  }
}

/** The error for a redirect that is not followed. */
export function redirectRefused(url: string): DataError {
  return new DataError(
    'redirect-refused',
    `${url} redirects a request with headers or a body. Use the address that it redirects to. Redirects within the origin, and to ` +
      "those listed in origins, are followed by GET, and by other methods with requestInit: { redirect: 'follow' }.",
  );
}
