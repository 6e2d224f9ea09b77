import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { checkAnswer, checkMember, checkReadable } from '../../define/schema/check-answer.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import { Invalidate, isDeletion } from '../../define/schema/invalidate.ts';
import { INVALID } from '../../define/schema/row.ts';
import type { Failure } from '../../state/store/request-state.ts';
import { changePk } from '../../state/store/change-pk.ts';
import type { Store } from '../../state/store/store.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { thrown } from '../../std/thrown.ts';
import { warn } from '../../std/warn.ts';
import { PAST, type Responses } from '../view/responses.ts';
import type { Applied, SetResponseAction } from './action.ts';
import { pkChangeOf } from './pk-change.ts';
import { plainArg, recordsIn } from './mutated-record.ts';
import { absentSince, deleteIfMissing } from './missing-records.ts';
import { answerToStore } from './mutation-answer.ts';
import type { Mutations } from './mutations.ts';
import { type RequestInFlight, shareKeyOf } from './request-in-flight.ts';
import { updateOthers } from './result-updates.ts';

/** How many milliseconds an answer is fresh by default. */
export const DATA_EXPIRY_LENGTH = 60_000;
const ERROR_EXPIRY_LENGTH = 1000;

/** Stores the response and its result, and ends its guess, in one commit. */
export function respond(to: Applied, action: SetResponseAction): void {
  const { mutations, responses } = to;
  const { request, response } = action;
  const { store } = responses;
  const change = request && pkChangeOf(store, request, response);
  if (change === undefined) return storeAnswer(to, action);
  store.batch(() => {
    mutations.changePk(change);
    mutations.doubtIfUnsure(changePk(store.writer, change));
    storeAnswer(to, action);
  });
}

function storeAnswer({ responses, mutations }: Applied, action: SetResponseAction): void {
  const { endpoint, key, response, request } = action;
  const { store } = responses;
  const schema: unknown = endpoint.schema ?? undefined;
  const args = action.args.map(plainArg);
  checkResponse(action, args);
  const { temporaryPks } = mutations;
  const { isPart, isDoubtful, sent, value } = answerToStore({ store, temporaryPks }, request, response, args);
  if (action.ticket !== undefined) mutations.noteMessage(action.ticket.issue);
  const { layer, answer } = mutations.noteAnswer(request);
  const ticket = request?.ticket ?? action.ticket;
  // The store may have been reset since the message was received. Then nothing is stored.
  const isForgotten = ticket !== undefined && store.writer.core.tickets.isRevoked(ticket);
  // The rows of an outdated answer are stale too: readers of a single record do not look at the state of the request.
  const expiresAt = action.isOutdated === true ? PAST : responses.now() + freshFor(action);
  const options = {
    args,
    resultKey: key,
    expiresAt,
    isPart,
    sent,
    nestedEdits: request?.mutation?.nestedEdits,
    isWhole: endpoint.whole === true && !isPart,
    refused: request?.answered.refused?.refused.map(({ index }) => index),
    ...(ticket && { request: ticket, answer }),
    answeredRequest: request
      ? mutations.answeredRequestOf(request)
      : ticket && mutations.answeredByMessage(schema, value, ticket),
  };
  let stored: unknown;
  const replaced = !request || request.mutation ? [] : temporaryPks.unnamedIn(key, request.ticket.issue);
  // A result that answers a later request of the same key stays.
  const issue = answer?.issue ?? ticket?.issue;
  const isKept = (): boolean => issue === undefined || store.result(key)?.stamp.issue === issue;
  try {
    store.batch(() => {
      stored = layer ? layer.confirm(schema, value, options) : store.write(schema, value, options);
      removeReplaced(store, temporaryPks, replaced);
      if (isKept()) noteFacts(responses, action);
      if (endpoint.update !== undefined && !isForgotten) updateOthers(store, action, stored);
      checkShared(store, action);
    });
  } catch (error) {
    // Nothing was written, so nothing else would remove the guess of this mutation.
    layer?.drop();
    throw error;
  }
  if (request !== undefined)
    setRead({ responses, mutations }, action, request, { args, value, stored, isPart, isKept, isDoubtful });
}

/** Removes records with temporary pks that an answer has under the pks of the server. */
function removeReplaced(
  store: Store,
  temporaryPks: Mutations['temporaryPks'],
  replaced: readonly (readonly [table: string, pk: string])[],
): void {
  for (const [table, pk] of replaced) {
    store.invalidate({ key: table }, pk);
    temporaryPks.forgetUnnamed(pk);
  }
}

/** Throws if the schema cannot store an answer, or this one has another shape. */
function checkResponse(
  { endpoint: { schema, sideEffect }, key, response }: SetResponseAction,
  args: readonly unknown[],
): void {
  checkReadable(schema, key);
  if (sideEffect) checkMember(schema, response, args);
  else checkAnswer(schema, response);
}

/** An answer after it was stored. */
interface AppliedAnswer {
  readonly args: readonly unknown[];
  readonly value: unknown;
  readonly stored: unknown;
  readonly isPart: boolean;
  /** Whether the answer leaves out fields that the mutation sent, so that its records are in doubt. */
  readonly isDoubtful: boolean;
  /** Returns whether the request key still has the result of this answer. */
  readonly isKept: () => boolean;
}

/** Sets `request.read`, which returns the value that the request resolves to. */
function setRead(
  { responses, mutations }: Applied,
  action: SetResponseAction,
  request: RequestInFlight,
  applied: AppliedAnswer,
): void {
  const { endpoint, key, response } = action;
  const { store } = responses;
  const { args, stored, isPart, isDoubtful, isKept } = applied;
  const schema: unknown = endpoint.schema ?? undefined;
  const { refused } = request.answered;
  if (request.mutation !== undefined && request.mutation.mutatedRecord === undefined)
    mutations.noteCreated(request, recordsIn(schema, stored));
  if (request.mutation !== undefined) mutations.refetches.addEndpoints(endpoint.refetches ?? []);
  if (isDoubtful) mutations.doubt(request, recordsIn(schema, stored));
  if (isPart) return setReadOfRecord(store, mutations, request, applied);
  const read = (): unknown => {
    if (refused !== undefined) throw refused;
    // Nothing shows the result of a mutation, so it needs no live view.
    const isRead = !endpoint.sideEffect && isKept();
    const value = isRead ? store.resultView(key, schema).current() : store.read(schema, stored, args);
    // A deleted record reads as INVALID. The request then resolves to the raw response.
    if (value !== INVALID) return value;
    return schema instanceof Invalidate
      ? (schema.deleted(response, stored) ?? schema.deleted(args[0], stored))
      : response;
  };
  // Not written as the assigned value: V8 puts such a function, and what it uses, into its old generation. The response is needed only for a moment.
  request.read = read;
}

/** As `setRead`, for a bare answer: the mutation resolves to its record in the store. */
function setReadOfRecord(
  store: Store,
  mutations: Mutations,
  request: RequestInFlight,
  { value: implied, stored }: AppliedAnswer,
): void {
  const { endpoint, args, key } = request.call;
  const schema: unknown = endpoint.schema;
  const written = schema instanceof Invalidate ? [] : recordsIn(schema, stored);
  mutations.temporaryPks.noteUnnamed(written, request.ticket.issue);
  if (!isDeletion(schema)) mutations.doubt(request, written);
  const mutatedRecord = request.mutation?.mutatedRecord;
  if (mutatedRecord === undefined && written.length === 0) mutations.refetches.unknownOutcomes.add(request);
  const read = (): unknown => {
    const value = store.read(schema, stored, args.map(plainArg));
    if (value === INVALID && schema instanceof Invalidate) return schema.deleted(args[0], stored);
    // For a record that was deleted since: the data that the mutation sent or guessed.
    if (value === INVALID) return implied;
    if (value !== undefined && value !== null) return value;
    const known = mutatedRecord && store.get(mutatedRecord.entity as Queryable, mutatedRecord.pk);
    if (known === undefined) throw answerEmpty(key);
    return known;
  };
  request.read = read;
}

function answerEmpty(key: string): DataError {
  return new DataError(
    'answer-empty',
    `${key} succeeded, but neither its answer nor its arguments contain the record of its schema.`,
    {
      cure: inDevelopment(
        () =>
          'Leave the schema out, return the record from process() of the endpoint, or list the field that names it in static indexes of its class.',
      ),
    },
  );
}

/** Returns how many milliseconds an answer is fresh. */
function freshFor({ request, endpoint, dataExpiryLength }: SetResponseAction): number {
  const length = request?.answered.freshFor ?? endpoint.dataExpiryLength ?? dataExpiryLength ?? DATA_EXPIRY_LENGTH;
  // With a negative duration, an answer would have expired before its request was sent, and would be fetched again.
  return length > 0 ? length : 0;
}

/** Warns if several endpoints with different schemas have the same request key. */
function checkShared(store: Store, { endpoint, key }: SetResponseAction): void {
  warn(endpoint, 'request-shared', () => {
    const isShared = !endpoint.sideEffect && (store.request(key)?.results.length ?? 0) > 1;
    return isShared
      ? `Endpoints with different schemas share the request ${key}, so each fetches it again. Give one of them a name or a key() of its own.`
      : undefined;
  });
}

/** Stores the facts about an answer: when it expires, its version, whether it is outdated. */
function noteFacts(responses: Responses, action: SetResponseAction): void {
  const { key, request, isOutdated = false } = action;
  const { isUnchanged = false, isNoStore = false, version } = request?.answered ?? {};
  const known = responses.note(key);
  // A later request of this key has failed already, and its error stays.
  if (request !== undefined && known.failure !== undefined && (known.issue ?? 0) > request.resultIssue) {
    if (isOutdated) responses.put(key, { ...known, isExpired: true });
    return;
  }
  const about = {
    isNoStore,
    version: isUnchanged ? known.version : version?.key === key ? version : undefined,
    ...(isUnchanged && { issue: request?.resultIssue }),
  };
  if (isOutdated) responses.put(key, { ...about, isExpired: true, written: known.written });
  else if (isUnchanged) responses.put(key, { ...about, expiresAt: responses.now() + freshFor(action) });
  else responses.put(key, isNoStore || about.version ? about : undefined);
  if (version === undefined || version.key === key || responses.store.result(version.key) === undefined) return;
  responses.put(version.key, { ...responses.note(version.key), written: version });
}

/** Applies a 304: the stored answer is up to date. */
export function renew({ responses }: Applied, action: SetResponseAction, request: RequestInFlight): void {
  const { key } = action;
  const { store } = responses;
  store.settle(request.ticket);
  if (store.result(key) !== undefined && !isSuperseded(responses, key, request)) noteFacts(responses, action);
  const read = (): unknown => store.resultView(key).current();
  request.read = read;
}

/** Returns whether a later request of this key has been answered, or has failed, already. */
function isSuperseded(responses: Responses, key: string, { resultIssue }: RequestInFlight): boolean {
  const { issue = 0 } = responses.note(key);
  return Math.max(responses.store.result(key)?.stamp.issue ?? 0, issue) > resultIssue;
}

/** Stores the error of a request that failed, and removes its guess. */
export function fail(to: Applied, action: SetResponseAction): void {
  const { responses, mutations } = to;
  const { endpoint, key, response: error, request } = action;
  if (request !== undefined) {
    deleteIfMissing(to, action, request);
    mutations.end(request);
    if (isSuperseded(responses, key, request)) return;
    // A further page that failed leaves the list as it was.
    if (shareKeyOf(request.call) !== key && responses.store.result(key) !== undefined) return;
  }
  if (thrown(error).name === 'AbortError') return;
  const length = endpoint.errorExpiryLength ?? action.errorExpiryLength ?? ERROR_EXPIRY_LENGTH;
  const failure = { ...failureOf(responses, endpoint, error, length), ...absentSince(to, action) };
  responses.put(key, { ...responses.note(key), issue: request?.resultIssue, failure });
}

function failureOf({ now }: Responses, endpoint: EndpointInterface, error: unknown, length: number): Failure {
  const since = now();
  // NaN is no duration.
  return { error, policy: endpoint.errorPolicy?.(error), since, expiresAt: since + (length || 0) };
}
