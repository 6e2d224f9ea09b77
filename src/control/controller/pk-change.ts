import { memberSchemas } from '../../define/schema/bare-answer.ts';
import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import { fieldsOfPk, pkOfPart } from '../../define/schema/pk.ts';
import type { PkChange } from '../../state/store/change-pk.ts';
import type { Store } from '../../state/store/store.ts';
import { isPlain } from '../../std/plain.ts';
import { plainArg } from './mutated-record.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** The members of an endpoint that decide whether it edits a record, and which. */
interface EditMembers {
  readonly method?: unknown;
  readonly path?: unknown;
  readonly schema?: unknown;
}

/**
 * Returns the change of a pk: the answer of an edit has its record under another pk than the request, such as a slug that the server makes of the
 * title. `undefined` if the pk stays. The request has to be a PUT or PATCH to the address of the record: a path that ends with its pk.
 */
export function pkChangeOf(
  store: Store,
  { call, issue, mutation, sent, sentArgs = call.args }: RequestInFlight,
  response: unknown,
): PkChange | undefined {
  const { method, path, schema } = call.endpoint as EditMembers;
  const [entity, given] = recordIn(schema, response);
  if (entity === undefined || (method !== 'PUT' && method !== 'PATCH')) return undefined;
  const { key } = entity;
  const params = plainArg(sentArgs[0]);
  const namedPk = mutation?.mutatedRecord?.pk ?? pkOfPart(entity, params, sentArgs);
  if (namedPk === undefined || !endsWithPk(String(path), entity, params)) return undefined;
  const record = processedCopy(entity, given, sentArgs);
  const to = pkOfPart(entity, record, sentArgs);
  const from = store.pkOf(key, namedPk);
  // A pk that is a number never changes, so an answer with another number has another record.
  if (
    to === undefined ||
    !Number.isNaN(Number(to)) ||
    store.writer.core.reading.space.table(key).pkNow(to, sent) === from
  )
    return undefined;
  return { table: key, from, to, fields: fieldsOfPk(entity, record as object), edited: issue };
}

/** Returns whether the last segment of a path has a parameter on which the pk of the record depends. */
function endsWithPk(path: string, entity: EntityInterface, params: unknown): boolean {
  const last = path.split('/').findLast((segment) => segment !== '') ?? '';
  if (!isPlain(params)) return false;
  const names = Object.keys(params).filter((name) => last.includes(`:${name}`));
  const pk = pkOfPart(entity, params, []);
  return names.some((name) => pkOfPart(entity, { ...params, [name]: undefined }, []) !== pk);
}

/** Returns the record of an answer with its class: the answer itself, or its only member with the schema of a record. */
function recordIn(schema: unknown, response: unknown): readonly [entity?: EntityInterface, record?: unknown] {
  if (isEntity(schema)) return [schema, response];
  const members = Object.entries(memberSchemas(schema) ?? {});
  const [first, ...others] = members.flatMap(([name, member]) => (isEntity(member) ? [[name, member] as const] : []));
  return first === undefined || others.length > 0 || !isObject(response) ? [] : [first[1], response[first[0]]];
}

/** Returns a record as `process` of its class makes it; `undefined` if `process` throws. */
function processedCopy(entity: EntityInterface, given: unknown, args: readonly unknown[]): unknown {
  if (!isPlain(given)) return undefined;
  try {
    // A copy, because the original is processed again when it is stored.
    return entity.process({ ...given }, undefined, undefined, args);
  } catch {
    return undefined;
  }
}
