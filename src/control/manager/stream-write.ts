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
): Promise<void> {
  const { args = [], value } = write;
  if (!('endpoint' in write)) {
    return controller.dispatch({ type: actionTypes.SET, schema: write.schema, args, value, ticket });
  }
  const { endpoint } = write;
  const valid =
    endpoint.validate === undefined ? value : validateWith(endpoint.validate, value, 'A message of a stream');
  const store = (message: unknown): Promise<void> => respond(controller, endpoint, args, message, ticket);
  // Synchronous if possible, so that the write is in the commit of its frame.
  if (!(valid instanceof Promise)) return store(valid);
  return afterValidation(valid, (message) => (isOver() ? undefined : store(message)));
}

async function afterValidation(
  validation: Promise<unknown>,
  then: (message: unknown) => Promise<void> | undefined,
): Promise<void> {
  await then(await validation);
}

function respond(
  controller: MiddlewareAPI,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  value: unknown,
  ticket: MessageTicket,
): Promise<void> {
  const { process } = endpoint as { readonly process?: (value: unknown, ...args: readonly unknown[]) => unknown };
  const response = process === undefined ? value : Reflect.apply(process, endpoint, [value, ...args]);
  const type = actionTypes.SET_RESPONSE;
  const key: string = endpoint.key(...args);
  return controller.dispatch({ type, endpoint, args, key, response, fetchedAt: controller.now(), ticket });
}
