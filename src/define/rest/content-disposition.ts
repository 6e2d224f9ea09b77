import { safeFileName } from './file-name.ts';
import { decodeExtended, HeaderReader } from './header-reader.ts';

/** A `Content-Disposition` header, taken apart. */
export interface Disposition {
  /** `attachment`, `inline` or another, in small letters; '' where there is none. */
  readonly type: string;
  /** By their names in small letters. Those with a `*` are decoded, and stand in place of those without. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads a `Content-Disposition` header after RFC 6266, with the encodings of RFC 8187. */
export function parseContentDisposition(header: string | null | undefined): Disposition {
  const text = header ?? '';
  const reader = new HeaderReader(text);
  const type = reader.until(';=').trim().toLowerCase();
  // Some servers leave the type out.
  if (reader.take('=')) return { type: '', parameters: decoded(new HeaderReader(`;${text}`).parameters('')) };
  return { type, parameters: decoded(reader.parameters('')) };
}

/**
 * The name that a response gives its file: never a path, never one that a system takes for something else, and nothing
 * in it that shows other than it is. `fallback` where there is none.
 */
export function fileNameOf(header: string | null | undefined, fallback: string = 'download'): string {
  return safeFileName(parseContentDisposition(header).parameters.get('filename') ?? '') || fallback;
}

/** A file in a response: its body, and its name. */
export async function readFile(response: Response): Promise<{ readonly blob: Blob; readonly filename: string }> {
  return { blob: await response.blob(), filename: fileNameOf(response.headers.get('content-disposition')) };
}

function decoded(raw: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of raw) if (!name.endsWith('*')) parameters.set(name, unmangled(value));
  for (const [name, value] of raw) {
    const text = name.endsWith('*') ? decodeExtended(value) : undefined;
    if (text !== undefined) parameters.set(name.slice(0, -1), text);
  }
  return parameters;
}

/** Headers are read byte by byte; what a server wrote in UTF-8 is put together again, as browsers do. */
function unmangled(value: string): string {
  const codes = Array.from(value, (char) => char.charCodeAt(0));
  if (!codes.some((code) => code > 127) || codes.some((code) => code > 255)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(codes));
  } catch {
    return value;
  }
}
