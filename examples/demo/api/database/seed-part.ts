/** The number of records of each kind for `rows` rows in all. */
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
  /** Generates the record at this index. Each part has its own random generator, so that it does not depend on the size of other parts. */
  readonly row: (at: number) => object;
}
