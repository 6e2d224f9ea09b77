import type { Failures } from '../endpoint/retry.ts';
import type { Platform } from '../../std/platform.ts';
import { DataError } from '../../std/data-error.ts';
import { sentHeader } from './request-init.ts';
import { NetworkError } from './network-error.ts';
import { thrown } from '../../std/thrown.ts';

/** Statuses below 500 by which a server says that it would answer another time. */
const TRANSIENT: readonly number[] = [408, 425, 429];
/** Failures of a server that another try does not change: it cannot do what was asked, or wants a login first. */
const LASTING: readonly number[] = [501, 505, 506, 510, 511];
/** Methods that can be sent twice with the effect of once. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Whether a request may be sent again when it is not known what became of it. */
export function isRepeatable(method: string, headers: Readonly<Record<string, string>>, body: unknown): boolean {
  if ('getReader' in Object(body)) return false;
  return IDEMPOTENT.has(method.toUpperCase()) || isKey(sentHeader(headers, 'idempotency-key'));
}

/** Whether something tells one mutation from others: an empty header tells nothing. */
export function isKey(given: unknown): given is string {
  return typeof given === 'string' && /[^\s,]/.test(given);
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
  const { code, status } = thrown(error);
  if (error instanceof DataError && code !== 'http-error') return code === 'request-timeout';
  if (typeof status !== 'number') return false;
  return TRANSIENT.includes(status) || (status >= 500 && status <= 599 && !LASTING.includes(status));
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
