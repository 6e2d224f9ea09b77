import type { SchemaSimple } from '../../define/schema/schema.ts';

/** Returns the arguments by which a value of a schema is cached: those of the schema, or the given ones. */
export function keptArgs(schema: unknown, given: readonly unknown[]): readonly unknown[] {
  const { keptBy } = Object(schema) as Partial<SchemaSimple>;
  return keptBy?.call(schema, given) ?? given;
}
