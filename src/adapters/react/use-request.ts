import { useMemo } from 'react';
import type { Controller } from '../../control/controller/controller.ts';
import type { LiveView } from '../../control/view/answer.ts';
import { ViewReader } from '../../control/screen/reader.ts';
import { requestView, NO_REQUEST } from '../../control/view/request-view.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { requestKey } from '../../define/endpoint/request-key.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { useController, useScreen } from './controller-context.ts';
import { useStable } from './use-stable.ts';

/** Returns the key of a request; `undefined` for no request. */
export function keyIfAny(endpoint: EndpointInterface, args: readonly unknown[]): string | undefined {
  return args[0] === null ? undefined : requestKey(endpoint, args, 'A hook');
}

/** Returns a reader of the answer of an endpoint. `viewOf` makes its view, and is called once for each request key. */
export function useReader(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  viewOf: (controller: Controller, endpoint: EndpointInterface, args: readonly unknown[]) => LiveView,
  isWaiting?: boolean,
): ViewReader {
  const controller = useController();
  const screen = useScreen();
  const key = keyIfAny(endpoint, args);
  const schema: unknown = endpoint.schema;
  useStable(schema, key);
  const reader = useMemo(
    () => new ViewReader(screen, key === undefined ? NO_REQUEST : viewOf(controller, endpoint, args), isWaiting),
    // The key identifies the arguments.
    [controller, screen, key, schema],
  );
  // An endpoint that is created in render has the values of this render, such as a new token.
  reader.view.renew?.(controller, endpoint);
  return reader;
}

/** As `useReader`, and fetches a missing or stale answer. `isWaiting` says that the caller suspends. */
export function useRequest(endpoint: EndpointInterface, args: readonly unknown[], isWaiting?: boolean): ViewReader {
  if (endpoint.sideEffect) throw mutationError(keyIfAny(endpoint, args));
  return useReader(endpoint, args, requestView, isWaiting);
}

function mutationError(key: string | undefined): DataError {
  return new DataError('hook-mutation', `A hook that reads was given ${key}, which is a mutation.`, {
    cure: inDevelopment(() => 'Use useMutation(), or call it with useController().fetch() in an event handler.'),
  });
}
