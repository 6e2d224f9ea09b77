import { argsKey } from '../../std/args-key.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { callable, derived, setMembers } from './callable.ts';
import type { EndpointConstructor, EndpointInstance, FetchFunction } from './infer-endpoint.ts';
import { type StandardSchema, validateWith } from '../../std/standard-schema.ts';
import type { Fields } from '../../std/plain.ts';

type FetchRun = (...args: readonly unknown[]) => Promise<unknown>;
/** The class `Endpoint` at run time. Its public type is `EndpointConstructor`. */
export class CallableEndpoint {
  declare readonly name: string;
  declare readonly sideEffect: boolean | undefined;
  declare readonly validate: StandardSchema | undefined;
  declare readonly getOptimisticResponse: ((snap: unknown, ...args: readonly unknown[]) => unknown) | undefined;

  /** The function that the endpoint was made from. `fetch` calls it, and can be overridden. */
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

  /** Runs when the endpoint itself is called. */
  async invoke(...args: readonly unknown[]): Promise<unknown> {
    const value = await this.fetch(...args);
    return this.validate === undefined ? value : validateWith(this.validate, value, `What ${this.name} fetched`);
  }

  key(...args: readonly unknown[]): string {
    if (this.name === '') throw nameMissing();
    // Mutations do not share requests, so their arguments need not be plain data.
    return `${this.name} ${argsKey(args, this.name, this.sideEffect === true ? 'everything' : 'instances')}`;
  }

  testKey(key: string): boolean {
    // Behind the name, a key that `key` has made has a space: those of `getUser` must not include those of `getUsers`.
    return key.startsWith(this.key === CallableEndpoint.prototype.key ? `${this.name} ` : this.name);
  }

  extend(options: Fields): this {
    const { fetch } = options;
    // A key begins with the name of the function. With another function, the requests are different ones and need another name.
    const isRenamed = typeof fetch === 'function' && !('name' in options) && !('key' in options);
    return derived(this, isRenamed ? { ...options, name: nameWith(this.name, fetch.name) } : options);
  }

  bind(thisArg: unknown, ...bound: readonly unknown[]): this {
    const { fetch, fetchFunction = fetch } = this;
    // Without `thisArg`, the methods use the `this` of the call, because the bound endpoint may be extended further.
    const isElsewhere = thisArg !== undefined && thisArg !== null;
    return this.extend({
      fetch(this: unknown, ...args: readonly unknown[]) {
        return Reflect.apply(isElsewhere ? fetchFunction : fetch, isElsewhere ? thisArg : this, [...bound, ...args]);
      },
      ...membersWith(this, bound),
    });
  }
}

/** The members that are called with the arguments of a call, and how many others come before these. */
const CALLED = { key: 0, pageKey: 0, impliedResponse: 0, serial: 0, tagOf: 0, getOptimisticResponse: 1, update: 1 };

/** Returns these members of an endpoint, with arguments that come before those of the call. */
function membersWith(endpoint: object, bound: readonly unknown[]): Fields {
  const members = Object.entries(CALLED).flatMap(([name, before]) => {
    const member: unknown = Reflect.get(endpoint, name);
    if (typeof member !== 'function') return [];
    function call(this: unknown, ...args: readonly unknown[]): unknown {
      return Reflect.apply(member as FetchRun, this, [...args.slice(0, before), ...bound, ...args.slice(before)]);
    }
    return [[name, call] as const];
  });
  return Object.fromEntries(members);
}

// An endpoint then has `call`, `apply` and `toString`, and is an instance of Function. Not in a static block: for React Native, Babel compiles none.
Object.setPrototypeOf(CallableEndpoint.prototype, Function.prototype);

/**
 * A function that fetches, with options for it: the key of its requests, the schema of its responses, how long they are fresh. Extend it
 * with `extend`, or as a class.
 */
// A cast, because TypeScript has no classes whose instances can be called.
export const Endpoint: EndpointConstructor = CallableEndpoint as unknown as EndpointConstructor;
export type Endpoint<F extends FetchFunction = FetchFunction, S = undefined, M = undefined> = EndpointInstance<F, S, M>;

/**
 * Returns the name of an endpoint whose function was replaced. JavaScript names an anonymous function after the property it is assigned to:
 * `fetch`.
 */
function nameWith(name: string, own: string): string {
  if (own !== '' && own !== 'fetch') return own;
  return name === '' ? '' : `${name}.fetch`;
}

function notGiven(): never {
  throw new DataError('endpoint-fetch-missing', 'An endpoint has nothing to fetch with.', {
    cure: inDevelopment(() => 'Give it a function, or its class a fetch().'),
  });
}

function nameMissing(): DataError {
  return new DataError(
    'endpoint-name-missing',
    'An endpoint of a function without a name needs the option name, or a key() of its own.',
  );
}
