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
