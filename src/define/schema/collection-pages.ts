import { spliced } from '../../std/splice.ts';
import { indexIn, isSameMember, missingIn } from './collection-members.ts';
import { isAccompanied } from './list-evidence.ts';
import { type AddedPages, sentOf, type Stamp } from './stamp.ts';

export type PageMembers = readonly unknown[];

/** Passes the new members of a page from `addPage` to `stampWithPage`, because it takes long to search a long list for them again. */
const newMembers = new WeakMap<PageMembers, PageMembers>();

/** Adds the new members of a page to a list: before those of pages that were requested later, otherwise at the end. */
export function addPage(known: Stamp, { issue }: Stamp, list: PageMembers, members: PageMembers): PageMembers {
  const added = missingIn(list, members);
  newMembers.set(members, added);
  if (added.length === 0) return list;
  const later = known.pages?.added.filter(([other]) => other > issue) ?? [];
  // The first record of a page may have left the list since.
  const places = later.map(([, others]) => others.map((other) => indexIn(list, other)).find((place) => place >= 0));
  return spliced(list, Math.min(list.length, ...places.filter((place) => place !== undefined)), 0, added);
}

/** Returns the stamp of a page whose list has not arrived. */
export function stampOfFirstPage(meta: Stamp, members: PageMembers): Stamp {
  return { ...meta, pages: { without: 0, arrived: 0, added: [[meta.issue, members]] } };
}

/** Returns the stamp of a list after `addPage`, which was called before. */
export function stampWithPage(
  meta: Stamp,
  known: Stamp,
  members: PageMembers,
  issue: number,
  isAfterCursor: boolean,
): Stamp {
  const { added, ...places } = known.pages ?? { without: known.issue, arrived: sentOf(known), added: [] };
  const page = newMembers.get(members) as PageMembers;
  const all = page.length === 0 ? added : [...added, [issue, page, isAfterCursor] as const];
  return { ...meta, cut: known.cut, pages: { ...places, added: all } };
}

/**
 * Returns whether a page comes too late for a list, so that a gap would be before it: the list was requested after the page, and ends elsewhere than
 * the list before. A page that was requested by a cursor is also too late if it was requested before the list arrived.
 */
export function isLatePage({ cut }: Stamp, { issue }: Stamp, isAfterCursor: boolean): boolean {
  return issue <= Number(cut?.[isAfterCursor ? 1 : 0]);
}

/** Returns the stamp of a list without its pages. */
export function stampWithoutPages(known: Stamp): Stamp {
  return known.pages === undefined ? known : { ...known, issue: known.pages.without, pages: undefined };
}

/** Returns a list that arrived as a whole, with the members of pages that stay behind it. */
export function withPages(list: PageMembers, former: PageMembers, { pages }: Stamp, { issue }: Stamp): PageMembers {
  return pages === undefined ? list : [...list, ...pagesBehind(list, former, pages, issue)[1]];
}

/** Returns the stamp of a list after `withPages`. */
export function stampWithPages(meta: Stamp, known: Stamp, list: PageMembers, former: PageMembers): Stamp {
  const { issue } = meta;
  const [added, behind] = known.pages === undefined ? [NONE, NONE] : pagesBehind(list, former, known.pages, issue);
  const cut = cutOf(meta, known, former, list, behind);
  const stamp = cut === undefined ? meta : { ...meta, cut };
  if (added.length === 0) return stamp;
  const pages = { without: issue, arrived: issue, added };
  return { ...stamp, issue: Math.max(issue, known.issue), sent: issue, pages };
}

/** Returns the last list that ended elsewhere than the one before it, after a list, and the members of pages behind it, replaced the former one. */
export function cutOf(
  { issue, latest }: Stamp,
  { cut, pages }: Stamp,
  former: PageMembers,
  list: PageMembers,
  behind: PageMembers = [],
): Stamp['cut'] {
  const hadEnd = Array.isArray(former) && former.length > 0 && pages?.arrived !== 0;
  const isCut = hadEnd && !isSameMember(behind.at(-1) ?? list.at(-1), former.at(-1));
  return isCut ? [issue, latest as number] : cut;
}

const NONE: readonly [] = [];

/**
 * Returns the pages that stay behind a list that arrived as a whole, and their members. If the list has all members that the former list had up
 * to the last member of the list, all pages stay. Otherwise only those pages stay that were requested after the list and answered before it, and
 * that no cursor of the former list names. This is also so if the list is shorter than a page, because it is then complete, and if a cursor came
 * with it, which names the next page.
 */
function pagesBehind(
  list: PageMembers,
  former: PageMembers,
  { added, arrived }: AddedPages,
  issue: number,
): readonly [AddedPages['added'], PageMembers] {
  const isPage = !isAccompanied(list) && Number(added[0]?.[1].length) <= list.length;
  const end = isPage ? indexIn(former, list.at(-1)) + 1 : 0;
  if (end > 0 && missingIn(list, former.slice(0, end)).length === 0) return [added, missingIn(list, former.slice(end))];
  const later = added.filter(([other, , isAfterCursor]) => other > issue && (arrived === 0 || !isAfterCursor));
  // Members that have left the list since are not added again.
  const others = missingIn(
    later.flatMap(([, members]) => members),
    former,
  );
  return [later, missingIn([...list, ...others], former)];
}
