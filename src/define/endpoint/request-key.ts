import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { EndpointInterface } from './infer-endpoint.ts';

/** Returns whether a value looks like an endpoint: a function with a method `key`. An entity class has a string as its `key`. */
export function isEndpoint(given: unknown): given is EndpointInterface {
  return typeof given === 'function' && typeof (given as { readonly key?: unknown }).key === 'function';
}

/** Returns the key of a request. Throws if `endpoint` is not an endpoint; `what` names the called method in the error. */
export function requestKey(endpoint: EndpointInterface, args: readonly unknown[], what: string): string {
  if (typeof (Object(endpoint) as { readonly key?: unknown }).key !== 'function')
    throw new DataError('endpoint-expected', `${what} was given ${describeGiven(endpoint)}.`, {
      cure: inDevelopment(() => "Pass an endpoint with its arguments, such as PostResource.get, { id: '5' }."),
    });
  return endpoint.key(...args);
}

/** Throws if an endpoint or no object was passed in place of a schema. `instead` names the method that takes endpoints. */
export function checkSchema(given: unknown, what: string, instead: string): void {
  const isEndpointGiven = isEndpoint(given);
  if (!isEndpointGiven && Object(given) === given) return;
  throw new DataError(
    'schema-expected',
    `${what} was given ${isEndpointGiven ? `the endpoint ${given.name}` : describeGiven(given)}.`,
    {
      cure: inDevelopment(
        () =>
          `Pass a class or another schema with its arguments, such as Post, { id: '5' }. For an endpoint, use ${instead}.`,
      ),
    },
  );
}

function describeGiven(given: unknown): string {
  if (typeof given === 'function') {
    const kind = String(given).startsWith('class') ? 'class' : 'function';
    return `the ${kind} ${given.name || 'without a name'}`;
  }
  if (typeof given !== 'object' || given === null) return JSON.stringify(given) ?? String(given);
  return `{ ${Object.keys(given).slice(0, 5).join(', ')} }`;
}
