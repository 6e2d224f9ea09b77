import { isBareAnswer } from '../../define/schema/bare-answer.ts';
import { isMemberChange } from '../../define/schema/collection-schema.ts';
import { Invalidate } from '../../define/schema/invalidate.ts';
import { fieldsOfPk, pkOfPart } from '../../define/schema/pk.ts';
import type { Store } from '../../state/store/store.ts';
import { type Fields, isPlain } from '../../std/plain.ts';
import { asStored } from './edits.ts';
import { withLeftOut } from './left-out.ts';
import {
  type EntityWithPk,
  entityOf,
  entityOfRecord,
  kindsOf,
  type MutatedRecord,
  nameNow,
  plainArg,
  tableAndPkOf,
} from './mutated-record.ts';
import type { Mutation, RequestInFlight } from './request-in-flight.ts';
import type { TemporaryPks } from './temporary-pks.ts';

/** The value to store for an answer. */
export interface AnswerToStore {
  readonly value: unknown;
  /** Whether the value is made from the request, because the answer was bare. It may be only a part of the record. */
  readonly isPart: boolean;
  /** Whether the answer leaves out fields that the mutation sent. */
  readonly isDoubtful: boolean;
  /** The values that were taken from the request to complete the answer. */
  readonly sent?: ReadonlySet<unknown>;
}

/** The data with which an answer is completed. */
interface CompletionData {
  readonly store: Store;
  readonly temporaryPks: TemporaryPks;
}

/** Completes the answer of a mutation with fields of its request that the answer leaves out. Other answers are returned unchanged. */
export function answerToStore(
  data: CompletionData,
  request: RequestInFlight | undefined,
  answer: unknown,
  args: readonly unknown[],
): AnswerToStore {
  if (request?.mutation === undefined) return { value: answer, isPart: false, isDoubtful: false };
  const deleted = recordDeletedByPath(request.call, request.mutation, answer);
  if (deleted !== undefined) return { value: deleted, isPart: true, isDoubtful: false };
  const isPart = isBareAnswer(request.call.endpoint.schema, answer, args);
  if (isPart) return { value: impliedRecordsOf(data, request.call, request.mutation), isPart, isDoubtful: false };
  const sent = new Set<unknown>();
  const value = withSentFields(data, { endpoint: request.call.endpoint, args }, request.mutation, answer, sent);
  return { value, isPart, isDoubtful: value !== answer, sent };
}

/** Returns the record that a DELETE names by its path. `undefined` if the answer is that record itself. It may also be anything else: `1`, `OK`. */
function recordDeletedByPath(
  { args, endpoint }: RequestInFlight['call'],
  { mutatedRecord }: Mutation,
  answer: unknown,
): unknown {
  const { method, schema } = endpoint as { readonly method?: unknown; readonly schema?: unknown };
  if (method !== 'DELETE' || !(schema instanceof Invalidate) || mutatedRecord === undefined) return undefined;
  const { entity, pk } = mutatedRecord;
  const hasPk = (value: unknown): boolean => isPlain(value) && String(pkOfPart(entity, value, args)) === pk;
  if (hasPk(answer)) return undefined;
  const params = plainArg(args[0]);
  return hasPk(params) ? params : pk;
}

/**
 * Returns the records that a bare answer implies: those of the guess, made from confirmed data, or else those that were sent. Of a guess, the
 * records have only the edited fields, including edited fields that the guess does not show: lists have to know that the server may have them.
 * Without a guess, they have all fields but the parameters that only the request needs.
 */
function impliedRecordsOf(
  { store, temporaryPks }: CompletionData,
  { args, endpoint }: RequestInFlight['call'],
  mutation: Mutation,
): unknown {
  const guess = guessOnConfirmed(mutation);
  const response: unknown = guess ?? endpoint.impliedResponse?.(...args);
  const [value] = temporaryPks.known([response]);
  const entity = entityOf(endpoint.schema);
  if (entity === undefined) return withKnownKind(store, endpoint.schema, mutation, value);
  return mapRecords(
    store,
    () => entity,
    withPk(store, endpoint.schema, entity, { value, args, mutatedRecord: mutation.mutatedRecord }),
    args,
    (item, { record, pk }) => {
      const edits = mutation.edits.of(record);
      const row = Object(store.row(...tableAndPkOf(record))) as object;
      const fields = Object.entries(asStored(item, row, args)).filter(
        ([field, edited]) =>
          edits?.isEdit(field, edited) === true ||
          (guess === undefined && !Object.hasOwn(Object(args[0]) as object, field)) ||
          pkOfPart(entity, { ...item, [field]: undefined }, args) !== pk,
      );
      return Object.fromEntries([...(mutation.edits.guessedFor(record) ?? []), ...fields]);
    },
  );
}

interface RecordInAnswer {
  readonly value: unknown;
  readonly args: readonly unknown[];
  readonly mutatedRecord: MutatedRecord | undefined;
}

/**
 * Returns a record with the fields of its pk, if the value is one record: the arguments may have identified it by other fields. Returns the pk
 * alone for a deletion, or `undefined` if the arguments name no record. A record that is being created has no pk yet.
 */
function withPk(
  store: Store,
  schema: unknown,
  entity: EntityWithPk,
  { value, args, mutatedRecord }: RecordInAnswer,
): unknown {
  const isDeleted = schema instanceof Invalidate;
  const isOne = isPlain(value) && !Array.isArray(value) && (isDeleted || schema === entity);
  if (!isOne || pkOfPart(entity, value, args) !== undefined) return value;
  if (isDeleted || mutatedRecord === undefined) return mutatedRecord?.pk;
  return { ...value, ...fieldsOfPk(entity, Object(store.row(entity.key, mutatedRecord.pk)) as object) };
}

/**
 * Returns the answer of a mutation, completed with the sent fields that it leaves out. For methods other than PUT and
 * PATCH, only a guess tells which fields were changed. Adds the values that it takes from the request to `sentValues`.
 */
function withSentFields(
  { store, temporaryPks }: CompletionData,
  { args, endpoint }: Pick<RequestInFlight['call'], 'args' | 'endpoint'>,
  mutation: Mutation,
  answer: unknown,
  sentValues: Set<unknown>,
): unknown {
  const { schema } = endpoint;
  const entity = entityOf(schema) ?? mutation.mutatedRecord?.entity;
  if (entity !== undefined && schema instanceof Invalidate)
    return withPk(store, schema, entity, { value: answer, args, mutatedRecord: mutation.mutatedRecord }) ?? answer;
  if (endpoint.whole === true) return answer;
  const implied: unknown = endpoint.impliedResponse?.(...args);
  if (mutation.layer === undefined && !implied) return answer;
  const length = [answer].flat().length;
  // A created record has the parameters of its path too, such as the id of the order to which a line was added.
  const created = isMemberChange(schema) && [implied].flat().length === length ? [implied].flat() : [];
  const place = (at: number) => ({ at, length });
  const entityFor = (item: object, at: number): EntityWithPk | undefined =>
    entity ?? entityOfRecord(schema, { ...Object.fromEntries(mutation.edits.sentFor('', place(at)) ?? []), ...item });
  return mapRecords(store, entityFor, answer, args, (item, { record, at, entity: kind }) => {
    const edited = mutation.edits.sentFor(record, place(at));
    // The guess may be older than the answer to the create of a record that it mentions.
    const [sent] = isPlain(created[at]) ? [created[at]] : temporaryPks.known([edited && Object.fromEntries(edited)]);
    const row = store.row(...tableAndPkOf(record));
    const completed = withLeftOut(kind, item, { args, sent, row });
    for (const [field, value] of Object.entries(completed)) if (!Object.hasOwn(item, field)) sentValues.add(value);
    return withKind(schema, { ...Object(sent), ...Object(row) }, completed);
  });
}

/** Adds the fields of the pk, and the field that tells the class, to a record of a union, as its stored row has them. */
function withKnownKind(store: Store, schema: unknown, { mutatedRecord }: Mutation, value: unknown): unknown {
  if (mutatedRecord === undefined || !isPlain(value)) return value;
  const { entity, pk } = mutatedRecord;
  const row = Object(store.row(entity.key, pk)) as Fields;
  // The arguments may identify the record by other fields than the pk.
  return withKind(schema, row, { ...fieldsOfPk(entity, row), ...value });
}

/** Adds the field by which a union tells the class of a record, if the record lacks it and it is known. */
function withKind(schema: unknown, known: Fields, record: object): object {
  const attribute = kindsOf(schema)?.attribute;
  if (typeof attribute !== 'string' || Object.hasOwn(record, attribute) || !Object.hasOwn(known, attribute))
    return record;
  return { ...record, [attribute]: known[attribute] };
}

/** A record with a pk, and its place in a list. */
interface RecordAt {
  readonly entity: EntityWithPk;
  readonly pk: string | number;
  /** As `recordName` returns it. */
  readonly record: string;
  readonly at: number;
}

/** Returns a record, or a list of records, with `make` applied to each record that has a pk. Returns the same object if nothing changed. */
function mapRecords(
  store: Store,
  entityFor: (item: object, at: number) => EntityWithPk | undefined,
  value: unknown,
  args: readonly unknown[],
  make: (item: object, place: RecordAt) => object,
): unknown {
  const mapped = (item: unknown, at: number): unknown => {
    const entity = isPlain(item) ? entityFor(item, at) : undefined;
    const pk = entity && pkOfPart(entity, item, args);
    if (entity === undefined || pk === undefined) return item;
    return make(item as object, { entity, pk, record: nameNow(store, entity.key, pk), at });
  };
  if (!Array.isArray(value)) return mapped(value, 0);
  const items: readonly unknown[] = value.map(mapped);
  return items.every((item, index) => item === value[index]) ? value : items;
}

/** Returns the response that the guess makes from confirmed data alone; `undefined` if the mutation has no guess. */
function guessOnConfirmed(mutation: Mutation): unknown {
  try {
    return mutation.layer?.confirmed()?.response;
  } catch {
    // The intent threw on confirmed data.
    return undefined;
  }
}
