import type { IssuePlace } from '../store/place.ts';

/** A store as plain JSON. Lists rather than objects, so that no name in it can be mistaken for a member. */
export interface Dehydrated {
  readonly format: 'rejoin';
  readonly version: 1;
  readonly tables: readonly DehydratedTable[];
  readonly results: readonly DehydratedResult[];
  /** The fields that responses had records in, by table: rows hold the pks of those. */
  readonly relations?: readonly DehydratedRelations[];
  /** What temporary pks stand for. Left out where there are none. */
  readonly aliases?: readonly DehydratedAlias[];
}

/** A commit as plain JSON, of the same format: what it changed, as it is now, and in which order that was asked for. */
export interface DehydratedCommit extends Omit<Dehydrated, 'tables' | 'results'> {
  readonly tables: readonly (readonly [
    name: string,
    rows: readonly (readonly [...DehydratedRow, DehydratedOrder])[],
  ])[];
  readonly results: readonly (readonly [...DehydratedResult, DehydratedOrder])[];
  /** The latest place in the order that the store has handed out or heard of. */
  readonly latest: IssuePlace;
  /** What the two stores belong to, such as a user and the number of a login. */
  readonly session: string;
  /** The requests whose results were thrown away, so that only another request can answer. */
  readonly invalidated: readonly string[];
}

/** When what is in a row was asked for. */
export interface DehydratedOrder {
  readonly at: IssuePlace;
  /** The fields that come from an earlier request than the others. */
  readonly fields?: readonly (readonly [name: string, at: IssuePlace])[];
  /** The deletion after which the record came back. */
  readonly deletion?: IssuePlace;
  /** The answer that was the whole record: fields that it did not have are known not to be there. */
  readonly whole?: IssuePlace;
  /** Of a list whose members have changed since it was sent: when it was asked for. */
  readonly sent?: IssuePlace;
}

export type DehydratedRelations = readonly [table: string, fields: readonly string[]];

export type DehydratedTable = readonly [name: string, rows: readonly DehydratedRow[]];

/** `null` stands for a row that was deleted. */
export type DehydratedRow = readonly [pk: string, row: object | null, ...times: DehydratedTimes];

export type DehydratedResult = readonly [
  key: string,
  stored: unknown,
  args: readonly unknown[],
  ...times: DehydratedTimes,
];

/** A pk that a record had until it was created, to which rows may still refer. */
export type DehydratedAlias = readonly [table: string, temporary: string, pk: string];

/** How deep what is stored can be nested: deeper than any one field of a response. */
export const DEEPEST_STORED = 1500;

/** `null` stands for never, which JSON cannot say. */
export type DehydratedTimes = readonly [fetchedAt: number, date: number, expiresAt: number | null];
