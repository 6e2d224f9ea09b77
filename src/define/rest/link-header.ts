import { decodeExtended, HeaderReader } from './header-reader.ts';

/** One link of a `Link` header. */
export interface Link {
  readonly url: string;
  /** The relation types of the link, such as `next`. */
  readonly rels: readonly string[];
  /** All parameters by name, in lower case. */
  readonly params: ReadonlyMap<string, string>;
}

/** Parses a `Link` header by RFC 8288. Parts that are not links are ignored. */
export function parseLinkHeader(header: string | null | undefined): readonly Link[] {
  const reader = new HeaderReader(header ?? '');
  const links: Link[] = [];
  while (!reader.isAtEnd) {
    reader.skipSpace();
    const isLink = reader.take('<');
    const url = isLink ? reader.until('>').trim() : '';
    const isClosed = isLink && reader.take('>');
    const params = withDecodedValues(reader.parameters(','));
    if (isClosed) links.push({ url, rels: wordsOf(params.get('rel') ?? ''), params });
    // Skips anything unknown before the next link.
    reader.until(',');
    reader.take(',');
  }
  return links;
}

/** Returns the address of the link with the relation type `rel`. */
export function linkTo(header: string | null | undefined, rel: string): string | undefined {
  return parseLinkHeader(header).find(({ rels }) => rels.includes(rel))?.url;
}

/** Returns the search parameter `name` in the address for `rel`. With `next` it is the cursor of the next page. */
export function cursorIn(header: string | null | undefined, name: string, rel: string = 'next'): string | undefined {
  const url = linkTo(header, rel);
  return url === undefined ? undefined : paramIn(url, name);
}

/** Returns the search parameter `name` of an address. */
export function paramIn(url: string, name: string): string | undefined {
  const [address = ''] = url.split('#', 1);
  const query = address.indexOf('?');
  return query < 0 ? undefined : (new URLSearchParams(address.slice(query)).get(name) ?? undefined);
}

/** Returns `{ link, results }` if the response has a `Link` header or the body is a list. Returns any other body as it is. */
export function withLink(response: Response, body: unknown): unknown {
  const link = response.headers.get('link');
  return link !== null || Array.isArray(body) ? { link, results: body } : body;
}

/** Replaces the value of `title` by the decoded value of `title*`, and so on. */
function withDecodedValues(params: Map<string, string>): Map<string, string> {
  for (const [name, value] of params) {
    if (!name.endsWith('*')) continue;
    const text = decodeExtended(value);
    if (text !== undefined) params.set(name.slice(0, -1), text);
    params.delete(name);
  }
  return params;
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '');
}
