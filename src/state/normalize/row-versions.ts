import { missingIn } from '../../define/schema/collection-members.ts';
import { addPage } from '../../define/schema/collection-pages.ts';
import { INVALID, type Invalid, type Row } from '../../define/schema/row.ts';
import { type AddedPages, sentOf, type Stamp } from '../../define/schema/stamp.ts';
import { equalPlain, setOwn, type WritableFields } from '../../std/plain.ts';
import { deletionOf, issueOf, stampInOrder, wholeOf } from './field-order.ts';

/** A confirmed row of a store with its stamp. */
export interface RowVersion {
  readonly row: Row | Invalid;
  readonly stamp: Stamp;
}

/**
 * Merges the versions of one record in two stores. For each field, the value that was requested later wins; if both were requested at the
 * same place in the order, `incoming` wins. A deletion removes values that were requested before it.
 */
export function joinVersions(known: RowVersion, incoming: RowVersion, isWhole: boolean): RowVersion {
  if (isWhole) return joinLists(known, incoming);
  const later = incoming.stamp.issue >= known.stamp.issue ? incoming : known;
  if (later.row === INVALID) return later;
  const deletion = Math.max(deletionIn(known), deletionIn(incoming));
  const living = [known, incoming].filter(isNotDeleted).filter(({ stamp }) => deletion === 0 || stamp.issue > deletion);
  if (living.length === 0) return later;
  const joined = fieldsOfBoth(living, later.stamp, deletion);
  return equalPlain(joined.row, known.row) ? { row: known.row, stamp: joined.stamp } : joined;
}

/** Returns the list that is later without its pages, with the pages of the other one that were requested after it. */
function joinLists(known: RowVersion, incoming: RowVersion): RowVersion {
  const isLater = issueOfList(incoming.stamp) >= issueOfList(known.stamp);
  const [list, other] = isLater ? [incoming, known] : [known, incoming];
  return (other.stamp.pages?.added ?? []).reduce((joined, page) => joinPage(joined, other.row, page), list);
}

function issueOfList({ issue, pages }: Stamp): number {
  return pages?.without ?? issue;
}

function joinPage(
  list: RowVersion,
  former: RowVersion['row'],
  [issue, added]: AddedPages['added'][number],
): RowVersion {
  const { row, stamp } = list;
  const { added: others, ...without } = stamp.pages ?? { without: stamp.issue, arrived: sentOf(stamp), added: [] };
  const isKnown = issue <= without.arrived || others.some(([other]) => other === issue);
  if (isKnown || !Array.isArray(row) || !Array.isArray(former)) return list;
  // Members that have left the list since are not added again.
  const members = added.filter((member) => missingIn(former, [member]).length === 0);
  return {
    row: addPage(stamp, { ...stamp, issue }, row, members),
    stamp: {
      ...stamp,
      issue: Math.max(stamp.issue, issue),
      pages: { ...without, added: [...others, [issue, members]] },
    },
  };
}

type LiveVersion = RowVersion & { readonly row: Row };

function isNotDeleted(version: RowVersion): version is LiveVersion {
  return version.row !== INVALID;
}

function deletionIn({ row, stamp }: RowVersion): number {
  return row === INVALID ? stamp.issue : deletionOf(stamp);
}

function fieldsOfBoth(versions: readonly LiveVersion[], later: Stamp, deletion: number): RowVersion {
  const row: WritableFields = {};
  const issues = new Map<string, number>();
  for (const field of new Set(versions.flatMap((version) => Object.keys(version.row)))) {
    const { issue, value, isThere } = versions.map((version) => fieldOf(version, field)).reduce(laterField);
    if (!isThere || (deletion > 0 && issue <= deletion)) continue;
    setOwn(row, field, value);
    if (issue !== later.issue) issues.set(field, issue);
  }
  const { issue, fetchedAt, date, expiresAt } = later;
  const fields = issues.size > 0 ? issues : undefined;
  const whole = Math.max(...versions.map(({ stamp }) => wholeOf(stamp)));
  return { row, stamp: stampInOrder({ issue, fetchedAt, date, expiresAt }, fields, deletion, whole) };
}

/** One field of a version: its value, or that the record lacks it. */
interface FieldVersion {
  readonly issue: number;
  readonly value: unknown;
  readonly isThere: boolean;
}

function fieldOf({ row, stamp }: LiveVersion, field: string): FieldVersion {
  const isThere = Object.hasOwn(row, field);
  return { issue: isThere ? issueOf(stamp, field) : wholeOf(stamp), value: (row as WritableFields)[field], isThere };
}

function laterField(one: FieldVersion, other: FieldVersion): FieldVersion {
  return other.issue >= one.issue ? other : one;
}
