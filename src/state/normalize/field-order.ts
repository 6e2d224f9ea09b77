import type { Stamp } from '../../define/schema/schema.ts';

export type Issues = ReadonlyMap<string, number>;

/** The stamp of a row to which the order of requests makes a difference field by field. */
interface Ordered extends Stamp {
  /** The fields that come from an earlier request than the others. */
  readonly fields: Issues | undefined;
  /** The issue of the deletion after which the record came back; 0 if there was none. */
  readonly deletion: number;
}

/** The stamp of one row, with what the stamp of its write does not tell. */
export function ordered(stamp: Stamp, fields: Issues | undefined, deletion: number): Stamp {
  if (fields === undefined && deletion === 0) return stamp;
  const own: Ordered = { ...stamp, fields, deletion };
  return own;
}

export function fieldsOf(stamp: Stamp | undefined): Issues | undefined {
  return (stamp as Ordered | undefined)?.fields;
}

export function deletionOf(stamp: Stamp | undefined): number {
  return (stamp as Ordered | undefined)?.deletion ?? 0;
}
