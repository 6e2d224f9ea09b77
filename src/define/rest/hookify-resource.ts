import { headersRecord } from './request-init.ts';

interface ExtendableEndpoint {
  readonly requestInit?: RequestInit | undefined;
  extend(options: object): unknown;
}

/** The members of a resource as hooks: `get` becomes `useGet()`, which returns the endpoint with the request options. */
export type Hookified<R> = {
  readonly [name in keyof R as name extends 'extend' ? never : `use${Capitalize<name & string>}`]: () => R[name];
};

/** Makes a hook of each endpoint of a resource. `useRequestInit` may call hooks, for example one that knows the signed-in user. */
export function hookifyResource<R extends object>(
  resource: R,
  useRequestInit: () => RequestInit | undefined,
): Hookified<R> {
  const hooks: [string, () => unknown][] = [];
  for (const [name, member] of Object.entries(resource)) {
    if (name === 'extend') continue;
    const endpoints = new WeakMap<RequestInit, unknown>();
    const use = (): unknown => withRequestInit(member as ExtendableEndpoint, useRequestInit(), endpoints);
    hooks.push([`use${name.charAt(0).toUpperCase()}${name.slice(1)}`, use]);
  }
  return Object.fromEntries(hooks) as Hookified<R>;
}

/** Returns the endpoint with request options that override its own. The same options object returns the same endpoint. */
function withRequestInit(
  endpoint: ExtendableEndpoint,
  init: RequestInit | undefined,
  endpoints: WeakMap<RequestInit, unknown>,
): unknown {
  if (init === undefined) return endpoint;
  const known = endpoints.get(init);
  if (known !== undefined) return known;
  const headers = { ...headersRecord(endpoint.requestInit?.headers), ...headersRecord(init.headers) };
  const made: unknown = endpoint.extend({ requestInit: { ...endpoint.requestInit, ...init, headers } });
  endpoints.set(init, made);
  return made;
}
