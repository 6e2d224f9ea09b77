import type { Updates } from '../../state/store/layer-rows.ts';
import type { Result } from '../../state/store/request-state.ts';
import type { Store } from '../../state/store/store.ts';
import { copyPlain } from '../../std/plain.ts';
import { warn } from '../../std/warn.ts';
import { PAST } from '../view/responses.ts';
import type { SetResponseAction } from './action.ts';
import type { EndpointCall } from './request-in-flight.ts';

/** Changes the results of other requests as the `update` of an endpoint says. */
export function updateOthers(store: Store, { endpoint, key, args, request }: SetResponseAction, stored: unknown): void {
  const known = store.result(key)?.stamp;
  if (known === undefined) return;
  const { issue } = request?.ticket ?? known;
  for (const [other, next] of updatesOf({ endpoint, key, args }, stored)) {
    const before = store.result(other);
    const changed = next(before?.stored);
    if (before === undefined && changed === undefined) continue;
    // A change does not make the rest of a result fresh. A result that was not loaded is still to be fetched.
    const stamp = { ...(before?.stamp ?? { ...known, expiresAt: PAST }), issue };
    const result: Result = { schema: undefined, args: [], ...before, stored: changed, stamp };
    store.writer.setRequest(other, { results: [result], note: store.request(other)?.note });
  }
}

/** Returns the changes of other results that the `update` of an endpoint makes. Warns of an error in it, which must not undo the answer or the guess. */
export function updatesOf({ endpoint, key, args }: EndpointCall, stored: unknown): Updates {
  const run = <Value>(make: () => Value, otherwise: Value): Value => {
    try {
      return make();
    } catch (error) {
      warn(
        endpoint,
        'update-failed',
        () => `update() of ${key} threw: ${String(error)}. The results that it should change stay as they were.`,
      );
      return otherwise;
    }
  };
  const made = run(() => endpoint.update?.(copyPlain(stored), ...args) ?? {}, {});
  return new Map(
    Object.entries(made).map(([other, next]) => [
      other,
      (before: unknown) => run<unknown>(() => next(copyPlain(before)), before),
    ]),
  );
}
