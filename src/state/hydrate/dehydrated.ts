import type { IssueParts } from '../store/issue-parts.ts';

/**
 * A store as plain JSON. Uses lists and not objects, so that no name in the data can be mistaken for a member such as `__proto__`. Fixed format, as
 * all types of this file: disks, server-rendered pages and other tabs have it.
 */
export interface Dehydrated {
  readonly format: 'rejoin';
  readonly version: 1;
  readonly tables: readonly DehydratedTable[];
  readonly results: readonly DehydratedResult[];
  /** By table, the fields in which responses had nested records. Their rows hold pks. */
  readonly relations?: readonly DehydratedRelations[];
  /** The temporary pks with the pks that replaced them. Left out if there are none. */
  readonly aliases?: readonly DehydratedAlias[];
  /** The requests whose results were invalidated, so that only a new request can answer them. Left out if there are none. */
  readonly invalidated?: readonly string[];
  /** The versions of results, for HTTP caching. Left out if there are none. */
  readonly versions?: readonly DehydratedVersion[];
}

/** A commit as plain JSON in the same format: the present state of the changed data, with the order in which it was requested. */
export interface DehydratedCommit extends Omit<Dehydrated, 'tables' | 'results'> {
  readonly tables: readonly (readonly [
    name: string,
    rows: readonly (readonly [...DehydratedRow, DehydratedOrder])[],
  ])[];
  readonly results: readonly (readonly [...DehydratedResult, DehydratedOrder])[];
  /** The highest issue that the store knew. */
  readonly latest: IssueParts;
  /** Names the session, for example by a user and the number of a login. Commits are applied only within a session. */
  readonly session: string;
  readonly invalidated: readonly string[];
}

/** When the content of a row was requested. */
export interface DehydratedOrder {
  readonly at: IssueParts;
  /** The fields that come from an earlier request than the others. */
  readonly fields?: readonly (readonly [name: string, at: IssueParts])[];
  /** The deletion after which the record was stored again. */
  readonly deletion?: IssueParts;
  /** The answer that had the whole record. Fields that it lacked are known not to exist. */
  readonly whole?: IssueParts;
  /** For a list whose members have changed since it arrived: when the list was requested. */
  readonly sent?: IssueParts;
  /** For a list to which pages were added: its place without them, and that with which it arrived. */
  readonly pages?: readonly [without: IssueParts, arrived: IssueParts, ...added: DehydratedPage[]];
}

/** The place of a page in the order, and the members that it added. */
export type DehydratedPage = readonly [at: IssueParts, members: readonly unknown[]];

export type DehydratedRelations = readonly [table: string, fields: readonly string[]];

export type DehydratedTable = readonly [name: string, rows: readonly DehydratedRow[]];

/** The row is `null` if it was deleted. */
export type DehydratedRow = readonly [pk: string, row: object | null, ...times: DehydratedTimes];

export type DehydratedResult = readonly [
  key: string,
  stored: unknown,
  args: readonly unknown[],
  ...times: DehydratedTimes,
];

/** The temporary pk that a record had until it was created. Rows may still refer to it. */
export type DehydratedAlias = readonly [table: string, temporary: string, pk: string];

/** The version of the result of a request, as its endpoint has noted it. */
export type DehydratedVersion = readonly [key: string, version: object];

/** How deep stored data may be nested. It is more than any one field of a response may have. */
export const DEEPEST_STORED = 1500;

/** `null` means Infinity, which JSON does not have. */
export type DehydratedTimes = readonly [fetchedAt: number, date: number, expiresAt: number | null];
