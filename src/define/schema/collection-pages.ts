import { spliced } from '../../std/splice.ts';
import { isSame, missingIn } from './collection-members.ts';
import type { Stamp } from './schema.ts';

/** Adds the new members of a page to a list: before those of pages that were requested later, otherwise at the end. */
export function addPage(
  list: readonly unknown[],
  members: readonly unknown[],
  { pages }: Stamp,
  { issue }: Stamp,
): readonly unknown[] {
  const added = missingIn(list, members);
  if (added.length === 0) return list;
  const later = pages?.filter(([other]) => other > issue) ?? [];
  const places = later.map(([, first]) => list.findIndex((member) => isSame(member, first)));
  return spliced(list, Math.min(list.length, ...places.filter((place) => place >= 0)), 0, added);
}

/** Returns the pages of a list after `addPage`. */
export function pagesAfter(
  list: readonly unknown[],
  members: readonly unknown[],
  { pages = [] }: Stamp,
  { issue }: Stamp,
): NonNullable<Stamp['pages']> {
  const [first] = missingIn(list, members);
  return first === undefined ? pages : [...pages, [issue, first]];
}
