import type { Dehydrated, DehydratedTimes } from '../../state/hydrate/dehydrated.ts';

/** The part of the server's state at one place of the page. */
export interface PagePart {
  /** The clock of the server. */
  readonly now: number;
  /** The states that were added to the store since the previous part, in order. */
  readonly states: readonly Dehydrated[];
  /** By reader: how many of the states it shows. Only readers that do not show all of them. */
  readonly early: readonly (readonly [id: string, states: number])[];
  /** The requests in flight, whose answers will be in a later part. */
  readonly pending: readonly string[];
}

/** A page's state in one piece. */
export interface WholeState {
  /** The clock of the server. */
  readonly now: number;
  readonly state: Dehydrated;
}

/**
 * Shifts all times in a state by `by`, so that data is as fresh by the clock of the browser as by that of the server. No data is fresh for longer than
 * until `latest`.
 */
export function withLaterTimes(
  { tables, results, ...rest }: Dehydrated,
  by: number,
  latest: number = Number.POSITIVE_INFINITY,
): Dehydrated {
  const shiftTimes = ([fetchedAt, date, expiresAt]: DehydratedTimes): DehydratedTimes => [
    fetchedAt + by,
    date + by,
    expiresAt === null && latest === Number.POSITIVE_INFINITY ? null : Math.min((expiresAt ?? latest) + by, latest),
  ];
  return {
    ...rest,
    tables: tables.map(([name, rows]) => [name, rows.map(([pk, row, ...times]) => [pk, row, ...shiftTimes(times)])]),
    results: results.map(([key, stored, args, ...times]) => [key, stored, args, ...shiftTimes(times)]),
  };
}

/** The id of the state scripts. Several roots on one page have an id each. */
export const DEFAULT_ID = 'rejoin';
