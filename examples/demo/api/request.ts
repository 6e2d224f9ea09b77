import { components } from './components.ts';
import { check, fromText } from './json-schema.ts';
import type { Flaw, JsonSchema } from './json-schema.ts';
import { invalid, Problem } from './problem.ts';
import type { Route } from './route.ts';

const IS_JSON = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The query parameter with the session, for requests that cannot have headers. */
const SESSION = 'session';

/** The query parameters of the route, converted and checked, with defaults. */
export function readQuery({ query = {}, method }: Route, given: URLSearchParams): Readonly<Record<string, unknown>> {
  // Unknown parameters are refused, because ignoring a typing mistake would return other data than requested. A write to a list
  // may have the parameters of the list that shows it.
  const unknown = method === 'get' ? [...new Set(given.keys())].filter((name) => !isParameter(query, name)) : [];
  const flaws: Flaw[] = unknown.map((name) => ({
    pointer: `#/query/${name}`,
    detail: 'is not a parameter of this path',
  }));
  const values = Object.entries(query).map(([name, schema]) => {
    const text = given.get(name);
    if (text === null) return [name, schema.default];
    const value = fromText(schema, text);
    flaws.push(...check(schema, value, components, `#/query/${name}`));
    return [name, value];
  });
  if (flaws.length > 0) throw invalid(flaws);
  return Object.fromEntries(values) as Record<string, unknown>;
}

const isParameter = (query: object, name: string): boolean => Object.hasOwn(query, name) || name === SESSION;

/** A path whose parameters cannot belong to any record answers 404, not 422. */
export function checkParams({ params = {}, path }: Route, given: Readonly<Record<string, string>>): void {
  for (const [name, schema] of Object.entries(params))
    if (check(schema, given[name], components).length > 0)
      throw new Problem(404, `There is nothing at ${path} whose ${name} is "${given[name]}".`);
}

export async function readBody(schema: JsonSchema | undefined, request: Request): Promise<unknown> {
  if (schema === undefined) return undefined;
  if (!IS_JSON.test(request.headers.get('content-type') ?? ''))
    throw new Problem(415, 'Send the body as JSON, with Content-Type: application/json.');
  let body: unknown;
  try {
    body = JSON.parse(await request.text());
  } catch {
    throw new Problem(400, 'The body is not JSON.');
  }
  const flaws = check(schema, body, components);
  if (flaws.length > 0) throw invalid(flaws);
  return body;
}
