import type { Failures } from '../endpoint/retry.ts';
import type { Platform } from '../endpoint/platform.ts';
import { DataError } from '../../std/data-error.ts';
import { hasHeader } from './request-init.ts';
import { NetworkError } from './network-error.ts';

/** Statuses by which a server says that it would answer another time. */
const TRANSIENT: readonly unknown[] = [408, 425, 429, 500, 502, 503, 504];
/** Methods that can be sent twice with the effect of once. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Whether a request may be sent again when nobody knows what became of it. */
export function isRepeatable(method: string, headers: Readonly<Record<string, string>>, body: unknown): boolean {
  if ('getReader' in Object(body)) return false;
  return IDEMPOTENT.has(method) || hasHeader(headers, 'idempotency-key');
}

/** What the errors of a REST endpoint say of another try. */
export function failuresOf(platform: Platform): Failures {
  return {
    isTransient,
    delayAsked: (error) =>
      error instanceof NetworkError ? retryAfter(error.response.headers.get('retry-after'), platform.now()) : undefined,
  };
}

function isTransient(error: unknown): boolean {
  const { code, status } = Object(error) as { readonly code?: unknown; readonly status?: unknown };
  if (error instanceof DataError && code !== 'http-error') return code === 'request-timeout';
  return TRANSIENT.includes(status);
}

/** The header `Retry-After` in milliseconds: a number of seconds, or a date. */
export function retryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  // The longest date has 29 characters.
  if (text === '' || text.length > 40) return undefined;
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
