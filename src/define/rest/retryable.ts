import type { Failures } from '../endpoint/retry.ts';
import type { Platform } from '../../std/platform.ts';
import { DataError } from '../../std/data-error.ts';
import { isStream, sentHeader } from './request-init.ts';
import { refusalIn } from './error-response.ts';
import type { NetworkError } from './network-error.ts';
import { thrown } from '../../std/thrown.ts';

/** Statuses below 500 after which a repeat can succeed. */
const TRANSIENT: readonly number[] = [408, 425, 429];
/** Statuses from 500 on after which a repeat fails again: the server lacks a feature, or the network requires a login. */
const PERMANENT: readonly number[] = [501, 505, 506, 510, 511];
/** Methods that have the same effect when they are sent twice. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Returns whether a request is safe to send again after an unknown outcome. */
export function isRepeatable(method: string, headers: Readonly<Record<string, string>>, body: unknown): boolean {
  if (isStream(body)) return false;
  return IDEMPOTENT.has(method.toUpperCase()) || isKey(sentHeader(headers, 'idempotency-key'));
}

/** Returns whether a value is usable as an idempotency key. An empty header is not. */
export function isKey(given: unknown): given is string {
  return typeof given === 'string' && /[^\s,]/.test(given);
}

/** Returns what `withRetry` needs to know about the errors of a REST endpoint. */
export function failuresOf(platform: Platform): Failures {
  return {
    isTransient,
    delayAsked: (error) => retryAfter(refusalIn(error)?.headers.get('retry-after') ?? null, platform.now()),
  };
}

function isTransient(error: unknown): boolean {
  const { code, status } = thrown(error);
  if (error instanceof DataError && code !== 'http-error') return code === 'request-timeout' || isCutOff(error);
  if (typeof status !== 'number') return false;
  return TRANSIENT.includes(status) || (status >= 500 && status <= 599 && !PERMANENT.includes(status));
}

/**
 * Returns whether an error is about a body that begins as JSON and has no end. Its connection was lost, although the browser has not noticed. (Firefox
 * does not compare the length of a compressed body, and no browser can if the server sends no length.)
 */
export function isCutOff(error: unknown): boolean {
  const { code, data } = Object(error) as NetworkError;
  const text = String(data).trim();
  return code === 'response-unreadable' && '{['.includes(text.charAt(0)) && !'}]'.includes(text.slice(-1));
}

/** Parses the header `Retry-After`, a number of seconds or a date. Returns milliseconds. */
export function retryAfter(header: string | null, now: number): number | undefined {
  // The longest date has 29 characters.
  if (header === null || header === '' || header.length > 40) return undefined;
  const seconds = Number(header);
  if (Number.isInteger(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
