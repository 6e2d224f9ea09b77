import type { Params } from './path-build.ts';

/** What of an endpoint decides whether its last argument is a body. */
export interface BodyRules {
  readonly method: string;
  readonly body?: unknown;
}

/** A body is sent with every method but GET and DELETE, unless the endpoint says `body: undefined`. */
function hasBody(endpoint: BodyRules): boolean {
  const isNever = 'body' in endpoint && endpoint.body === undefined;
  return endpoint.method !== 'GET' && endpoint.method !== 'DELETE' && !isNever;
}

/** The arguments of a call by their meaning. Where there is a body it is the last one; the params may be left out. */
export function paramsAndBody(
  endpoint: BodyRules,
  args: readonly unknown[],
): { readonly params: Params; readonly body: unknown } {
  const [first, second] = args;
  if (!hasBody(endpoint)) return { params: paramsOf(first), body: undefined };
  return args.length < 2 ? { params: {}, body: first } : { params: paramsOf(first), body: second };
}

function paramsOf(params: unknown): Params {
  return typeof params === 'object' && params !== null ? (params as Params) : {};
}
