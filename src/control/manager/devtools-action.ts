import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { type Action, actionTypes } from '../controller/action.ts';

interface DescribedAction {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** An action as the monitor shows it: its type includes the request key or entity, and it contains no functions. */
export function describeAction(action: Action): DescribedAction {
  switch (action.type) {
    case actionTypes.SET: {
      const { type, schema, args, value } = action;
      const { key } = schema as { readonly key?: unknown };
      const subject = typeof key === 'string' ? ` ${key}` : '';
      return { type: type + subject, args, value: typeof value === 'function' ? 'a function' : value };
    }
    case actionTypes.SET_RESPONSE: {
      const { error, response, fetchedAt } = action;
      const answer = error === true ? { error: readable(response) } : { response };
      return { ...describeRequest(action), ...answer, fetchedAt };
    }
    case actionTypes.FETCH:
    case actionTypes.OPTIMISTIC:
    case actionTypes.SUBSCRIBE:
    case actionTypes.UNSUBSCRIBE:
      return describeRequest(action);
    case actionTypes.INVALIDATE:
      return { type: `${action.type} ${action.key}` };
    default:
      return { type: action.type };
  }
}

interface ActionOfRequest {
  readonly type: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
}

function describeRequest({ type, endpoint, args, key }: ActionOfRequest): DescribedAction {
  return { type: `${type} ${key}`, endpoint: endpoint.name, args, key };
}

/** Copies the members of an error, because JSON leaves out members that are not enumerable. */
function readable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  const { code, status } = error as { readonly code?: unknown; readonly status?: unknown };
  return { name, message, code, status };
}
