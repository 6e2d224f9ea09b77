/** A mistake, as a replacement in one file of the sources. */
export interface Bug {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The row of the scoreboard that searches for it first. */
  readonly by?: string;
}

export const storeBugs: readonly Bug[];
