/** How many of each there are when `rows` users, posts, comments and todos are asked for. */
export interface Sizes {
  readonly users: number;
  readonly posts: number;
  readonly comments: number;
  readonly todos: number;
}

/** The records of one table. */
export interface Part {
  readonly table: string;
  readonly columns: string;
  readonly count: number;
  /** The record at this place. It draws from a generator of its own, so that no part depends on the size of another. */
  readonly row: (at: number) => object;
}
