/** What stands for an answer that is not there: objects keep their members, each of them empty. */
export function emptyOf(schema: unknown): unknown {
  const members: unknown = isMap(schema) ? schema : undefined;
  if (members === undefined) return undefined;
  return Object.fromEntries(Object.entries(members as object).map(([name, member]) => [name, emptyOf(member)]));
}

/** Whether it is a map of schemas, and not a schema with methods. */
function isMap(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.getPrototypeOf(schema) === Object.prototype;
}
