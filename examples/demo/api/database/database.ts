/** Whoever can run SQL: the database itself, or a transaction of it. */
export interface Queries {
  query<Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** The thin waist: everything above speaks SQL through this and does not know which Postgres answers. */
export interface Database extends Queries {
  /** What it is, for people: "embedded Postgres in …". Never contains a password. */
  readonly name: string;
  /** All of `work` or none of it. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** The schema (in Postgres' sense) that everything lives in, so that a shared database keeps its other tables. */
export const SCHEMA = 'rejoin_demo';

/** Queries that answer with one column called `json`: the records are put together by the database. */
export async function records<Value>(
  queries: Queries,
  sql: string,
  params: readonly unknown[] = [],
): Promise<readonly Value[]> {
  const rows = await queries.query<{ json: Value }>(sql, params);
  return rows.map(({ json }) => json);
}

export async function record<Value>(
  queries: Queries,
  sql: string,
  params: readonly unknown[] = [],
): Promise<Value | undefined> {
  return (await records<Value>(queries, sql, params))[0];
}
