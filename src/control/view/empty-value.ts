import { memberSchemas } from '../../define/schema/bare-answer.ts';

const known = new WeakMap<object, unknown>();

/**
 * Returns the value for a missing answer. An object of schemas keeps its members, each of them empty. A member that is no
 * schema, such as `''`, stays as it is.
 */
export function emptyOf(schema: unknown): unknown {
  const members = memberSchemas(schema);
  if (members === undefined) return undefined;
  if (!known.has(members)) {
    const parts = Object.entries(members).map(([name, member]) => [name, isLiteral(member) ? member : emptyOf(member)]);
    known.set(members, Object.freeze(Object.fromEntries(parts)));
  }
  return known.get(members);
}

/** Returns the data to show; the empty value of the schema if there is none. `null` is data: the server has answered with it. */
export function dataOrEmpty(data: unknown, schema: unknown): unknown {
  return data === undefined ? emptyOf(schema) : data;
}

function isLiteral(member: unknown): boolean {
  return member === null || (typeof member !== 'function' && typeof member !== 'object');
}
