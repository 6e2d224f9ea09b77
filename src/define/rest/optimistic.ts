import type { SnapshotInterface } from '../endpoint/options.ts';
import { type EntityInterface, isEntity } from '../schema/entity.ts';
import { isObject } from '../schema/fields.ts';
import { fieldsOfPk } from '../schema/pk.ts';
import type { Queryable } from '../schema/infer-schema.ts';
import { type ImpliedEndpoint, envelopeOf, recordsSent } from './implied.ts';
import { paramsAndBody } from './params-and-body.ts';
import type { Fields } from '../../std/plain.ts';

/** Options of an endpoint that guesses that the server answers with what it was sent, and with what the address says of it. */
export const GUESS_RECORDS: Fields = {
  getOptimisticResponse(this: ImpliedEndpoint, _snap: unknown, ...args: readonly unknown[]): unknown {
    return recordsSent(this, args);
  },
};

/** The same for a part of a record that is there: nothing of the rest is said. Without the record there is no guess. */
export const GUESS_PART: Fields = {
  getOptimisticResponse(this: ImpliedEndpoint, snap: SnapshotInterface, ...args: readonly unknown[]): unknown {
    const found: unknown = snap.get(this.schema as Queryable, paramsAndBody(this, args).params);
    const envelope = envelopeOf(this.schema);
    const current = envelope !== undefined && isObject(found) ? found[envelope] : found;
    if (!isObject(current)) throw snap.abort;
    return recordsSent(this, args, namesOf(current, this.schema));
  },
};

/** The same for a record that is deleted: the address names it. */
export const GUESS_GONE: Fields = { getOptimisticResponse: (_snap: unknown, params: unknown) => params };

/** The fields of a record that say which record it is, and of which kind. */
function namesOf(record: Fields, schema: unknown): Fields {
  const { constructor } = record;
  if (!isEntity(constructor)) return {};
  const entity: EntityInterface = constructor;
  const { attribute } = Object(schema) as { readonly attribute?: unknown };
  const told = typeof attribute === 'function' ? readBy(attribute as (value: object) => unknown, record) : [attribute];
  const kind = Object.entries(record).filter(([name]) => told.includes(name));
  return { ...Object.fromEntries(kind), ...fieldsOfPk(entity, record) };
}

/** The fields of a record by which a function tells its kind. What else the record has may be no data that could be stored again. */
function readBy(tell: (value: object) => unknown, record: Fields): readonly unknown[] {
  const read: unknown[] = [];
  const note = (name: unknown): true => Boolean(read.push(name)) as true;
  const watched = new Proxy(record, {
    get: (target, name) => note(name) && (Reflect.get(target, name) as unknown),
    has: (target, name) => note(name) && Reflect.has(target, name),
    getOwnPropertyDescriptor: (target, name) => (note(name), Reflect.getOwnPropertyDescriptor(target, name)),
  });
  tell(watched);
  return read;
}
