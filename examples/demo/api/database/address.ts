import { SentenceError } from '../sentence-error.ts';

/** Throws unless it is an address of PostgreSQL. */
export function addressOf(address: string): URL {
  try {
    const url = new URL(address);
    if (url.protocol === 'postgres:' || url.protocol === 'postgresql:') return url;
  } catch {
    // It is no URL. The error below says so.
  }
  throw new SentenceError(
    'DATABASE_URL is not an address of PostgreSQL. It looks like postgres://user:password@host:5432/name.',
  );
}
