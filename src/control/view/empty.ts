import { ObjectSchema } from '../../define/schema/object.ts';
import { isPlain } from '../../std/plain.ts';

const known = new WeakMap<object, unknown>();

/**
 * What stands for an answer that is not there: maps of schemas keep their members, each of them empty, and what is no
 * schema, such as `''`, stands for itself.
 */
export function emptyOf(schema: unknown): unknown {
  const members: unknown = schema instanceof ObjectSchema ? schema.schema : schema;
  if (!isPlain(members) || Array.isArray(members)) return undefined;
  if (!known.has(members)) {
    const parts = Object.entries(members).map(([name, member]) => [name, isLiteral(member) ? member : emptyOf(member)]);
    known.set(members, Object.freeze(Object.fromEntries(parts)));
  }
  return known.get(members);
}

function isLiteral(member: unknown): boolean {
  return typeof member !== 'function' && typeof member !== 'object';
}
