import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { NetworkError } from '../../define/rest/network-error.ts';
import { actionTypes } from '../controller/action.ts';
import type { Manager, Middleware } from '../controller/manager.ts';
import { shareKeyOf } from '../controller/request-in-flight.ts';
import { waitOrAbort } from '../controller/waiting-request.ts';
import { afterDelay, outcome } from './answering.ts';
import { type FetchInterceptor, type Fixture, type FixtureOptions, type Interceptor, isFixture } from './fixture.ts';

type AnswerFunction = (...args: readonly unknown[]) => Promise<unknown>;

/** The members that fixtures replace in an endpoint of this library. */
interface Replaceable {
  fetch(...args: readonly unknown[]): Promise<unknown>;
  extend(members: object): EndpointInterface;
}

/** Fixtures and interceptors in front of a network. They answer the requests that they match. */
export class Fixtures implements Manager {
  readonly #byKey = new Map<string, Fixture>();
  readonly #interceptors: Interceptor[] = [];
  readonly #data: unknown;
  readonly #refuse: ((key: string) => Error) | undefined;
  readonly #copies = new WeakMap<EndpointInterface, EndpointInterface>();

  /** `refuse` returns the error for a request that nothing here answers. Without `refuse`, the request is sent. */
  constructor({ fixtures = [], getInitialInterceptorData }: FixtureOptions, refuse?: (key: string) => Error) {
    this.#data = getInitialInterceptorData?.();
    this.#refuse = refuse;
    this.use(fixtures);
  }

  /** Replaces the fixtures. */
  use(fixtures: NonNullable<FixtureOptions['fixtures']>): void {
    this.#byKey.clear();
    this.#interceptors.length = 0;
    for (const one of fixtures) {
      if ('args' in one) this.#byKey.set(keyOfRequest(one.endpoint, one.args), one);
      else this.#interceptors.push(one);
    }
  }

  readonly middleware: Middleware = () => (next) => (action) =>
    action.type === actionTypes.FETCH || action.type === actionTypes.SUBSCRIBE
      ? next({ ...action, endpoint: this.copyOf(action.endpoint) })
      : next(action);

  cleanup(): void {}

  /** Returns a copy of the endpoint that tries the fixtures before its `fetch`. */
  copyOf<E extends EndpointInterface>(endpoint: E): E {
    const known = this.#copies.get(endpoint) ?? this.#createCopy(endpoint);
    this.#copies.set(endpoint, known);
    // An endpoint that was replaced already needs no other copy.
    this.#copies.set(known, known);
    return known as E;
  }

  #createCopy(endpoint: EndpointInterface): EndpointInterface {
    const answer = (args: readonly unknown[]): AnswerFunction | undefined =>
      this.#answer(keyOfRequest(endpoint, args), args);
    const { fetch, extend } = endpoint as EndpointInterface & Partial<Replaceable>;
    if (fetch === undefined || extend === undefined) {
      const call = (...args: readonly unknown[]): Promise<unknown> => (answer(args) ?? endpoint)(...args);
      return Object.setPrototypeOf(call, endpoint) as EndpointInterface;
    }
    return Reflect.apply(extend, endpoint, [
      {
        // With another function, an endpoint gets another name, and its requests get other keys.
        name: endpoint.name,
        // `this` contains the state of this one request.
        fetch(this: Replaceable, ...args: readonly unknown[]): Promise<unknown> {
          const answered = answer(args);
          if (answered === undefined) return Reflect.apply(fetch, this, args);
          const own = this.extend({ fetch });
          return waitOrAbort(Reflect.apply(answered, own, args), own);
        },
      },
    ]);
  }

  #answer(key: string, args: readonly unknown[]): AnswerFunction | undefined {
    const fixture = this.#byKey.get(key);
    if (fixture !== undefined && isFixture(fixture)) return () => afterDelay(fixture, args, () => outcome(fixture));
    const interceptor = fixture ?? this.#interceptors.find(({ endpoint }) => endpoint.testKey(key));
    if (interceptor !== undefined) return this.#intercepted(interceptor);
    const refuse = this.#refuse;
    return refuse && (async () => Promise.reject(refuse(key)));
  }

  #intercepted(interceptor: Interceptor): AnswerFunction {
    const data = this.#data;
    return function answer(this: unknown, ...args) {
      const respond = (): unknown =>
        'response' in interceptor
          ? Reflect.apply(interceptor.response, data, args)
          : fetchWith(interceptor, data, this as Replaceable, args);
      return afterDelay(interceptor, args, respond);
    };
  }
}

/** Returns the key of one request: for a page of a list, that of the page. */
export function keyOfRequest(endpoint: EndpointInterface, args: readonly unknown[]): string {
  return shareKeyOf({ endpoint, args, key: endpoint.key(...args) });
}

/** Runs the endpoint unchanged, with the interceptor in place of the network. */
function fetchWith(interceptor: FetchInterceptor, data: unknown, endpoint: Replaceable, args: readonly unknown[]) {
  const fetchResponse = async (url: string, init: RequestInit): Promise<Response> => {
    const given: unknown = await Reflect.apply(interceptor.fetchResponse, data, [url, init]);
    const response = given instanceof Response ? given : Response.json(given);
    if (!response.ok) throw new NetworkError(response);
    return response;
  };
  return (endpoint.extend({ fetchResponse }) as unknown as Replaceable).fetch(...args);
}
