import { setOwn, type Fields } from '../../std/plain.ts';
import { snakeCase } from '../rest/key-case.ts';
import type { Wire, WireEndpoint } from '../rest/wire-shape.ts';
import { envelope, type EnvelopeOptions, type OnlyOf, type RefsOf } from './envelope.ts';
import { type PageValue, pageReader } from './page.ts';
import { answerUnexpected, isFields, isListed, mapRecords } from './records.ts';
import { mapReferencedPks } from './references.ts';

/** The options of `hal`. */
export interface HalOptions extends Omit<EnvelopeOptions, 'one' | 'many'> {
  /** The name under which a list embeds its records. */
  readonly many: string;
  /** Fields that are links on the wire, each with the path that its links begin with: `{ author: '/people' }`. */
  readonly links?: Readonly<Record<string, string>>;
}

type Linked<O> = O extends { readonly links: infer Links } ? keyof Links & string : never;

/**
 * Records as HAL sends them. Embedded records become fields. A link becomes the pk that its address ends with. A record without an `id`
 * gets it from its `self` link.
 */
export function hal<const O extends HalOptions>(options: O): Wire<RefsOf<O> | Linked<O>, OnlyOf<O>, PageValue<O>> {
  const { many, total: _total, next: _next, links = {}, ...others }: HalOptions = options;
  const [page, inner] = [pageReader(options), envelope(others)];
  return {
    ...(inner as Wire<RefsOf<O> | Linked<O>, OnlyOf<O>, PageValue<O>>),
    list: page.list,
    read(answer, endpoint, headers) {
      const isList = isListed(endpoint);
      const found = isList ? embeddedRecords(answer, endpoint, many) : (answer as unknown);
      const records = inner.read(withEmbedded(found, Object.keys(links)), endpoint, headers);
      return isList ? page.read(records, answer, endpoint, headers) : records;
    },
    write(body, endpoint, call) {
      const linked = mapRecords(body, ({ _links, _embedded, ...record }) => {
        const written: Record<string, unknown> = record;
        for (const [field, path] of Object.entries(links)) {
          const value = written[field];
          const address = (pk: string): string => `${path}/${encodeURIComponent(pk)}`;
          if (value !== undefined) setOwn(written, field, mapReferencedPks(value, field, endpoint, address));
        }
        return written;
      });
      return inner.write?.(linked, endpoint, call) as object;
    },
  };
}

/** Returns the records that a list embeds. An empty list may have no `_embedded`, or an empty one. */
function embeddedRecords(answer: unknown, endpoint: WireEndpoint, many: string): unknown {
  const embedded = isFields(answer) ? (answer['_embedded'] ?? { [many]: [] }) : {};
  const items = (embedded as Fields)[many];
  // HAL allows a list of one record to be sent as the record alone.
  if (Array.isArray(items) || isFields(items)) return [items].flat();
  const [name] = Object.keys(embedded);
  if (name === undefined && isFields(answer) && '_embedded' in answer) return [];
  const cure = name === undefined ? 'Is it a server of HAL?' : `Write hal({ many: '${name}' }).`;
  throw answerUnexpected(endpoint, answer, `Expected { _embedded: { ${many}: […] } }. ${cure}`);
}

/** Returns records with their embedded records as fields, at every depth, and with the pks that their links lead to. */
function withEmbedded(root: unknown, links: readonly string[]): unknown {
  const ahead: (readonly [from: Fields, to: Record<string, unknown>, links: readonly string[]])[] = [];
  const begin = (from: unknown, linked: readonly string[]): unknown => {
    if (Array.isArray(from)) return from.map((item: unknown) => begin(item, linked));
    if (!isFields(from)) return from;
    const to = {};
    ahead.push([from, to, linked]);
    return to;
  };
  const made = begin(root, links);
  // A stack in place of recursion: embedded records can be nested deeper than the call stack allows.
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [{ _embedded: embedded, ...fields }, to, linked] = next;
    for (const [field, value] of Object.entries(fields)) setOwn(to, field, value);
    const addresses = (fields['_links'] ?? {}) as Fields;
    for (const field of ['id', ...linked]) {
      // `snakeCased` converts the names afterwards.
      const link = field === 'id' ? addresses['self'] : (addresses[field] ?? addresses[snakeCase(field)]);
      const pk = to[field] ?? pkAt(link);
      // An answer that has no link does not say that the record refers to nothing.
      if (pk !== undefined) to[field] = pk;
    }
    for (const [field, value] of Object.entries(embedded ?? {})) setOwn(to, field, begin(value, []));
  }
  return made;
}

/** Returns the last path segment of the address of a link, or of each of several links. */
function pkAt(link: unknown): unknown {
  if (Array.isArray(link)) return link.map(pkAt);
  const { href } = Object(link) as { readonly href?: unknown };
  if (typeof href !== 'string') return undefined;
  const end = Math.min(...['?', '#', '{'].map((mark) => `${href}${mark}`.indexOf(mark)));
  const segment = href
    .slice(0, end)
    .split('/')
    .findLast((part) => part !== '');
  try {
    return segment && decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
