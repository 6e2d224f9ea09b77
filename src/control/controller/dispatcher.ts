import type { EndpointInterface, NoMutation, WithLast } from '../../define/endpoint/infer-endpoint.ts';
import { checkSchema, requestKey } from '../../define/endpoint/request-key.ts';
import type { ArgsOrNull } from '../../define/endpoint/infer-value.ts';
import { type Entity, isEntity } from '../../define/schema/entity.ts';
import type { Changes, Denormalize, EntityLike, Queryable, SchemaArgs } from '../../define/schema/infer-schema.ts';
import { fieldsOfPk, type PkSource } from '../../define/schema/pk.ts';
import { warn } from '../../std/warn.ts';
import { type Action, actionTypes, type SetResponseAction } from './action.ts';
import { sentenceOf } from '../../std/thrown.ts';

/** Selects the request keys for which `testKey` returns true. An endpoint is such a filter. */
export interface RequestKeyFilter {
  testKey(key: string): boolean;
}

/** The methods that dispatch one action each. Their promises resolve when the action has taken effect. */
export abstract class Dispatcher {
  /** Returns the time in milliseconds since 1970. */
  abstract now(): number;
  /** Passes an action through the managers to the store. */
  abstract dispatch(action: Action): Promise<void>;

  /** Stores a record: `set(schema, ...args, record)`, or a function that makes it from the stored one, without optimistic updates. */
  set<S extends Queryable>(
    schema: S,
    ...rest: WithLast<SchemaArgs<S>, (present: Denormalize<S>) => unknown>
  ): Promise<void>;
  set<S extends Queryable>(
    schema: S,
    ...rest: WithLast<SchemaArgs<S>, S extends EntityLike ? object : unknown>
  ): Promise<void>;
  // The compiler explains a wrong call by its last form, which is the one that names the field.
  /** Changes fields of a record that was read: `set(post, { title })`, or `set(post, (present) => ({ title }))`. */
  set<R extends Pick<Entity, 'pk'>>(record: R, changes: Changes<R> | ((present: R) => Changes<R>)): Promise<void>;
  set(what: object, ...rest: readonly unknown[]): Promise<void> {
    const { constructor } = Object(what) as object;
    if (isEntity(constructor)) return this.set(constructor as Queryable, ...changeOf(constructor, what, rest[0]));
    const schema = what as Queryable;
    const [args, value] = splitLast(rest);
    return withWarning(schema, 'set()', async () => {
      checkSchema(schema, 'set()', 'setResponse()');
      return this.dispatch({ type: actionTypes.SET, schema, args, value });
    });
  }

  /** `setResponse(endpoint, ...args, response)`: stores a response as if the server had sent it. */
  setResponse<E extends EndpointInterface>(endpoint: E, ...rest: WithLast<Parameters<E>, unknown>): Promise<void> {
    return withWarning(endpoint, 'setResponse()', async () => respondNow(this, endpoint, rest, false));
  }

  /** `setError(endpoint, ...args, error)`: stores an error as if the request had failed with it. */
  async setError<E extends EndpointInterface>(endpoint: E, ...rest: WithLast<Parameters<E>, unknown>): Promise<void> {
    return respondNow(this, endpoint, rest, true);
  }

  /** Resolves a request with a response. With `fetchedAt` it answers the request in flight that was sent then. */
  async resolve<E extends EndpointInterface>(
    endpoint: E,
    given: {
      readonly args: Readonly<Parameters<E>>;
      readonly response: unknown;
      readonly fetchedAt: number;
      readonly error?: boolean;
    },
  ): Promise<void> {
    const { args, ...answer } = given;
    return respond(this, endpoint, args, { ...answer, isResolving: true });
  }

  /** Removes a result. Components that show it fetch, and suspend until the answer is there. */
  async invalidate<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): Promise<void> {
    if (args[0] === null) return;
    await this.dispatch({ type: actionTypes.INVALIDATE, key: requestKey(endpoint, args, 'invalidate()') });
  }

  /** Removes the results of all request keys for which `testKey` returns true. */
  async invalidateAll(only: RequestKeyFilter): Promise<void> {
    return this.dispatch({ type: actionTypes.INVALIDATEALL, testKey: (key) => only.testKey(key) });
  }

  /** Makes results stale. Components go on showing them while they are fetched again. */
  async expireAll(only: RequestKeyFilter): Promise<void> {
    return this.dispatch({ type: actionTypes.EXPIREALL, testKey: (key) => only.testKey(key) });
  }

  /** Removes all data. Requests in flight fail, and their answers will not be stored. Rejects if a manager prevents it, as an outbox whose user does not want to log out. */
  async resetEntireStore(): Promise<void> {
    return this.dispatch({ type: actionTypes.RESET });
  }

  /** Asks the managers to keep an endpoint up to date, for example by polling. */
  subscribe<E extends NoMutation>(endpoint: E, ...args: ArgsOrNull<E>): Promise<void> {
    return withWarning(endpoint, 'subscribe()', async () => {
      if (args[0] === null) return;
      const key = requestKey(endpoint, args, 'subscribe()');
      await this.dispatch({ type: actionTypes.SUBSCRIBE, endpoint, args, key });
    });
  }

  /** Ends a subscription that `subscribe` has started with the same arguments. */
  async unsubscribe<E extends NoMutation>(endpoint: E, ...args: ArgsOrNull<E>): Promise<void> {
    if (args[0] === null) return;
    await this.dispatch({
      type: actionTypes.UNSUBSCRIBE,
      endpoint,
      args,
      key: requestKey(endpoint, args, 'unsubscribe()'),
    });
  }
}

/** Returns the value that `set` stores for a change of a record. The pk stays the same. */
function changeOf(entity: PkSource, record: object, changes: unknown): readonly [args: object, value: unknown] {
  const pkFields = fieldsOfPk(entity, record);
  const changed = (given: unknown): object => ({ ...(given as object), ...pkFields });
  if (typeof changes !== 'function') return [pkFields, changed(changes)];
  return [pkFields, (present: unknown) => changed((changes as (present: unknown) => unknown)(present))];
}

/** The promise rejects if `run` fails. If no code awaits it, there is a warning in development instead of an unhandled rejection. */
function withWarning(about: object, what: string, run: () => Promise<void>): Promise<void> {
  const done = run();
  done.catch((error: unknown) => warn(about, 'write-failed', () => `${what} did nothing: ${sentenceOf(error)}`));
  return done;
}

function respondNow(
  dispatcher: Dispatcher,
  endpoint: EndpointInterface,
  rest: readonly unknown[],
  error: boolean,
): Promise<void> {
  const [args, response] = splitLast(rest);
  return respond(dispatcher, endpoint, args, { response, error, fetchedAt: dispatcher.now() });
}

function respond(
  dispatcher: Dispatcher,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  answer: Pick<SetResponseAction, 'response' | 'fetchedAt' | 'error' | 'isResolving'>,
): Promise<void> {
  const key = requestKey(endpoint, args, answer.error ? 'setError()' : 'setResponse()');
  return dispatcher.dispatch({ type: actionTypes.SET_RESPONSE, endpoint, args, key, ...answer });
}

/** Splits arguments into all but the last, and the last. */
export function splitLast(rest: readonly unknown[]): readonly [args: readonly unknown[], last: unknown] {
  return [rest.slice(0, -1), rest.at(-1)];
}
