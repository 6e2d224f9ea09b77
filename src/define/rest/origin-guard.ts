import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { PreparedInit } from './request-init.ts';
import { parseTemplate } from './path-template.ts';
import { originOf, ownOrigin } from './url.ts';

/** Headers that never hold credentials. Any other header may be a secret. */
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

/** The part of an endpoint that says where it may send headers and bodies. */
export interface Guarded {
  readonly urlPrefix: string;
  readonly path: string;
  readonly origins: readonly string[];
}

/**
 * Returns whether a request has a body, or headers that may be secret. They must not reach another origin. When `fetch` follows a redirect
 * to another origin, it drops only `Authorization`, and sends all other headers and the body.
 */
export function isConfidential({ headers, body }: PreparedInit): boolean {
  const hasBody = body !== undefined && body !== null;
  return hasBody || Object.keys(headers).some((name) => !HARMLESS.has(name.toLowerCase()));
}

/** Returns whether `Authorization` is the only header that may be secret. */
export function isOnlyAuthorized(headers: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return names.every((name) => name === 'authorization' || HARMLESS.has(name));
}

/** Throws if a request would send headers or a body to an origin that is not allowed. */
export function checkOrigin({ urlPrefix, path, origins }: Guarded, url: string, what: string): void {
  const origin = originOf(url);
  if ([urlPrefix, ...origins].some((allowed) => originOf(allowed) === origin)) return;
  if (urlPrefix === '' && originOfPath(path) === origin) return;
  // A relative prefix is on the origin of the page.
  const page = (globalThis as { readonly location?: { readonly origin: string } }).location?.origin;
  if (page !== undefined && originOf(urlPrefix, page) === originOf(url, page)) return;
  throw new DataError(
    'origin-refused',
    `${what} would send headers or a body to ${origin ?? 'no origin'}, which is not the origin of its urlPrefix ` +
      `'${urlPrefix}'.`,
    { cure: inDevelopment(() => 'If it may get them, list it in the option origins.') },
  );
}

/** Returns the origin of a path that begins with a host. An endpoint that overrides `url()` may have any path, or none. */
function originOfPath(path: string): string | undefined {
  try {
    return ownOrigin('', parseTemplate(path));
  } catch {
    return undefined;
  }
}

/** Creates the error for a redirect that is not followed. */
export function redirectRefused(url: string, to = 'another address'): DataError {
  return new DataError('redirect-refused', `${url} redirects a request with headers or a body to ${to}.`, {
    cure: inDevelopment(
      () =>
        "Use that path, often with a slash at its end, or allow the redirect by the option origins and, for methods other than GET, requestInit: { redirect: 'follow' }.",
    ),
  });
}
