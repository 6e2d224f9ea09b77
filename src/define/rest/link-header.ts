import { decodeExtended, HeaderReader } from './header-reader.ts';

/** One link of a `Link` header. */
export interface Link {
  readonly url: string;
  /** What it leads to, such as `next`; there can be several. */
  readonly rels: readonly string[];
  /** All its parameters, by their names in small letters. */
  readonly params: ReadonlyMap<string, string>;
}

/** The links of a `Link` header, after RFC 8288. What is not one is left out. */
export function parseLinkHeader(header: string | null | undefined): readonly Link[] {
  const reader = new HeaderReader(header ?? '');
  const links: Link[] = [];
  while (!reader.isAtEnd) {
    reader.skipSpace();
    const isLink = reader.take('<');
    const url = isLink ? reader.until('>').trim() : '';
    const isClosed = isLink && reader.take('>');
    const params = decoded(reader.parameters(','));
    if (isClosed) links.push({ url, rels: wordsOf(params.get('rel') ?? ''), params });
    // On to the next one, over whatever is not understood.
    reader.until(',');
    reader.take(',');
  }
  return links;
}

/** The address that a `Link` header has for `rel`. */
export function linkTo(header: string | null | undefined, rel: string): string | undefined {
  return parseLinkHeader(header).find(({ rels }) => rels.includes(rel))?.url;
}

/** The search parameter `name` in the address for `rel`: with `next`, the argument that asks for the next page. */
export function cursorIn(header: string | null | undefined, name: string, rel: string = 'next'): string | undefined {
  const url = linkTo(header, rel);
  if (url === undefined) return undefined;
  const [address = ''] = url.split('#', 1);
  const query = address.indexOf('?');
  return query < 0 ? undefined : (new URLSearchParams(address.slice(query)).get(name) ?? undefined);
}

/** A list with the `Link` header that came with it; other bodies as they are, if there is no such header. */
export function withLink(response: Response, body: unknown): unknown {
  const link = response.headers.get('link');
  return link !== null || Array.isArray(body) ? { link, results: body } : body;
}

/** `title*` is `title` in other letters, and goes before it. */
function decoded(params: Map<string, string>): Map<string, string> {
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
