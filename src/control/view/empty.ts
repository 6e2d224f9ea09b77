import { isPlain } from '../../std/plain.ts';

/** What stands for an answer that is not there: maps of schemas keep their members, each of them empty. */
export function emptyOf(schema: unknown): unknown {
  if (!isPlain(schema) || Array.isArray(schema)) return undefined;
  return Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, emptyOf(member)]));
}
