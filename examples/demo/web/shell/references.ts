/** The tables to which fields refer: table → field → table. */
export type References = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface Shape {
  readonly key?: unknown;
  readonly schema?: unknown;
}

const isShape = (value: unknown): value is Shape =>
  (typeof value === 'object' || typeof value === 'function') && value !== null;

/** The name of the table of a schema: an entity, a collection, or the items of a list. */
function tableOf(schema: unknown): string | undefined {
  if (Array.isArray(schema)) return tableOf(schema[0]);
  return isShape(schema) && typeof schema.key === 'string' ? schema.key : undefined;
}

/** Collects the schemas of all endpoints, resources and entities that a page exports, and of their parts. */
export function referencesIn(...exported: readonly unknown[]): References {
  const found = new Map<string, ReadonlyMap<string, string>>();
  const seen = new Set<unknown>();
  const ahead = [...exported];
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (!isShape(next) || seen.has(next)) continue;
    seen.add(next);
    if (Array.isArray(next)) ahead.push(...next);
    const { key, schema } = next;
    ahead.push(schema);
    if (typeof next === 'object' || !isShape(schema)) ahead.push(...Object.values(next));
    if (!isShape(schema) || Array.isArray(schema)) continue;
    ahead.push(...Object.values(schema));
    if (typeof key !== 'string' || typeof next !== 'function') continue;
    const fields = Object.entries(schema).flatMap(([field, to]) => {
      const table = tableOf(to);
      return table === undefined ? [] : [[field, table] as const];
    });
    found.set(key, new Map(fields));
  }
  return found;
}
