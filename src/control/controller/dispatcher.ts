import type { EndpointInterface, WithLast } from '../../define/endpoint/infer-endpoint.ts';
import { checkSchema, requestKey } from '../../define/endpoint/request-key.ts';
import type { ArgsOrNull } from '../../define/endpoint/infer-value.ts';
import { type Entity, isEntity } from '../../define/schema/entity.ts';
import type { Changes, Queryable, SchemaArgs } from '../../define/schema/infer-schema.ts';
import { fieldsOfPk, type PkSource } from '../../define/schema/pk.ts';
import { warn } from '../../std/warn.ts';
import { type Action, actionTypes, type SetResponseAction } from './action.ts';
import { messageOf } from '../../std/thrown.ts';

/** Concerns every request key that `testKey` is true of. */
export interface Only {
  testKey(key: string): boolean;
}

/** What can be asked for without an answer: each method is one action, and resolves when that has taken effect. */
export abstract class Dispatcher {
  /** The clock. */
  abstract now(): number;
  /** Hands an action to the managers, and what they let through to the store. */
  abstract dispatch(action: Action): Promise<void>;

  /** Changes fields of a record that was read: `set(post, { title })`, or instead of the fields what makes them of the present record. */
  set<R extends Pick<Entity, 'pk'>>(record: R, changes: Changes<R> | ((present: R) => Changes<R>)): Promise<void>;
  /** Files a record away: `set(schema, ...args, record)`, or instead of the record what makes it of the present value. */
  set<S extends Queryable>(schema: S, ...rest: WithLast<SchemaArgs<S>, unknown>): Promise<void>;
  set(what: object, ...rest: readonly unknown[]): Promise<void> {
    const { constructor } = Object(what) as object;
    if (isEntity(constructor)) return this.set(constructor as Queryable, ...changeOf(constructor, what, rest[0]));
    const schema = what as Queryable;
    const [args, value] = split(rest);
    return withWarning(schema, 'set()', async () => {
      checkSchema(schema, 'set()', 'setResponse()');
      return this.dispatch({ type: actionTypes.SET, schema, args, value });
    });
  }

  /** `setResponse(endpoint, ...args, response)`: as if the server had answered so. */
  setResponse<E extends EndpointInterface>(endpoint: E, ...rest: WithLast<Parameters<E>, unknown>): Promise<void> {
    return withWarning(endpoint, 'setResponse()', async () => respondNow(this, endpoint, rest, false));
  }

  /** `setError(endpoint, ...args, error)`: as if the request had failed so. */
  async setError<E extends EndpointInterface>(endpoint: E, ...rest: WithLast<Parameters<E>, unknown>): Promise<void> {
    return respondNow(this, endpoint, rest, true);
  }

  /** Answers a request, also one that is under way since `fetchedAt`. */
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

  /** Throws a result away. Readers that show it have to fetch. */
  async invalidate<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): Promise<void> {
    if (args[0] === null) return;
    await this.dispatch({ type: actionTypes.INVALIDATE, key: requestKey(endpoint, args, 'invalidate()') });
  }

  async invalidateAll(only: Only): Promise<void> {
    return this.dispatch({ type: actionTypes.INVALIDATEALL, testKey: (key) => only.testKey(key) });
  }

  /** Makes results stale. Readers that show them go on showing them. */
  async expireAll(only: Only): Promise<void> {
    return this.dispatch({ type: actionTypes.EXPIREALL, testKey: (key) => only.testKey(key) });
  }

  /** Forgets everything. Requests under way fail, and nothing of them will be stored. */
  async resetEntireStore(): Promise<void> {
    return this.dispatch({ type: actionTypes.RESET });
  }

  /** Asks managers to keep an endpoint up to date. */
  subscribe<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): Promise<void> {
    return withWarning(endpoint, 'subscribe()', async () => {
      if (args[0] === null) return;
      const key = requestKey(endpoint, args, 'subscribe()');
      await this.dispatch({ type: actionTypes.SUBSCRIBE, endpoint, args, key });
    });
  }

  async unsubscribe<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): Promise<void> {
    if (args[0] === null) return;
    await this.dispatch({
      type: actionTypes.UNSUBSCRIBE,
      endpoint,
      args,
      key: requestKey(endpoint, args, 'unsubscribe()'),
    });
  }
}

/** A change of a record, as what is set: what the record is called stays. */
function changeOf(entity: PkSource, record: object, changes: unknown): readonly [args: object, value: unknown] {
  const called = fieldsOfPk(entity, record);
  const changed = (given: unknown): object => ({ ...(given as object), ...called });
  if (typeof changes !== 'function') return [called, changed(changes)];
  return [called, (present: unknown) => changed((changes as (present: unknown) => unknown)(present))];
}

/** The promise rejects where `run` fails. Where it is not awaited, that is no unhandled rejection, but a warning in development. */
function withWarning(about: object, what: string, run: () => Promise<void>): Promise<void> {
  const done = run();
  done.catch((error: unknown) => warn(about, 'write-failed', () => `${what} did nothing: ${messageOf(error)}`));
  return done;
}

function respondNow(
  dispatcher: Dispatcher,
  endpoint: EndpointInterface,
  rest: readonly unknown[],
  error: boolean,
): Promise<void> {
  const [args, response] = split(rest);
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

/** The last of the arguments is what the others are about. */
export function split(rest: readonly unknown[]): readonly [args: readonly unknown[], last: unknown] {
  return [rest.slice(0, -1), rest.at(-1)];
}
