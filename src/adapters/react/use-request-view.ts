import { useEffect, useMemo } from 'react';
import { UNASKED, RequestView, ResponseView } from '../../control/view/request-view.ts';
import type { LiveView } from '../../control/view/answer.ts';
import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import { DataError } from '../../std/data-error.ts';
import { useController } from './controller-context.ts';
import { requestsOf } from './requests-of.ts';
import { IS_SERVER } from './use-fixup.ts';
import { useStable } from './use-stable.ts';

/** The arguments of an endpoint, or `null` for no request. */
export type ArgsOrNull<E extends EndpointInterface> = Parameters<E> | readonly [null];

/** The name of a request; `undefined` for none. */
export function keyOf(endpoint: EndpointInterface, args: readonly unknown[]): string | undefined {
  return args[0] === null ? undefined : endpoint.key(...args);
}

/** The view of what an endpoint answers; the same for as long as the request is. */
export function useResponseView(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  View: typeof ResponseView = ResponseView,
): LiveView {
  const controller = useController();
  const key = keyOf(endpoint, args);
  const schema: unknown = endpoint.schema;
  useStable(schema, key);
  return useMemo(
    () => (key === undefined ? UNASKED : new View(controller, endpoint, args)),
    // The key says what the arguments are.
    [controller, key, schema, View],
  );
}

/** As `useResponseView`, and what is missing or stale is asked for. */
export function useRequestView(endpoint: EndpointInterface, args: readonly unknown[]): RequestView | undefined {
  const controller = useController();
  const key = keyOf(endpoint, args);
  const schema: unknown = endpoint.schema;
  if (endpoint.sideEffect) throw mutation(key);
  useStable(schema, key);
  const view = useMemo(
    () => (key === undefined ? undefined : new RequestView(controller, requestsOf(controller), endpoint, args)),
    // The key says what the arguments are.
    [controller, key, schema],
  );
  // Where there are no effects, what is missing is asked for all the same, so that it is on its way.
  if (IS_SERVER && view?.current().status === 'missing') void view.ask();
  useEffect(() => view?.shown(), [view]);
  return view;
}

function mutation(key: string | undefined): DataError {
  return new DataError(
    'hook-mutation',
    `A hook that reads was given ${key}, which changes something. Call it by useController().fetch() in an event.`,
  );
}
