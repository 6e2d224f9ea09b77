import { linkTo, paramIn } from '../rest/link-header.ts';
import type { AnyWire, WireEndpoint } from '../rest/wire-shape.ts';
import { answerUnexpected, isFields, valueAt } from './records.ts';

/** Where the answer to a list has its total and its next page. */
export interface PageOptions {
  /** The field, or the header, with the number of records in the whole list. With it, a list reads as `{ items, total }`. */
  readonly total?: string | { readonly header: string };
  /**
   * The field, or the header, with the cursor or address of the next page. With it, a list reads as `{ items, next }`. In a `Link` header,
   * it is the link with `rel="next"`. With `param`, it is that search parameter of the address.
   */
  readonly next?: string | (({ readonly field: string } | { readonly header: string }) & { readonly param?: string });
}

/** The fields beside `items` in the value of a list, or `undefined` if a list reads as an array. */
export type PageValue<O> = O extends { readonly total: unknown }
  ? O extends { readonly next: unknown }
    ? { readonly total: number; readonly next: string | undefined }
    : { readonly total: number }
  : O extends { readonly next: unknown }
    ? { readonly next: string | undefined }
    : undefined;

interface WirePageReader {
  read(items: unknown, answer: unknown, endpoint: WireEndpoint, headers: Headers): unknown;
  list(collection: Parameters<NonNullable<AnyWire['list']>>[0]): unknown;
}

/** Reads lists either as arrays or as objects with `items`, `total` and `next`. */
export function pageReader({ total, next }: PageOptions): WirePageReader {
  const isPage = total !== undefined || next !== undefined;
  return {
    read(items, answer, endpoint, headers) {
      if (!isPage) return items;
      const page: Record<string, unknown> = { items };
      if (total !== undefined) page['total'] = totalIn(total, answer, endpoint, headers);
      const cursor = next === undefined ? undefined : nextIn(next, answer, headers);
      if (cursor !== undefined) page['next'] = cursor;
      return page;
    },
    list: (collection) => {
      if (!isPage) return collection();
      return { items: collection(total === undefined ? {} : { total: 'total' }) };
    },
  };
}

function nextIn(next: NonNullable<PageOptions['next']>, answer: unknown, headers: Headers): string | undefined {
  const { param, ...at } = typeof next === 'string' ? { field: next } : next;
  const given = 'field' in at ? valueAt(answer, at.field) : headers.get(at.header);
  // A link of JSON:API or HAL may be an object.
  const found = isFields(given) ? given['href'] : given;
  if (typeof found !== 'string' && typeof found !== 'number') return undefined;
  const text = String(found);
  const address = text.startsWith('<') ? linkTo(text, 'next') : text;
  if (param !== undefined && address !== undefined) return paramIn(address, param);
  // A header such as `X-Next-Page` is empty on the last page.
  return address === '' ? undefined : address;
}

function totalIn(
  total: NonNullable<PageOptions['total']>,
  answer: unknown,
  endpoint: WireEndpoint,
  headers: Headers,
): number {
  const isField = typeof total === 'string';
  // In a `Content-Range` the total is after the slash: `items 0-9/57`.
  const header = isField ? undefined : headers.get(total.header);
  const found = isField ? valueAt(answer, total) : header?.split('/').at(-1);
  const count = found === null || found === '' ? Number.NaN : Number(found);
  if (Number.isFinite(count)) return count;
  if (!isField)
    throw answerUnexpected(
      endpoint,
      answer,
      header
        ? `The header ${total.header} is '${header}', which has no total. Ask the server to count, or write envelope() without total.`
        : `The header ${total.header} has no total; a server of another origin has to expose it.`,
    );
  const [name] = Object.entries(isFields(answer) ? answer : {}).find(([, value]) => typeof value === 'number') ?? [];
  throw answerUnexpected(
    endpoint,
    answer,
    `It has no number in ${total}. ${name === undefined ? 'Write envelope() without total.' : `Write envelope({ total: '${name}' }).`}`,
  );
}
