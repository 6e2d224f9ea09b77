import { spliced } from '../../std/splice.ts';
import { indexIn, isSameMember, missingIn } from './collection-members.ts';
import { isAccompanied } from './list-evidence.ts';
import { type AddedPages, sentOf, type Stamp } from './stamp.ts';

export type PageMembers = readonly unknown[];

/** Adds the new members of a page to a list: before those of pages that were requested later, otherwise at the end. */
export function addPage(known: Stamp, { issue }: Stamp, list: PageMembers, members: PageMembers): PageMembers {
  const added = missingIn(list, members);
  if (added.length === 0) return list;
  const later = known.pages?.added.filter(([other]) => other > issue) ?? [];
  const places = later.map(([, [first]]) => list.findIndex((member) => isSameMember(member, first)));
  return spliced(list, Math.min(list.length, ...places.filter((place) => place >= 0)), 0, added);
}

/** Returns the stamp of a page whose list has not arrived. */
export function stampOfFirstPage(meta: Stamp, members: PageMembers): Stamp {
  return { ...meta, pages: { without: 0, arrived: 0, added: [[meta.issue, members]] } };
}

/** Returns the stamp of a list after `addPage`. */
export function stampWithPage(
  meta: Stamp,
  known: Stamp,
  list: PageMembers,
  members: PageMembers,
  issue: number,
): Stamp {
  const { added, ...places } = known.pages ?? { without: known.issue, arrived: sentOf(known), added: [] };
  const page = missingIn(list, members);
  return { ...meta, pages: { ...places, added: page.length === 0 ? added : [...added, [issue, page]] } };
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
  const added = known.pages === undefined ? [] : pagesBehind(list, former, known.pages, issue)[0];
  return added.length === 0
    ? meta
    : { ...meta, issue: Math.max(issue, known.issue), sent: issue, pages: { without: issue, arrived: issue, added } };
}

/**
 * Returns the pages that stay behind a list that arrived as a whole, and their members. If the list has all members that the former list had up
 * to the last member of the list, all pages stay. Otherwise only those pages stay that were requested after the list and answered before it. This
 * is also so if the list is shorter than a page, because it is then complete, and if a cursor came with it, which names the next page.
 */
function pagesBehind(
  list: PageMembers,
  former: PageMembers,
  { added }: AddedPages,
  issue: number,
): readonly [AddedPages['added'], PageMembers] {
  const isPage = !isAccompanied(list) && Number(added[0]?.[1].length) <= list.length;
  const end = isPage ? indexIn(former, list.at(-1)) + 1 : 0;
  if (end > 0 && missingIn(list, former.slice(0, end)).length === 0) return [added, missingIn(list, former.slice(end))];
  const later = added.filter(([other]) => other > issue);
  // Members that have left the list since are not added again.
  const others = missingIn(
    later.flatMap(([, members]) => members),
    former,
  );
  return [later, missingIn([...list, ...others], former)];
}
