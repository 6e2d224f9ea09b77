import type { Dehydrated, DehydratedTimes } from '../../state/hydrate/dehydrated.ts';

/** What a page says of the server's store at one place of its stream. */
export interface PagePart {
  /** The clock of the server. */
  readonly now: number;
  /** What came into the store since the part before, one after the other. */
  readonly states: readonly Dehydrated[];
  /** Readers in the page that show less than is known by now: how many of the states are in what they show. */
  readonly early: readonly (readonly [id: string, states: number])[];
  /** Requests under way, whose answers will be in a later part. */
  readonly pending: readonly string[];
}

/** A page's state in one piece. */
export interface WholeState {
  /** The clock of the server. */
  readonly now: number;
  readonly state: Dehydrated;
}

/** A state whose times are `by` later: what the server took for fresh is so by another clock too. */
export function later({ tables, results, ...rest }: Dehydrated, by: number): Dehydrated {
  const moved = ([fetchedAt, date, expiresAt]: DehydratedTimes): DehydratedTimes => [
    fetchedAt + by,
    date + by,
    expiresAt === null ? null : expiresAt + by,
  ];
  return {
    ...rest,
    tables: tables.map(([name, rows]) => [name, rows.map(([pk, row, ...times]) => [pk, row, ...moved(times)])]),
    results: results.map(([key, stored, args, ...times]) => [key, stored, args, ...moved(times)]),
  };
}

/** How the scripts of a page are told from others; several roots of one page have ids of their own. */
export const DEFAULT_ID = 'rejoin';
