import type { Guess } from '../../state/store/layer.ts';
import type { SnapshotReader } from '../../state/store/snapshot.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { Responses } from '../view/responses.ts';
import { Snapshot } from '../view/snapshot.ts';
import {
  type Action,
  actionTypes,
  type AllAction,
  type FetchAction,
  type OptimisticAction,
  type SetAction,
  type SetResponseAction,
  type SubscribeAction,
} from './action.ts';
import type { Mutations } from './mutations.ts';

export const DATA_EXPIRY_LENGTH = 60_000;
export const ERROR_EXPIRY_LENGTH = 1000;

/** What actions are applied to. */
export interface Applied {
  readonly responses: Responses;
  readonly mutations: Mutations;
}

/** What each action does. Gives the value of a response that has landed. */
export function apply(to: Applied, action: Action): unknown {
  switch (action.type) {
    case actionTypes.SET_RESPONSE:
      return action.error === true ? fail(to, action) : respond(to, action);
    case actionTypes.OPTIMISTIC:
      return guess(to, action);
    case actionTypes.SET:
      return set(to, action);
    case actionTypes.INVALIDATE:
      return invalidate(to, [action.key]);
    case actionTypes.INVALIDATEALL:
      return invalidate(to, matching(to, action));
    case actionTypes.EXPIREALL:
      return expire(to, matching(to, action));
    case actionTypes.RESET:
      return reset(to);
    default:
      // Wishes: managers act on them, and nothing is stored.
      action satisfies FetchAction | SubscribeAction;
      return undefined;
  }
}

/** The response, its result and the end of its guess land in one commit. */
function respond({ responses, mutations }: Applied, action: SetResponseAction): unknown {
  const { endpoint, key, response, request } = action;
  const { store } = responses;
  const schema: unknown = endpoint.schema ?? undefined;
  const args = action.args.map(plainArg);
  const landing = request && mutations.land(request);
  const ticket = landing?.ticket ?? request;
  const length = endpoint.dataExpiryLength ?? action.dataExpiryLength ?? DATA_EXPIRY_LENGTH;
  const options = { args, resultKey: key, expiresAt: responses.now() + length, ...(ticket && { request: ticket }) };
  let stored: unknown;
  try {
    store.batch(() => {
      stored = landing?.layer
        ? landing.layer.confirm(schema, response, options)
        : store.write(schema, response, options);
      if (isTaken()) responses.put(key, action.isOutdated === true ? { isExpired: true } : undefined);
    });
  } catch (error) {
    // The store is as before, so the guess of a mutation that is over would stay for ever.
    landing?.layer?.drop();
    throw error;
  }
  responses.tell(key);
  const value = isTaken() ? store.resultView(key, schema).current() : store.read(schema, stored, args);
  // What is deleted has no value any more; what the server said of it is what there is.
  return value === INVALID ? response : value;

  /** A result that answers a later request of the same key stays. */
  function isTaken(): boolean {
    return ticket === undefined || store.result(key)?.stamp.issue === ticket.issue;
  }
}

function fail({ responses, mutations }: Applied, action: SetResponseAction): void {
  const { endpoint, key, response: error, request } = action;
  const { store } = responses;
  if (request !== undefined) {
    store.settle(request);
    mutations.drop(request);
    const { issue = 0 } = store.result(key)?.stamp ?? {};
    // A later request of this key has been answered already.
    if (issue > request.issue && !endpoint.sideEffect) return;
  }
  if ((Object(error) as { readonly name?: unknown }).name === 'AbortError') return;
  const length = endpoint.errorExpiryLength ?? action.errorExpiryLength ?? ERROR_EXPIRY_LENGTH;
  const failure = { error, policy: endpoint.errorPolicy?.(error), expiresAt: responses.now() + length };
  responses.put(key, { ...responses.meta(key), failure });
  responses.tell(key);
}

/** The guess is made again by the store whenever what it was made of changes. */
function guess(to: Applied, action: OptimisticAction): void {
  const { responses, mutations } = to;
  const { endpoint, request } = action;
  const args = action.args.map(plainArg);
  const intent = (reader: SnapshotReader): Guess | undefined => {
    const snapshot = new Snapshot(reader, responses, request.fetchedAt);
    try {
      const response: unknown = endpoint.getOptimisticResponse?.(snapshot, ...action.args);
      return { schema: endpoint.schema, response, args };
    } catch (error) {
      if (error === snapshot.abort) return undefined;
      throw error;
    }
  };
  try {
    mutations.guess(request, responses.store.guess(intent));
  } catch (error) {
    // The guess was wrong, not the mutation: that is still under way.
    responses.put(action.key, {
      failure: { error, policy: endpoint.errorPolicy?.(error), expiresAt: responses.now() + ERROR_EXPIRY_LENGTH },
    });
    responses.tell(action.key);
  }
}

function set({ responses }: Applied, { schema, args, value }: SetAction): void {
  const { store } = responses;
  let next = value;
  if (typeof value === 'function') {
    const before: unknown = store.query(schema, args).current();
    if (before === undefined || before === INVALID) return;
    next = (value as (before: unknown) => unknown)(before);
  }
  store.write(schema, next, { args: args.map(plainArg), expiresAt: responses.now() + DATA_EXPIRY_LENGTH });
}

function invalidate({ responses }: Applied, keys: readonly string[]): void {
  responses.store.batch(() => {
    for (const key of keys) {
      responses.put(key, { isInvalidated: true });
      responses.store.dropResult(key);
    }
  });
  for (const key of keys) responses.tell(key);
}

function expire({ responses }: Applied, keys: readonly string[]): void {
  for (const key of keys) responses.put(key, { ...responses.meta(key), isExpired: true });
  for (const key of keys) responses.tell(key);
}

function reset({ responses, mutations }: Applied): void {
  // Readers are told last, when there is nothing left to read.
  const keys = responses.clear();
  mutations.clear();
  responses.store.reset();
  for (const key of keys) responses.tell(key);
}

function matching({ responses }: Applied, only: AllAction): string[] {
  return [...responses.keys()].filter((key) => only.testKey(key));
}

/** A form, as the record that it stands for. */
function plainArg(arg: unknown): unknown {
  return arg instanceof FormData ? Object.fromEntries(arg.entries()) : arg;
}
