import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import { isPlain, type Fields } from '../../std/plain.ts';

/** What is known about a record in an answer. */
export interface AnswerContext {
  readonly args: readonly unknown[];
  /** The fields that the mutation sent. */
  readonly asked: ReadonlyMap<string, unknown> | undefined;
  readonly row: unknown;
}

/**
 * Completes a record of an answer with the fields that the mutation sent and the answer leaves out. The server accepted them: many servers answer with no more
 * than an id or a version. Returns the same object if the answer leaves out no field that the class or the row has.
 */
export function withLeftOut(entity: unknown, answered: object, { args, asked, row }: AnswerContext): object {
  if (asked === undefined || !isEntity(entity) || !isPlain(answered)) return answered;
  const isAbsent = ([field]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(answered, field) && isKnown(entity, row, field);
  const absent = [...asked].filter(isAbsent);
  if (absent.length === 0) return answered;
  const made = namesMade(entity, answered, args);
  const left = absent.filter(([field]) => made?.has(field) === false);
  return left.length === 0 ? answered : { ...Object.fromEntries(left), ...answered };
}

function isKnown({ defaults, schema }: EntityInterface, row: unknown, field: string): boolean {
  return [defaults, schema, row].some((known) => Object.hasOwn(Object(known) as Fields, field));
}

/** The names of the fields that a class makes from an answer; `undefined` if its `process` returns nothing. */
function namesMade(
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
