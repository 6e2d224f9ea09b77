import { createHash } from 'node:crypto';

/** A strong validator: the same text, the same tag. */
export const etagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

const tagsIn = (header: string): readonly string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];

/** `If-None-Match`: whether the client has this already. Weak and strong tags compare alike. */
export function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.trim() === '*' || tagsIn(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** `If-Match`: whether the client means this version. A weak tag never does. */
export const isMeant = (header: string, etag: string): boolean =>
  header.trim() === '*' || tagsIn(header).includes(etag);
