import { isBareAnswer } from '../../define/schema/bare-answer.ts';
import { Invalidate } from '../../define/schema/invalidate.ts';
import { fieldsOfPk } from '../../define/schema/pk.ts';
import type { Store } from '../../state/store/store.ts';
import { isPlain } from '../../std/plain.ts';
import { asStored } from './edits.ts';
import { withLeftOut } from './left-out.ts';
import { type EntityWithPk, entityOf, type MutatedRecord, nameNow, pkOf, recordOf } from './mutated-record.ts';
import type { Mutation, RequestInFlight } from './request-in-flight.ts';
import type { TemporaryPks } from './temporary-pks.ts';

/** The value to store for an answer. */
export interface AnswerToStore {
  readonly value: unknown;
  /** Whether the answer was a bare success, without data of its record. */
  readonly isPart: boolean;
  /** Whether the answer leaves out fields that the mutation sent. */
  readonly isDoubtful: boolean;
}

/** The sources of the missing fields. */
interface Known {
  readonly store: Store;
  readonly temporaryPks: TemporaryPks;
}

/** Completes the answer of a mutation with fields of its request that the answer leaves out. Other answers are returned unchanged. */
export function answerToStore(
  known: Known,
  request: RequestInFlight | undefined,
  answer: unknown,
  args: readonly unknown[],
): AnswerToStore {
  if (request?.mutation === undefined) return { value: answer, isPart: false, isDoubtful: false };
  const isPart = isBareAnswer(request.asked.endpoint.schema, answer, args);
  const value = isPart
    ? implied(known, request.asked, request.mutation)
    : completed(known.store, request.asked, request.mutation, answer);
  return { value, isPart, isDoubtful: !isPart && value !== answer };
}

/**
 * What a mutation has done if its answer is a bare success: its guess, made from confirmed data, or else the body that
 * it sent. Of a guess, only the edited fields count.
 */
function implied(
  { store, temporaryPks }: Known,
  { args, endpoint }: RequestInFlight['asked'],
  mutation: Mutation,
): unknown {
  const response: unknown = guessedBy(mutation) ?? endpoint.impliedResponse?.(...args);
  const sent = temporaryPks.sendable([response]);
  const [value] = sent instanceof Promise ? [response] : sent;
  const entity = entityOf(endpoint.schema);
  if (entity === undefined) return value;
  return eachRecord(
    store,
    entity,
    named(store, endpoint.schema, entity, { value, args, subject: mutation.subject }),
    args,
    (item, record, pk) => {
      const edits = mutation.edits.of(record);
      const row = Object(store.row(...recordOf(record))) as object;
      const fields = Object.entries(asStored(item, row, args)).filter(
        ([field, edited]) =>
          edits?.isEdit(field, edited) === true || pkOf(entity, { ...item, [field]: undefined }, args) !== pk,
      );
      return Object.fromEntries(fields);
    },
  );
}

interface Said {
  readonly value: unknown;
  readonly args: readonly unknown[];
  readonly subject: MutatedRecord | undefined;
}

/**
 * Returns what is said of one record, with its pk, which the arguments may name by other fields. `undefined` if it has none. A record that is
 * created has none yet.
 */
function named(store: Store, schema: unknown, entity: EntityWithPk, { value, args, subject }: Said): unknown {
  const isDeleted = schema instanceof Invalidate;
  const isOne = isPlain(value) && !Array.isArray(value) && (isDeleted || schema === entity);
  if (!isOne || pkOf(entity, value, args) !== undefined) return value;
  if (isDeleted || subject === undefined) return subject?.pk;
  return { ...value, ...fieldsOfPk(entity, Object(store.row(entity.key, subject.pk)) as object) };
}

/**
 * The answer of a mutation, completed with the sent fields that it leaves out. For methods other than PUT and
 * PATCH, only a guess tells which fields were changed.
 */
function completed(
  store: Store,
  { args, endpoint }: RequestInFlight['asked'],
  mutation: Mutation,
  answer: unknown,
): unknown {
  const entity = entityOf(endpoint.schema);
  if (entity === undefined) return answer;
  if (endpoint.schema instanceof Invalidate)
    return named(store, endpoint.schema, entity, { value: answer, args, subject: mutation.subject }) ?? answer;
  if (endpoint.whole === true) return answer;
  if (mutation.layer === undefined && !endpoint.impliedResponse?.(...args)) return answer;
  return eachRecord(store, entity, answer, args, (item, record) => {
    const asked = mutation.edits.askedOf(record);
    return withLeftOut(entity, item, { args, asked, row: store.row(...recordOf(record)) });
  });
}

/** Maps each record that has a pk, in a record or a list of records. Returns the same object if nothing changed. */
function eachRecord(
  store: Store,
  entity: EntityWithPk,
  value: unknown,
  args: readonly unknown[],
  make: (item: object, record: string, pk: string | number) => object,
): unknown {
  const made = (item: unknown): unknown => {
    const pk = isPlain(item) ? pkOf(entity, item, args) : undefined;
    return isPlain(item) && pk !== undefined ? make(item, nameNow(store, entity.key, String(pk)), pk) : item;
  };
  if (!Array.isArray(value)) return made(value);
  const items: readonly unknown[] = value.map(made);
  return items.every((item, index) => item === value[index]) ? value : items;
}

/** The response that the guess makes from confirmed data alone; `undefined` if the mutation has no guess. */
function guessedBy(mutation: Mutation): unknown {
  try {
    return mutation.layer?.confirmed()?.response;
  } catch {
    // The guess failed on confirmed data.
    return undefined;
  }
}
