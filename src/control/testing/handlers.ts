import { type BodyRules, paramsAndBody } from '../../define/rest/params-and-body.ts';
import { parseTemplate, type Token } from '../../define/rest/path-template.ts';
import { type Fixture, type FixtureOptions, type Interceptor, isFixture } from './fixture.ts';
import { afterDelay, outcome } from './answering.ts';
import { keyOfRequest } from './fixtures.ts';
import { thrown } from '../../std/thrown.ts';

/** The part of Mock Service Worker's `http` that is used. */
export interface HandlerMaker<Handler> {
  all(path: string, resolver: (info: { readonly request: Request }) => Promise<Response | undefined>): Handler;
}

/** The members of an endpoint that determine its HTTP requests. */
interface HttpEndpoint extends BodyRules {
  readonly path: string;
  readonly urlPrefix: string;
  key(...args: readonly unknown[]): string;
  testKey(key: string): boolean;
}

/**
 * Turns fixtures and interceptors into handlers of Mock Service Worker, whose `http` you pass in. The response of a fixture is sent
 * as it is, and the endpoint processes it as usual. Requests that none of them matches go to other handlers.
 */
export function toHandlers<Handler>(
  fixtures: NonNullable<FixtureOptions['fixtures']>,
  http: HandlerMaker<Handler>,
  { getInitialInterceptorData }: Pick<FixtureOptions, 'getInitialInterceptorData'> = {},
): Handler[] {
  const data: unknown = getInitialInterceptorData?.();
  // If two fixtures match a request, the later one answers.
  const fixed = fixtures.filter((one): one is Fixture => 'args' in one).toReversed();
  const interceptors = fixtures.filter((one): one is Interceptor => !('args' in one));
  const resolve = async ({ request }: { readonly request: Request }): Promise<Response | undefined> => {
    const fixture = fixed.find(({ endpoint, args }) => isKeyOf(request, keyOfRequest(endpoint, args)));
    if (fixture !== undefined && isFixture(fixture))
      return responseTo(() => afterDelay(fixture, fixture.args, () => outcome(fixture)));
    const isOf = ({ endpoint }: Interceptor): boolean => keysOf(request).some((key) => endpoint.testKey(key));
    const interceptor = (fixture as Interceptor | undefined) ?? interceptors.find(isOf);
    return interceptor && responseTo(() => runInterceptor(interceptor, request, data));
  };
  return [http.all('*', resolve)];
}

async function runInterceptor(interceptor: Interceptor, request: Request, data: unknown): Promise<unknown> {
  const args = await argsOf(interceptor.endpoint as HttpEndpoint, request);
  return afterDelay(interceptor, args, () =>
    'response' in interceptor
      ? Reflect.apply(interceptor.response, data, args)
      : Reflect.apply(interceptor.fetchResponse, data, [request.url, initOf(request, args)]),
  );
}

function initOf({ method, headers }: Request, args: readonly unknown[]): RequestInit {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return { method, headers, ...(hasBody && { body: JSON.stringify(args.at(-1)) }) };
}

/** Returns the possible request keys of a request: with and without the origin, as the `urlPrefix` of the endpoint has one or not. */
function keysOf({ method, url }: Request): string[] {
  const { pathname, search } = new URL(url);
  return [`${method} ${url}`, `${method} ${pathname}${search}`];
}

function isKeyOf(request: Request, key: string): boolean {
  const [method = '', address = ''] = key.split(' ', 2);
  return request.method === method && URL.canParse(address, request.url) && hrefOf(address, request) === request.url;
}

function hrefOf(address: string, { url }: Request): string {
  return new URL(address, new URL(url).origin).href;
}

/** Returns the arguments of the endpoint, as far as they can be read from the URL and body. */
async function argsOf(endpoint: HttpEndpoint, request: Request): Promise<readonly unknown[]> {
  const { pathname, searchParams } = new URL(request.url);
  const { pathname: prefix } = new URL(endpoint.urlPrefix, new URL(request.url).origin);
  const { tokens } = parseTemplate(endpoint.path);
  const rest = prefix === '/' ? pathname : pathname.slice(prefix.length);
  const params = { ...Object.fromEntries(searchParams), ...matchesOf(tokens, rest).find(Boolean) };
  const before = Object.keys(params).length > 0 ? [params] : [];
  // With two arguments, the rules decide whether the second one is a body.
  if (paramsAndBody(endpoint, [{}, request]).body === undefined) return before;
  return [...before, await bodyOf(request)];
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (type.includes('json')) return request.json();
  return type.includes('form') ? request.formData() : request.text();
}

type HandlerParams = Readonly<Record<string, string | readonly string[]>>;

/** Every way in which a path can match a template. A path that was made from the template has exactly one. */
function matchesOf(tokens: readonly Token[], path: string): HandlerParams[] {
  const [token, ...others] = tokens;
  if (token === undefined) return path === '' || path.startsWith('?') ? [{}] : [];
  if (token.kind === 'group') return [...matchesOf([...token.tokens, ...others], path), ...matchesOf(others, path)];
  if (token.kind === 'text') return path.startsWith(token.text) ? matchesOf(others, path.slice(token.text.length)) : [];
  const { kind, name } = token;
  const longest = kind === 'wildcard' ? path.length : `${path}/`.indexOf('/');
  return Array.from({ length: longest }, (_, at) => longest - at).flatMap((length) =>
    matchesOf(others, path.slice(length)).map((params) => ({
      [name]: valueOf(kind, path.slice(0, length)),
      ...params,
    })),
  );
}

function valueOf(kind: 'param' | 'wildcard', text: string): string | readonly string[] {
  return kind === 'param' ? decodeURIComponent(text) : text.split('/').map(decodeURIComponent);
}

async function responseTo(answer: () => Promise<unknown>): Promise<Response> {
  try {
    return asResponse(await answer());
  } catch (error) {
    const { status, response, message } = thrown(error);
    if (response instanceof Response) return response.clone();
    const isStatus = typeof status === 'number' && status >= 400 && status <= 599;
    return Response.json(error instanceof Error ? { message } : error, { status: isStatus ? status : 500 });
  }
}

function asResponse(value: unknown): Response {
  if (value instanceof Response) return value.clone();
  if (value === undefined || value === null) return new Response(null, { status: 204 });
  const isBody = typeof value === 'string' || value instanceof Blob || value instanceof ArrayBuffer;
  return isBody ? new Response(value) : Response.json(value);
}
