import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain } from '../../std/plain.ts';
import { memberWithRecord } from './bare-answer.ts';
import { isMemberChange } from './collection-schema.ts';
import { isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import { inputInvalid } from './input-invalid.ts';
import { ObjectSchema } from './object.ts';
import { isUnion } from './polymorphic.ts';
import type { SchemaSimple } from './schema.ts';

/**
 * Throws if a read was answered without data: where its schema needs a record, with `null`, text or a number, and where it needs a list or an
 * object, with nothing. Inside an answer, `null` and a pk in place of a record are allowed.
 */
export function checkAnswer(schema: unknown, answer: unknown): void {
  if (isObject(answer)) return;
  const normalizing = normalizingSchema(schema);
  const isNothing = answer === undefined || answer === null;
  const isRecord = isEntity(normalizing) || isUnion(normalizing);
  if (!isRecord && !(isNothing && isObject(normalizing))) return;
  const entity = isEntity(normalizing) ? normalizing.key : undefined;
  const expected = entity === undefined ? expectedIn(normalizing) : `A record of ${entity}`;
  const error = inputInvalid(expected, answer, entity, isNothing ? emptyCure(normalizing) : undefined);
  error.status = 400;
  throw error.at('');
}

/** Throws if a mutation that adds a record to lists, or removes it, was answered with an object around the record. */
export function checkMember(schema: unknown, answer: unknown, args: readonly unknown[]): void {
  const name = isMemberChange(schema) ? memberWithRecord(schema, answer, args) : undefined;
  if (name === undefined) return;
  const error = new DataError('input-invalid', `A record was expected, but the response has it in ${name}.`, {
    cure: inDevelopment(() => `Write schema: { ${name}: list.push }, or process: ({ ${name} }) => ${name}.`),
  });
  error.status = 400;
  throw error;
}

function expectedIn(schema: unknown): string {
  if (isUnion(schema)) return 'A record';
  return isList(schema) ? 'A list' : 'An object';
}

function isList(schema: unknown): boolean {
  const { schema: inner } = Object(schema) as { readonly schema?: unknown };
  return Array.isArray(schema) || [schema, inner].some((one) => 'listOf' in Object(one));
}

/* oxlint-disable unicorn/consistent-function-scoping -- a production bundle has none of what is inside the callback */

/** Returns the lines to write if an empty answer, such as one with status 204, is right. */
function emptyCure(schema: unknown): string | undefined {
  return inDevelopment(() => {
    // The code of an answer in which all lists are empty, and everything else is missing.
    const empty = (): string => {
      if (isList(schema)) return '[]';
      if (!isPlain(schema)) return '{}';
      const members = Object.entries(schema).map(([name, member]) => `${name}: ${isList(member) ? '[]' : 'null'}`);
      return `{ ${members.join(', ')} }`;
    };
    const name = isEntity(schema) ? schema.key : isUnion(schema) && 'Union';
    const lines = name
      ? `schema: { found: ${name} as typeof ${name} | null }, process: (found) => ({ found })`
      : `process: (value) => value ?? ${empty()}`;
    return `If an empty answer is right, write ${lines}.`;
  });
}

/** Returns the schema that normalizes the input of another schema, such as the inner schema of a Query. */
function normalizingSchema(schema: unknown): unknown {
  const { normalizesAs } = Object(schema) as { readonly normalizesAs?: unknown };
  return normalizesAs === undefined ? schema : normalizingSchema(normalizesAs);
}

/** Schemas that `checkReadable` has checked before. */
const readable = /* #__PURE__ */ new WeakSet<object>();

/**
 * Throws if the schema of an endpoint, or a member of it, is a live query. A live query reads stored records, and cannot normalize an
 * answer.
 */
export function checkReadable(schema: unknown, name: string): void {
  if (!isObject(schema) || readable.has(schema)) return;
  const seen = new Set<unknown>([schema]);
  for (const one of seen) {
    if (!isObject(one)) continue;
    const { keptBy, normalizesAs, listOf, mapOf } = one as Partial<SchemaSimple>;
    if (keptBy !== undefined) throw queryUnreadable(name);
    for (const inner of [normalizesAs, listOf, mapOf]) seen.add(inner);
    if (one instanceof ObjectSchema) seen.add(one.schema);
    else if (isPlain(one)) for (const member of Object.values(one)) seen.add(member);
  }
  readable.add(schema);
}

function queryUnreadable(name: string): DataError {
  return new DataError('query-invalid', `The schema of ${name} is a live query, which cannot store an answer.`, {
    cure: inDevelopment(
      () => 'Use the class, or a list such as [Post], and read the answer by query.loadedBy(endpoint).',
    ),
  });
}
