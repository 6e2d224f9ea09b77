import { safeFileName } from './file-name.ts';
import { decodeExtended, HeaderReader } from './header-reader.ts';

/** A parsed `Content-Disposition` header. */
export interface Disposition {
  /** `attachment`, `inline` or another type, in lower case. '' if there is none. */
  readonly type: string;
  /** The parameters by name, in lower case. The decoded value of `name*` replaces that of `name`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parses a `Content-Disposition` header by RFC 6266, with the encodings of RFC 8187. */
export function parseContentDisposition(header: string | null | undefined): Disposition {
  const text = header ?? '';
  const reader = new HeaderReader(text);
  const type = reader.until(';=').trim().toLowerCase();
  // Some servers send only parameters, without a type.
  if (reader.take('=')) return { type: '', parameters: decoded(new HeaderReader(`;${text}`).parameters('')) };
  return { type, parameters: decoded(reader.parameters('')) };
}

/**
 * Returns the file name that a response suggests, made safe: without a path, without reserved names of operating systems, and without
 * invisible or misleading characters. Returns `fallback` if there is none.
 */
export function fileNameOf(header: string | null | undefined, fallback: string = 'download'): string {
  return safeFileName(parseContentDisposition(header).parameters.get('filename') ?? '') || fallback;
}

/** Reads the file in a response: its body and its name. */
export async function readFile(response: Response): Promise<{ readonly blob: Blob; readonly filename: string }> {
  return { blob: await response.blob(), filename: fileNameOf(response.headers.get('content-disposition')) };
}

function decoded(raw: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of raw) if (!name.endsWith('*')) parameters.set(name, decodedUtf8(value));
  for (const [name, value] of raw) {
    const text = name.endsWith('*') ? decodeExtended(value) : undefined;
    if (text !== undefined) parameters.set(name.slice(0, -1), text);
  }
  return parameters;
}

/** Decodes a name that the server wrote in UTF-8, and that `fetch` returned as one character for each byte, as browsers do. */
function decodedUtf8(value: string): string {
  const codes = Array.from(value, (char) => char.charCodeAt(0));
  if (codes.some((code) => code > 255)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(codes));
  } catch {
    return value;
  }
}
