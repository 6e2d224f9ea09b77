import { argsKey } from '../../std/args-key.ts';
import { DataError } from '../../std/data-error.ts';
import { callable, derived, setMembers } from './callable.ts';
import type { EndpointConstructor, EndpointInstance, FetchFunction } from './infer-endpoint.ts';
import { type StandardSchema, validated } from '../../std/standard-schema.ts';
import type { Fields } from '../../std/plain.ts';

type FetchRun = (...args: readonly unknown[]) => Promise<unknown>;
/** The class as it runs. What the compiler is told of it is `EndpointConstructor`. */
export class CallableEndpoint {
  declare readonly name: string;
  declare readonly sideEffect: boolean | undefined;
  declare readonly validate: StandardSchema | undefined;
  declare readonly getOptimisticResponse: ((snap: unknown, ...args: readonly unknown[]) => unknown) | undefined;

  static {
    // For `call`, `apply` and `toString`, and so that an endpoint is an instance of Function.
    Object.setPrototypeOf(this.prototype, Function.prototype);
  }

  /** The function that the endpoint was made of. `fetch` runs it, and can be overridden. */
  declare readonly fetchFunction?: FetchRun;

  constructor(fetch: FetchRun | undefined, options: Fields = {}) {
    const self = callable(new.target.prototype);
    if (fetch !== undefined) {
      setMembers(self, { fetchFunction: fetch, name: fetch.name });
    }
    setMembers(self, options);
    return self;
  }

  fetch(...args: readonly unknown[]): Promise<unknown> {
    return Reflect.apply(this.fetchFunction ?? notGiven, this, args);
  }

  /** What a call of the endpoint itself does. */
  async invoke(...args: readonly unknown[]): Promise<unknown> {
    const value = await this.fetch(...args);
    return this.validate === undefined ? value : validated(this.validate, value, `What ${this.name} fetched`);
  }

  key(...args: readonly unknown[]): string {
    if (this.name === '') throw nameMissing();
    // No two mutations share a request, so what they are given need not be plain data.
    return `${this.name} ${argsKey(args, this.name, this.sideEffect === true ? 'everything' : 'instances')}`;
  }

  testKey(key: string): boolean {
    return key.startsWith(this.name);
  }

  extend(options: Fields): this {
    const { fetch } = options;
    // Requests are named after the function: with another one they are other requests.
    const isRenamed = typeof fetch === 'function' && !('name' in options) && !('key' in options);
    return derived(this, isRenamed ? { ...options, name: nameWith(this.name, fetch.name) } : options);
  }

  bind(thisArg: unknown, ...bound: readonly unknown[]): this {
    const { fetch, fetchFunction = fetch, key, getOptimisticResponse: guess } = this;
    // Otherwise `this` is looked at when it runs: the bound endpoint may be extended further.
    const isElsewhere = thisArg !== undefined && thisArg !== null;
    return this.extend({
      fetch(this: unknown, ...args: readonly unknown[]) {
        return Reflect.apply(isElsewhere ? fetchFunction : fetch, isElsewhere ? thisArg : this, [...bound, ...args]);
      },
      key(this: unknown, ...args: readonly unknown[]) {
        return Reflect.apply(key, this, [...bound, ...args]);
      },
      ...(guess && {
        getOptimisticResponse(this: unknown, snap: unknown, ...args: readonly unknown[]) {
          return Reflect.apply(guess, this, [snap, ...bound, ...args]);
        },
      }),
    });
  }
}

/**
 * A function that fetches, with what is to be known of it: how its requests are named, what its responses are filed
 * under, for how long they are fresh. Extend it with `extend`, or as a class.
 */
// The class is generic in ways that TypeScript cannot say of a class: its instances can be called.
export const Endpoint: EndpointConstructor = CallableEndpoint as unknown as EndpointConstructor;
export type Endpoint<F extends FetchFunction = FetchFunction, S = undefined, M = undefined> = EndpointInstance<F, S, M>;

/** The name of an endpoint that fetches with another function. JavaScript calls one that has no name of its own `fetch`. */
function nameWith(name: string, own: string): string {
  if (own !== '' && own !== 'fetch') return own;
  return name === '' ? '' : `${name}.fetch`;
}

function notGiven(): never {
  throw new DataError(
    'endpoint-fetch-missing',
    'An endpoint has nothing to fetch with. Give it a function, or its class a fetch().',
  );
}

function nameMissing(): DataError {
  return new DataError(
    'endpoint-name-missing',
    'An endpoint of a function without a name needs the option name, or a key() of its own.',
  );
}
