import { spliced } from '../../std/splice.ts';
import { isSame, missingIn } from './collection-members.ts';
import { type AddedPages, sentOf, type Stamp } from './stamp.ts';

export type PageMembers = readonly unknown[];

/** Adds the new members of a page to a list: before those of pages that were requested later, otherwise at the end. */
export function addPage(known: Stamp, { issue }: Stamp, list: PageMembers, members: PageMembers): PageMembers {
  const added = missingIn(list, members);
  if (added.length === 0) return list;
  const places = laterPages(known, issue).map(([, [first]]) => list.findIndex((member) => isSame(member, first)));
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

/** Returns a list that arrived as a whole, with the members of pages that were requested after it and answered before it. */
export function withLaterPages(list: PageMembers, former: PageMembers, known: Stamp, { issue }: Stamp): PageMembers {
  const members = laterPages(known, issue).flatMap(([, added]) => added);
  // Members that have left the list since are not added again.
  const others = missingIn(members, former);
  return [...list, ...missingIn([...list, ...others], former)];
}

/** Returns the stamp of a list after `withLaterPages`. */
export function stampWithLaterPages(meta: Stamp, known: Stamp): Stamp {
  const { issue } = meta;
  const added = laterPages(known, issue);
  return added.length === 0
    ? meta
    : { ...meta, issue: known.issue, sent: issue, pages: { without: issue, arrived: issue, added } };
}

function laterPages({ pages }: Stamp, issue: number): AddedPages['added'] {
  return pages?.added.filter(([other]) => other > issue) ?? [];
}
