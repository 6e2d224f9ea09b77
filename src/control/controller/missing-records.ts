import { isEntity } from '../../define/schema/entity.ts';
import { confirmedIssue, deleteMissing } from '../../state/store/missing-record.ts';
import type { Failure } from '../../state/store/request-state.ts';
import { isPlain } from '../../std/plain.ts';
import { thrown } from '../../std/thrown.ts';
import type { Applied, SetResponseAction } from './action.ts';
import { mutatedRecordOf } from './mutated-record.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** The statuses Not Found and Gone. */
const MISSING: ReadonlySet<unknown> = new Set([404, 410]);

function isMissing(error: unknown): boolean {
  return MISSING.has(thrown(error).status);
}

/**
 * Returns since when a record does not exist, as `Failure` has it, if its read failed because the server has no such record. Not if the store has the
 * record, and this application has not deleted it: it may only be missing at that address.
 */
export function absentSince(
  { responses: { store }, mutations }: Applied,
  { args, endpoint, response: error, request }: SetResponseAction,
): Pick<Failure, 'absentSince'> {
  const { schema, sideEffect } = endpoint;
  if (!isEntity(schema) || sideEffect || !isMissing(error)) return {};
  const { name = '', pk = '' } = mutatedRecordOf(endpoint, args) ?? {};
  if (confirmedIssue(store, schema.key, pk) === undefined) return { absentSince: 0 };
  return mutations.lostDeletions.has(name) && request !== undefined ? { absentSince: request.resultIssue } : {};
}

/**
 * Deletes the record of a read, if the server answers that it has no such record, and the answer of an earlier deletion was lost. The address of the
 * read has to end with the pk. Does nothing if a mutation of the record is pending, or if any mutation has settled since the read was sent.
 */
export function deleteIfMissing(
  { responses: { store }, mutations }: Applied,
  { args, endpoint, key, response: error }: SetResponseAction,
  request: RequestInFlight,
): void {
  const { schema } = endpoint;
  if (!isEntity(schema) || !isMissing(error)) return;
  const { name, pk = '' } = mutatedRecordOf(endpoint, args) ?? {};
  if (name === undefined || !mutations.lostDeletions.has(name)) return;
  if (!namesAtEnd(key, args[0], pk)) return;
  const answeredRequest = mutations.answeredRequestOf(request);
  if (answeredRequest.isCurrentRead !== true || answeredRequest.isMutated?.(schema.key, pk) !== false) return;
  deleteMissing(store, schema, pk, { request: request.ticket, answeredRequest });
}

/** Returns whether an address ends with a pk. Of a pk that begins with one argument and ends with another one: with the latter. */
function namesAtEnd(key: string, params: unknown, pk: string): boolean {
  const values = isPlain(params) ? Object.values(params).map(String) : [];
  const begins = values.filter((value) => value !== pk && pk.startsWith(value));
  const isLast = (value: string): boolean =>
    pk.endsWith(value) && begins.some(({ length }) => length + value.length < pk.length);
  return [pk, ...values.filter(isLast)]
    .map(encodeURIComponent)
    .some((end) => key.endsWith(`/${end}`) || key.endsWith(`/${end}/`));
}
