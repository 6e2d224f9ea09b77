import { pkOfPart } from '../../define/schema/pk.ts';
import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import { isPlain, type Fields } from '../../std/plain.ts';
import { entityOf } from './mutated-record.ts';

/** The facts about a record in an answer. */
export interface AnswerContext {
  readonly args: readonly unknown[];
  /** The fields that the mutation sent. */
  readonly sent: unknown;
  readonly row: unknown;
}

/**
 * Returns a record of an answer, completed with the fields that the mutation sent and that the answer leaves out. The server has accepted them: many
 * servers answer with an id or a version only. Returns the same object if the answer leaves out no field that the class or the row has.
 */
export function withLeftOut(entity: unknown, answered: object, { args, sent, row }: AnswerContext): object {
  if (!isPlain(sent) || !isEntity(entity) || !isPlain(answered)) return answered;
  const isAbsent = ([field]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(answered, field) && isKnownField(entity, row, field);
  const absent = Object.entries(sent).filter(isAbsent);
  if (absent.length === 0) return answered;
  const names = namesAfterProcess(entity, answered, args);
  const leftOut = absent.filter(([field]) => names?.has(field) === false);
  if (leftOut.length === 0) return answered;
  return {
    ...Object.fromEntries(leftOut.filter(([field, value]) => !hasNewRecord(entity.schema[field], value))),
    ...answered,
  };
}

/** Returns whether a sent value contains records without a pk: only the server knows their pks. */
function hasNewRecord(schema: unknown, value: unknown): boolean {
  const entity = entityOf(schema);
  return [value].flat().some((item) => entity && isPlain(item) && pkOfPart(entity, item, []) === undefined);
}

/** Returns whether a class or a stored row has a field. */
function isKnownField({ defaults, schema }: EntityInterface, row: unknown, field: string): boolean {
  return [defaults, schema, row].some((known) => Object.hasOwn(Object(known) as Fields, field));
}

/** Returns the names of the fields that `process` of a class makes from an answer; `undefined` if its `process` returns nothing. */
function namesAfterProcess(
  entity: EntityInterface,
  answered: object,
  args: readonly unknown[],
): ReadonlySet<string> | undefined {
  try {
    // A copy, because the original is processed again when it is stored.
    const processed: unknown = entity.process({ ...answered }, undefined, undefined, args);
    return isPlain(processed) ? new Set(Object.keys(processed)) : undefined;
  } catch {
    return undefined;
  }
}
