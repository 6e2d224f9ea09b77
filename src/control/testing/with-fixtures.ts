import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { actionTypes } from '../controller/action.ts';
import type { Controller } from '../controller/controller.ts';
import type { Dispatch } from '../controller/manager.ts';
import type { Fixtures } from './fixtures.ts';

/** The methods that take an endpoint and can send a request. */
const REQUEST_METHODS: ReadonlySet<string | symbol> = new Set([
  'fetch',
  'fetchIfStale',
  'request',
  'subscribe',
  'unsubscribe',
  'view',
]);

interface WrappedController {
  readonly controller: Controller;
  readonly copyOf: (endpoint: EndpointInterface) => EndpointInterface;
}

const wrapped = new WeakMap<Controller, WrappedController>();

/** Returns the controller `given` with `fixtures` in front of its network. */
export function withFixtures(given: Controller, fixtures: Fixtures): Controller {
  const behind = wrapped.get(given);
  const controller = behind?.controller ?? given;
  // The outermost fixtures come first.
  const copyOf: WrappedController['copyOf'] = (endpoint) =>
    fixtures.copyOf(behind === undefined ? endpoint : behind.copyOf(endpoint));
  const methods = new Map<string | symbol, unknown>([['dispatch', dispatchTo(controller, copyOf)]]);
  const wrapper = new Proxy(controller, {
    get(target, name) {
      if (methods.has(name)) return methods.get(name);
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      // Bound to the real controller, because methods read its private members.
      const own = bindMethod(member as Method, target, REQUEST_METHODS.has(name) ? copyOf : undefined);
      methods.set(name, own);
      return own;
    },
  });
  wrapped.set(wrapper, { controller, copyOf });
  return wrapper;
}

function dispatchTo(controller: Controller, copyOf: WrappedController['copyOf']): Dispatch {
  return (action) =>
    controller.dispatch(
      action.type === actionTypes.FETCH || action.type === actionTypes.SUBSCRIBE
        ? { ...action, endpoint: copyOf(action.endpoint) }
        : action,
    );
}

type Method = (...args: readonly unknown[]) => unknown;

function bindMethod(method: Method, controller: Controller, copyOf: WrappedController['copyOf'] | undefined): Method {
  if (copyOf === undefined) return (...args) => Reflect.apply(method, controller, args);
  return (what, ...args) => Reflect.apply(method, controller, [isEndpoint(what) ? copyOf(what) : what, ...args]);
}

/** Returns whether a value is an endpoint: `view` also takes queryables. */
function isEndpoint(what: unknown): what is EndpointInterface {
  return typeof (what as { readonly testKey?: unknown } | null)?.testKey === 'function';
}
