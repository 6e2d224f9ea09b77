import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { actionTypes } from '../controller/action.ts';
import type { Controller } from '../controller/controller.ts';
import type { Dispatch } from '../controller/manager.ts';
import type { Fixtures } from './fixtures.ts';

/** The methods that take an endpoint and can send a request. */
const ASKING: ReadonlySet<string | symbol> = new Set([
  'fetch',
  'fetchIfStale',
  'request',
  'subscribe',
  'unsubscribe',
  'view',
]);

interface Behind {
  readonly controller: Controller;
  readonly double: (endpoint: EndpointInterface) => EndpointInterface;
}

const wrapped = new WeakMap<Controller, Behind>();

/** Returns the controller `given` with `fixtures` in front of its network. */
export function withFixtures(given: Controller, fixtures: Fixtures): Controller {
  const behind = wrapped.get(given);
  const controller = behind?.controller ?? given;
  // The outermost fixtures come first.
  const double: Behind['double'] = (endpoint) =>
    fixtures.double(behind === undefined ? endpoint : behind.double(endpoint));
  const methods = new Map<string | symbol, unknown>([['dispatch', dispatchTo(controller, double)]]);
  const wrapper = new Proxy(controller, {
    get(target, name) {
      if (methods.has(name)) return methods.get(name);
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      // Bound to the real controller, because methods read its private members.
      const own = bound(member as Method, target, ASKING.has(name) ? double : undefined);
      methods.set(name, own);
      return own;
    },
  });
  wrapped.set(wrapper, { controller, double });
  return wrapper;
}

function dispatchTo(controller: Controller, double: Behind['double']): Dispatch {
  return (action) =>
    controller.dispatch(
      action.type === actionTypes.FETCH || action.type === actionTypes.SUBSCRIBE
        ? { ...action, endpoint: double(action.endpoint) }
        : action,
    );
}

type Method = (...args: readonly unknown[]) => unknown;

function bound(method: Method, controller: Controller, double: Behind['double'] | undefined): Method {
  if (double === undefined) return (...args) => Reflect.apply(method, controller, args);
  return (what, ...args) => Reflect.apply(method, controller, [isEndpoint(what) ? double(what) : what, ...args]);
}

/** Whether it is an endpoint: `view` also takes queryables. */
function isEndpoint(what: unknown): what is EndpointInterface {
  return typeof (what as { readonly testKey?: unknown } | null)?.testKey === 'function';
}
