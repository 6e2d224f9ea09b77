/** Runs SQL: the database itself, or a transaction. */
export interface Queries {
  query<Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** The interface between the routes and any kind of Postgres. */
export interface Database extends Queries {
  /** A description to print, such as "embedded Postgres in …". Never contains a password. */
  readonly name: string;
  /** Runs `work` in a transaction. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** The Postgres schema of all tables, so that other tables of a shared database are not affected. */
export const SCHEMA = 'rejoin_demo';

/** Runs a query with one column, `json`: the database builds the records. */
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
