import type { SnapshotInterface } from '../endpoint/options.ts';
import { entitiesIn } from '../schema/bare-answer.ts';
import { type EntityInterface, isEntity } from '../schema/entity.ts';
import { isObject } from '../schema/fields.ts';
import { fieldsReadBy } from '../../std/fields-read.ts';
import { fieldsOfPk } from '../schema/pk.ts';
import type { Queryable } from '../schema/infer-schema.ts';
import { type ImpliedEndpoint, envelopeOf, recordsSent } from './implied-record.ts';
import { paramsAndBody } from './params-and-body.ts';
import type { Fields } from '../../std/plain.ts';

/** Options for an optimistic create: the expected response consists of the sent body and the parameters. */
export const GUESS_RECORDS: Fields = {
  getOptimisticResponse(this: ImpliedEndpoint, _snap: unknown, ...args: readonly unknown[]): unknown {
    return recordsSent(this, args);
  },
};

/** As `GUESS_RECORDS`, for an update of a record that the parameters name by its pk or by its fields in `static indexes`. */
export const GUESS_WHOLE: Fields = guessOf(false);

/** As `GUESS_WHOLE`, for a partial update. Makes no guess if the record is not stored. */
export const GUESS_PART: Fields = guessOf(true);

function guessOf(isPart: boolean): Fields {
  return {
    getOptimisticResponse(this: ImpliedEndpoint, snap: SnapshotInterface, ...args: readonly unknown[]): unknown {
      const found: unknown = snap.get(this.schema as Queryable, paramsAndBody(this, args).params);
      const envelope = envelopeOf(this.schema);
      const current = envelope !== undefined && isObject(found) ? found[envelope] : found;
      if (isObject(current)) return recordsSent(this, args, namesOf(current, this.schema));
      if (isPart) throw snap.abort;
      return recordsSent(this, args);
    },
  };
}

/** As `GUESS_RECORDS`, for a deletion: the parameters name the record, by its pk or by its fields in `static indexes`. */
export const GUESS_DELETED: Fields = {
  getOptimisticResponse(this: ImpliedEndpoint, snap: SnapshotInterface, params: unknown): unknown {
    const { schema: deleted } = this.schema as { readonly schema: unknown };
    const found = entitiesIn(deleted).flatMap((kind) => snap.get(kind, params as object) ?? []);
    return found.length === 1 ? namesOf(found[0] as Fields, deleted) : params;
  },
};

/** Returns the fields of a record that form its pk, and those that decide its class in a union. */
function namesOf(record: Fields, schema: unknown): Fields {
  const { constructor } = record;
  if (!isEntity(constructor)) return {};
  const entity: EntityInterface = constructor;
  const { attribute } = Object(schema) as { readonly attribute?: unknown };
  // Other fields are not sent as a guess, because they may hold instances, which cannot be stored as rows.
  const found: readonly unknown[] =
    typeof attribute === 'function' ? fieldsReadBy(attribute as (value: object) => unknown, record) : [attribute];
  const kind = Object.entries(record).filter(([name]) => found.includes(name));
  return { ...Object.fromEntries(kind), ...fieldsOfPk(entity, record) };
}
