import { isObject } from './fields.ts';

const SORTS = /^[_$]?(?:sort|order)/i;
const ADDS = /^[_$]?(?:include|includes|fields|expand|embed|select|populate)(?:\[|$)/i;
const SIZES = /^(?:[_$]?(?:limit|size|take|top|per_?page|page_?size|page_?limit)|page\[(?:size|limit)\])$/i;
const PLACES =
  /^(?:[_$]?(?:page|offset|skip|cursor|page_?number|page_?token|start_?cursor|end_?cursor)|page\[[a-z]+\])$/i;

const FILTERS = /^[_$]?(?:filters?|where)$/i;

/** Whether an argument of this name has others inside, each about a field: `filter: { state }`, which is `filter[state]` in a query. */
export function isFilter(name: string): boolean {
  return FILTERS.test(name);
}

/** The field that an argument is about: of `filter[state]` it is `state`; of `filter[owner][id]` it is `owner][id`, which is none. */
export function fieldOf(name: string): string {
  const at = name.indexOf('[');
  return at >= 0 && name.endsWith(']') && isFilter(name.slice(0, at)) ? name.slice(at + 1, -1) : name;
}

/** Whether an argument of this name says in which order a list comes. */
export function isSort(name: string): boolean {
  return SORTS.test(name);
}

/** Whether an argument of this name says nothing of which records a list has: it sorts, or adds to each record. */
export function isPresentation(name: string): boolean {
  return isSort(name) || ADDS.test(name);
}

/** Whether an argument of this name cuts a page out of a list. */
export function isPaging(name: string): boolean {
  return SIZES.test(name) || PLACES.test(name);
}

/** Which part of a list a page is. */
export interface ListPage {
  /** How many records it has at most, where that is known. */
  readonly size: number | undefined;
  /** Whether it is the first page; `undefined` where nothing says so. */
  readonly isFirst: boolean | undefined;
}

/** The page that the key of a list stands for; `undefined` where it is the whole list. */
export function pageOf(
  args: Readonly<Record<string, unknown>>,
  isPage: (name: string) => boolean,
): ListPage | undefined {
  let size: number | undefined;
  let isFirst: boolean | undefined = true;
  const names = Object.keys(args).filter(isPage);
  for (const [name, value] of names.flatMap((paging) => membersOf(paging, args[paging]))) {
    if (SIZES.test(name)) size = Number(value);
    else isFirst = isFirst && isFirstPlace(name, String(value));
  }
  return names.length === 0 ? undefined : { size: Number.isNaN(size) ? undefined : size, isFirst };
}

/** `page: { size: 10 }` is `page[size]=10`. */
function membersOf(name: string, value: unknown): (readonly [name: string, value: unknown])[] {
  if (!isObject(value)) return [[name, value]];
  return Object.entries(value).map(([inner, member]) => [`${name}[${inner}]`, member]);
}

function isFirstPlace(name: string, value: string): boolean | undefined {
  if (value === '' || value === '0') return true;
  // Whether pages are counted from 0 or 1 is not declared; hardly any API counts from 0.
  return value === '1' && /page|number/i.test(name) ? true : Number.isInteger(Number(value)) ? false : undefined;
}
