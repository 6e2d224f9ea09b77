import { isObject } from './fields.ts';

// Not `orderId` and `orderStatus`, which are fields of records.
const SORTS = /^[_$]?(?:sort|order(?:$|ing|[[.]|[_-]?(?:by|dir|field|column|asc$|desc$)))/i;
const ADDS = /^[_$]?(?:include|includes|fields|expand|embed|select|populate)(?:\[|$)/i;
const SIZES = /^(?:[_$]?(?:limit|size|take|top|per_?page|page_?size|page_?limit)|page\[(?:size|limit)\])$/i;
const POSITIONS =
  /^(?:[_$]?(?:page|offset|skip|cursor|page_?number|page_?token|start_?cursor|end_?cursor)|page\[[a-z]+\])$/i;
const NUMBERED = /^[_$]?(?:p|start|offset|skip|page(?:_?(?:no|num|number|index))?)$|^page\[(?:number|offset)\]$/i;

const FILTERS = /^[_$]?(?:filters?|where)$/i;

/**
 * Returns whether an argument of this name is an object with one condition for each field: `filter: { state }`, in a query `filter[state]`.
 */
export function isFilter(name: string): boolean {
  return FILTERS.test(name);
}

/**
 * Returns the field that an argument is about: `state` for `filter[state]`. For `filter[owner][id]` it returns `owner][id`, which is no
 * field.
 */
export function fieldOfArgument(name: string): string {
  const at = name.indexOf('[');
  return at >= 0 && name.endsWith(']') && isFilter(name.slice(0, at)) ? name.slice(at + 1, -1) : name;
}

/** Returns whether an argument of this name sets the order of a list. */
export function isSort(name: string): boolean {
  return SORTS.test(name);
}

/** Returns whether an argument of this name does not select records: it sorts them, or asks for more fields of each. */
export function isPresentation(name: string): boolean {
  return isSort(name) || ADDS.test(name);
}

/** Returns whether an argument of this name selects a page of a list. */
export function isPaging(name: string): boolean {
  return SIZES.test(name) || POSITIONS.test(name);
}

/** Returns whether an argument of this name is a number of pages or of records, and no cursor. */
export function isPosition(name: string): boolean {
  return NUMBERED.test(name);
}

/** The page of a list that arguments select. */
export interface ListPage {
  /** The largest number of records on the page, if known. */
  readonly size: number | undefined;
  /** Whether it is the first page. `undefined` if unknown. */
  readonly isFirst: boolean | undefined;
}

/** Returns the page that the arguments of a list select, or `undefined` for the whole list. */
export function pageAsked(
  args: Readonly<Record<string, unknown>>,
  isPage: (name: string) => boolean,
): ListPage | undefined {
  let size: number | undefined;
  let isFirst: boolean | undefined = true;
  const names = Object.keys(args).filter(isPage);
  for (const [name, value] of names.flatMap((paging) => membersOf(paging, args[paging]))) {
    if (SIZES.test(name)) size = Number(value);
    else isFirst = isFirst && isFirstPosition(name, String(value));
  }
  return names.length === 0 ? undefined : { size: Number.isNaN(size) ? undefined : size, isFirst };
}

/** Returns `page: { size: 10 }` as `page[size]` with 10. */
function membersOf(name: string, value: unknown): (readonly [name: string, value: unknown])[] {
  if (!isObject(value)) return [[name, value]];
  return Object.entries(value).map(([inner, member]) => [`${name}[${inner}]`, member]);
}

function isFirstPosition(name: string, value: string): boolean | undefined {
  if (value === '' || value === '0') return true;
  // The first page is taken to be 1, because hardly any API counts pages from 0.
  return value === '1' && /page|number/i.test(name) ? true : Number.isInteger(Number(value)) ? false : undefined;
}
