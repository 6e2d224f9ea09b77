import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import { isPlain, type Fields } from '../../std/plain.ts';

/** What is known of a record that an answer has. */
export interface AnswerContext {
  readonly args: readonly unknown[];
  /** The fields that the mutation asked for. */
  readonly asked: ReadonlyMap<string, unknown> | undefined;
  readonly row: unknown;
}

/**
 * A record as an answer has it, with what was asked for and the answer leaves out: it was accepted, and many servers answer with no more
 * than an id, or a version. Returns the record as it is where the answer leaves out nothing that the class or the row knows.
 */
export function withLeftOut(entity: unknown, answered: object, { args, asked, row }: AnswerContext): object {
  if (asked === undefined || !isEntity(entity) || !isPlain(answered)) return answered;
  const isUnsaid = ([field]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(answered, field) && isKnown(entity, row, field);
  const unsaid = [...asked].filter(isUnsaid);
  if (unsaid.length === 0) return answered;
  const said = namesSaid(entity, answered, args);
  const left = unsaid.filter(([field]) => said?.has(field) === false);
  return left.length === 0 ? answered : { ...Object.fromEntries(left), ...answered };
}

function isKnown({ defaults, schema }: EntityInterface, row: unknown, field: string): boolean {
  return [defaults, schema, row].some((known) => Object.hasOwn(Object(known) as Fields, field));
}

/** The fields that a class makes of an answer; `undefined` where it makes nothing of it. */
function namesSaid(
  entity: EntityInterface,
  answered: object,
  args: readonly unknown[],
): ReadonlySet<string> | undefined {
  try {
    // A copy: it is processed once more when it is filed.
    const processed: unknown = entity.process({ ...answered }, undefined, undefined, args);
    return isPlain(processed) ? new Set(Object.keys(processed)) : undefined;
  } catch {
    return undefined;
  }
}
