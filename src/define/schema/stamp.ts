/** The place of a write in the order, and its times. All rows of a write share one object. */
export interface Stamp {
  /** The place in the order of requests. Only this number decides which row is newer. */
  readonly issue: number;
  /** When it was requested. */
  readonly fetchedAt: number;
  /** When it took effect. */
  readonly date: number;
  /** Until when its rows are fresh. 0 for a row in doubt. */
  readonly expiresAt: number;
  /** For a list whose members have changed since it arrived: the `issue` with which it arrived. */
  readonly sent?: number;
  /** For a list to which pages were added since it arrived. */
  readonly pages?: AddedPages | undefined;
  /**
   * For the stamp of a write: the last request that had been sent when it took effect.
   *
   * @internal
   */
  readonly latest?: number;
  /**
   * For a list: its last answer that ended with another member than the list before. An older page does not fit behind it.
   *
   * @internal
   */
  readonly cut?: ListCut | undefined;
}

/** The `issue` of a list, and the last request that had been sent when it arrived. */
export type ListCut = readonly [issue: number, latest: number];

/** The pages that were added to a list. */
export interface AddedPages {
  /** The `issue` that the list has without its pages. */
  readonly without: number;
  /** The `issue` with which the list arrived. 0 if only pages have arrived. */
  readonly arrived: number;
  /** For each page its `issue`, the members that it added, and whether it was requested by a cursor. */
  readonly added: readonly (readonly [issue: number, members: readonly unknown[], isAfterCursor?: boolean])[];
}

/** Returns when a row was requested as a whole. */
export function sentOf({ issue, sent }: Stamp): number {
  return sent ?? issue;
}

/** Returns the stamp for a row of which only the server knows the present content. */
export function inDoubt(stamp: Stamp): Stamp {
  return { ...stamp, expiresAt: 0 };
}

export function isInDoubt({ expiresAt }: Stamp): boolean {
  return expiresAt === 0;
}
