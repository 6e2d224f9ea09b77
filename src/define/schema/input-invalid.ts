import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isObject } from './fields.ts';
import type { EntityInterface } from './entity.ts';
import { pkIfAny, type PkSource } from './pk.ts';

/** Creates the error for a response that does not have the shape of its schema. `cure` says what to write instead. */
export function inputInvalid(
  expected: string,
  input: unknown,
  entity?: string,
  cure: string | undefined = inDevelopment(() => 'Correct the schema, or process() of the endpoint.'),
): DataError {
  const found =
    input === null || input === undefined
      ? String(input)
      : Array.isArray(input)
        ? 'a list'
        : `a value of type ${typeof input}`;
  return new DataError('input-invalid', `${expected} was expected, but the response has ${found}.`, {
    entity,
    cure,
  });
}

/**
 * Returns the values of an object that came in place of a list of records, such as `[Post]`. Throws if the object contains the list, or is
 * itself one of the records; the error then names the right schema.
 */
export function valuesOf(input: object, entity: EntityInterface | undefined): readonly unknown[] {
  const members = Object.entries(input);
  if (entity === undefined) return members.map(([, value]) => value as unknown);
  const schema = `[${entity.key}]`;
  const list = pathToList(members, entity);
  const isFlat = members.length > 0 && !members.some(([, value]) => isObject(value));
  const isRecord = mayBeRecord(members, list, entity) && hasPk(entity, input);
  const isRefusal = ([name, value]: (typeof members)[number]): boolean => REFUSALS.has(name) || isNoPk(value);
  const refusal = isFlat && !isRecord ? members.find(isRefusal) : undefined;
  if (list === undefined && !isRecord && refusal === undefined) return members.map(([, value]) => value as unknown);
  throw new DataError(
    'input-invalid',
    `A list was expected, but the response has ${isRecord ? 'one record' : 'an object'} with ` +
      `${members.map(([name]) => name).join(', ')}.`,
    {
      entity: schema,
      cure: inDevelopment(() => {
        if (refusal !== undefined)
          return `Return the list from process() of the endpoint, or throw there what the response says: throw new Error(value.${refusal[0]}).`;
        if (list === undefined || isRecord) return `Use ${entity.key} as the schema.`;
        const right = list.reduceRight((inner, name) => `{ ${name}: ${inner} }`, schema);
        return `Use ${right} as the schema; for a resource, wire: envelope({ many: '${list.join('.')}' }).`;
      }),
    },
  );
}

/**
 * Returns whether an object is one of the records if it has a pk. A map of records has only objects, and an object around their list has a
 * list that is not a field of the class.
 */
function mayBeRecord(
  members: readonly (readonly [name: string, value: unknown])[],
  list: readonly string[] | undefined,
  { defaults }: EntityInterface,
): boolean {
  const hasValue = members.some(([, value]) => value !== null && !isObject(value));
  return hasValue && (list?.[0] === undefined || Object.hasOwn(defaults as object, list[0]));
}

/** Names of fields with which servers report a failure although the status is that of a success. */
const REFUSALS: ReadonlySet<string> = new Set(['error', 'errorMessage', 'message', 'detail', 'reason']);

function isNoPk(value: unknown): boolean {
  return value === null || typeof value === 'boolean';
}

/** Returns the names of the members that lead to a list. The list may be in a nested object that is not a record. */
function pathToList(
  members: readonly (readonly [name: string, value: unknown])[],
  entity: PkSource,
): readonly string[] | undefined {
  for (const [name, value] of members) {
    if (Array.isArray(value)) return [name];
    if (!isObject(value) || hasPk(entity, value)) continue;
    const inner = Object.entries(value).find(isList);
    if (inner !== undefined) return [name, inner[0]];
  }
  return undefined;
}

function isList([, value]: readonly [name: string, value: unknown]): boolean {
  return Array.isArray(value);
}

function hasPk(entity: PkSource, input: object): boolean {
  try {
    return pkIfAny(entity.pk(input, undefined, undefined, [])) !== undefined;
  } catch {
    // The `pk()` of the class expects a record, and may throw for a map of records.
    return false;
  }
}
