import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { SchemaSimple } from '../../define/schema/schema.ts';
import { validateWith } from '../../std/standard-schema.ts';
import { actionTypes, type SetAction } from '../controller/action.ts';
import type { MiddlewareAPI } from '../controller/manager.ts';

/**
 * What to write for a message: a response of an endpoint, the value of a queryable, a new member of lists (`posts.getList.schema.push`), or a
 * deletion (`new Invalidate(Post)`).
 */
export type StreamWrite =
  | { readonly endpoint: EndpointInterface; readonly args: readonly unknown[]; readonly value: unknown }
  | {
      readonly schema: Queryable | SchemaSimple;
      readonly args?: readonly unknown[];
      readonly value: unknown;
    };

/** The place of a message in the order of answers and writes. */
export type MessageTicket = NonNullable<SetAction['ticket']>;

/** Stores a message at its place in the order. `isOver` returns whether the session has ended since the message arrived. */
export function storeMessage(
  controller: MiddlewareAPI,
  write: StreamWrite,
  ticket: MessageTicket,
  isOver: () => boolean,
): unknown {
  const { args = [], value } = write;
  if (!('endpoint' in write)) {
    return controller.dispatch({ type: actionTypes.SET, schema: write.schema, args, value, ticket });
  }
  const { endpoint } = write;
  const { process } = endpoint as { readonly process?: (value: unknown, ...args: readonly unknown[]) => unknown };
  const valid =
    endpoint.validate === undefined ? value : validateWith(endpoint.validate, value, 'A message of a stream');
  const processed = whenKnown(valid, (message) =>
    process === undefined ? message : Reflect.apply(process, endpoint, [message, ...args]),
  );
  return whenKnown(processed, (response) => {
    if (isOver()) return undefined;
    const type = actionTypes.SET_RESPONSE;
    const key: string = endpoint.key(...args);
    return controller.dispatch({ type, endpoint, args, key, response, fetchedAt: controller.now(), ticket });
  });
}

/** Calls `run` with a value, or with that of a promise. At once if possible, so that the write is in the commit of its frame. */
function whenKnown(value: unknown, run: (value: unknown) => unknown): unknown {
  return value instanceof Promise ? value.then(run) : run(value);
}
