/**
 * `Content-Disposition` for a download (RFC 6266): a name in ASCII that every client can read, and if that is not the whole
 * name, `filename*` with the whole name.
 */
export function attachment(name: string | null): string {
  if (name === null) return 'attachment';
  const ascii = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\u0020-\u007e]/g, '_');
  const quoted = `attachment; filename="${ascii.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  return ascii === name ? quoted : `${quoted}; filename*=UTF-8''${extended(name)}`;
}

/** Percent-encoding as RFC 8187 has it, which is stricter than encodeURIComponent. */
const extended = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.codePointAt(0)?.toString(16).toUpperCase()}`);
