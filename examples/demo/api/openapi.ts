import { components } from './components.ts';
import { refTo } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Answer, Route } from './route.ts';

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly operationId: string;
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const problem = (description: string): Answer => ({
  description,
  schema: refTo('Problem'),
  type: 'application/problem+json',
});

/** The answers that every route can give, besides its own. */
function commonAnswers(route: Route, conditional: boolean): Readonly<Record<string, Answer>> {
  const isGet = route.method === 'get';
  const streams = Object.values(route.answers).some(({ type }) => type !== undefined);
  return {
    ...(isGet &&
      !route.volatile &&
      !streams && { 304: { description: 'Not changed since the ETag in If-None-Match' } }),
    ...(!isGet && { 400: problem('The body is not JSON, or a header is not what it should be') }),
    ...(route.params !== undefined && { 404: problem('There is no such record') }),
    ...(conditional && { 412: problem('The record is not the version in If-Match') }),
    ...(!isGet && !route.control && { 409: problem('A request with this Idempotency-Key is still under way') }),
    ...(route.body !== undefined && {
      413: problem('The body is too large'),
      415: problem('The body is not application/json'),
    }),
    ...((route.body !== undefined || route.query !== undefined) && { 422: problem('Not valid; errors says where') }),
    default: problem('Anything else, simulated failures too'),
  };
}

function responseOf({ description, schema, type = 'application/json' }: Answer): object {
  if (schema === undefined && type === 'application/json') return { description };
  return { description, content: { [type]: { schema: schema ?? { type: 'string' } } } };
}

const parameter = (where: 'path' | 'query' | 'header', name: string, schema: JsonSchema): object => ({
  name,
  in: where,
  required: where === 'path',
  schema,
});

function operation(route: Route, conditional: boolean): Operation {
  const { method, path, params = {}, query = {}, body } = route;
  const headers = [
    'X-Session',
    ...(route.control ? [] : ['X-Simulate']),
    ...(method === 'get' && !route.volatile ? ['If-None-Match'] : []),
    ...(conditional ? ['If-Match'] : []),
    ...(method !== 'get' && !route.control ? ['Idempotency-Key'] : []),
  ];
  const answers: Readonly<Record<string, Answer>> = { ...commonAnswers(route, conditional), ...route.answers };
  return {
    tags: [route.tag],
    summary: route.summary,
    operationId:
      method + path.replaceAll(/[/{}-]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replaceAll('}', ''),
    parameters: [
      ...Object.entries(params).map(([name, schema]) => parameter('path', name, schema)),
      ...Object.entries(query).map(([name, schema]) => parameter('query', name, schema)),
      ...headers.map((name) => parameter('header', name, { type: 'string' })),
    ],
    ...(body !== undefined && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)])),
  };
}

/** Whether a write can be conditional, which needs a GET under the same path. */
export const isConditional = ({ method, path }: Route, routes: readonly Route[]): boolean =>
  method !== 'get' &&
  routes.some((other) => other.method === 'get' && other.path === path && other.params !== undefined);

/** The description of the API, generated from the routes. */
export function openapi(routes: readonly Route[]): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operation(route, isConditional(route, routes));
  return {
    openapi: '3.1.0',
    info: {
      title: 'The API of the Rejoin demo',
      version: '1.0.0',
      description: 'Generated data, the same on every machine. Failures are application/problem+json (RFC 9457).',
    },
    servers: [{ url: '/api' }],
    paths,
    components: { schemas: components },
  };
}
