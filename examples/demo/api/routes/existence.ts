import type { Queries } from '../database/database.ts';
import { invalid } from '../problem.ts';

export async function count({ query }: Queries, from: string, params: readonly unknown[]): Promise<number> {
  return (await query<{ count: number }>(`select count(*)::int as count from ${from}`, params))[0]?.count ?? 0;
}

/** A record that a body refers to: without it, the body is not valid, and `pointer` says where. */
export async function mustExist(
  queries: Queries,
  table: 'person' | 'tag' | 'team',
  id: string | number,
  pointer: string,
  what: string,
): Promise<void> {
  if ((await count(queries, `${table} where id = $1`, [id])) === 0)
    throw invalid([{ pointer, detail: `names a ${what} that does not exist` }]);
}
