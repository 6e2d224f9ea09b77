import { checkAnswer } from '../../define/schema/check-answer.ts';
import { isMemberChange } from '../../define/schema/collection-schema.ts';
import { asksFor, mayInclude } from '../../define/schema/list-arguments.ts';
import { hasIn } from '../../define/schema/collection-key.ts';
import { pkOfPart } from '../../define/schema/pk.ts';
import type { Store } from '../../state/store/store.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import { callHook } from '../../std/call-hook.ts';
import { type Fields, isPlain } from '../../std/plain.ts';
import {
  type Action,
  actionTypes,
  type AllAction,
  type Applied,
  type FetchAction,
  type ResetAction,
  type SetAction,
  type SubscribeAction,
} from './action.ts';
import { guess } from './apply-guess.ts';
import { DATA_EXPIRY_LENGTH, fail, renew, respond } from './apply-response.ts';
import { onConfirmed } from '../../state/store/below-layers.ts';
import { collectionReadBy, collectionTableOf, entityOfRecord, type EntityWithPk, plainArg } from './mutated-record.ts';
import { withoutDefaults } from './edited-record.ts';
import { PAST } from '../view/responses.ts';

/** Carries out an action on the store. */
export function apply(to: Applied, action: Action): void {
  switch (action.type) {
    case actionTypes.SET_RESPONSE:
      if (action.error === true) fail(to, action);
      else if (action.request?.answered.isUnchanged === true) renew(to, action, action.request);
      else {
        if (action.request === undefined) expireFirstReads(to, action.endpoint.schema, action.response);
        respond(to, action);
      }
      break;
    case actionTypes.OPTIMISTIC:
      guess(to, action);
      break;
    case actionTypes.SET:
      set(to, action);
      break;
    case actionTypes.INVALIDATE:
      to.mutations.expireReads(({ key }) => key === action.key);
      invalidate(to, [action.key]);
      break;
    case actionTypes.INVALIDATEALL:
      invalidate(to, matching(to, action));
      break;
    case actionTypes.EXPIREALL:
      expire(to, matching(to, action));
      break;
    case actionTypes.RESET:
      reset(to, action);
      break;
    default:
      // Managers act on these. They store nothing.
      action satisfies FetchAction | SubscribeAction;
  }
}

function set({ responses, mutations }: Applied, { schema, args, value, ticket }: SetAction): void {
  const { store } = responses;
  let next = value;
  responses.noteEdit();
  if (typeof value === 'function') {
    next = onConfirmed(store, schema as Queryable, args, (before) => {
      const run = (): unknown => (value as (before: unknown) => unknown)(before);
      return withoutDefaults(store, schema, before, callHook('The function given to set()', run));
    });
    if (next === undefined || next === null) return;
  }
  checkAnswer(schema, next);
  if (ticket !== undefined) mutations.noteMessage(ticket.issue);
  expireFirstReads({ responses, mutations }, schema, next);
  const expiresAt = responses.now() + DATA_EXPIRY_LENGTH;
  const message = ticket && { request: ticket, answeredRequest: mutations.answeredByMessage(schema, next, ticket) };
  store.write(schema, next, { args: args.map(plainArg), expiresAt, ...message });
}

/**
 * Expires the reads in flight of lists that are not stored, if a change may add a record to them, or remove one: the change cannot be carried out in
 * the list, and the answer may be older.
 */
function expireFirstReads({ responses: { store }, mutations }: Applied, schema: unknown, value: unknown): void {
  const table = isMemberChange(schema) ? collectionTableOf(schema) : undefined;
  const entity = table === undefined ? entityOfRecord(schema, value) : undefined;
  if (table === undefined && entity === undefined) return;
  mutations.expireReads(({ args: [params], endpoint, key }) => {
    if (store.result(key) !== undefined) return false;
    const list = collectionReadBy(endpoint.schema, (one) =>
      entity === undefined ? one.key === table : one.follows?.includes(entity.key) === true,
    );
    if (list === undefined) return false;
    if (!isPlain(params) || !isPlain(value)) return entity === undefined;
    const fields = entity && changedFields(store, entity, value);
    return (
      (fields === undefined || asksFor(list, params as Fields, fields)) && mayInclude(list, params as Fields, value)
    );
  });
}

/** Returns the fields of a change that the stored record does not have with the same value. */
function changedFields(store: Store, entity: EntityWithPk, value: object): readonly string[] {
  const row: unknown = store.row(entity.key, String(pkOfPart(entity, value, [])));
  return Object.entries(value).flatMap(([name, next]) =>
    hasIn(row, name) && Object.is(row[name], next) ? [] : [name],
  );
}

function invalidate({ responses }: Applied, keys: readonly string[]): void {
  const { store } = responses;
  store.batch(() => {
    for (const key of keys) {
      const { issue } = store.result(key)?.stamp ?? responses.note(key);
      responses.put(key, { isInvalidated: true, issue });
      store.dropResult(key);
    }
  });
}

function expire({ responses }: Applied, keys: readonly string[]): void {
  responses.store.batch(() => {
    for (const key of keys) {
      const { failure, ...note } = responses.note(key);
      responses.put(key, { ...note, isExpired: true, ...(failure && { failure: { ...failure, expiresAt: PAST } }) });
    }
  });
}

function reset({ responses, mutations }: Applied, { fill }: ResetAction): void {
  const { store } = responses;
  store.batch(() => {
    mutations.clear();
    store.reset();
    fill?.();
  });
}

/** Returns the known request keys to which an action applies. The answers of their reads in flight are stale, too. */
function matching({ responses, mutations }: Applied, { areReadsNewer, testKey }: AllAction): string[] {
  if (areReadsNewer !== true) mutations.expireReads(({ key }) => testKey(key));
  return responses.keys().filter((key) => testKey(key));
}
