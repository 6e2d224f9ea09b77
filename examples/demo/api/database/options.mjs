// @ts-check
// JavaScript, because `npm start` checks its options before anything is installed.
import { SentenceError } from '../sentence-error.mjs';

export const DEFAULT_ROWS = 2_000;
export const MIN_ROWS = 100;
export const MAX_ROWS = 2_000_000;

/**
 * Throws if the text is not an address of PostgreSQL.
 *
 * @param {string} address
 * @returns {URL}
 */
export function addressOf(address) {
  try {
    const url = new URL(address);
    if (url.protocol === 'postgres:' || url.protocol === 'postgresql:') return url;
  } catch {
    // The text is not a URL. The error below says so.
  }
  throw new SentenceError(
    'DATABASE_URL is not an address of PostgreSQL. It looks like postgres://user:password@host:5432/name.',
  );
}
