import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain, setOwn } from '../../std/plain.ts';
import { fillPath, type Params, describeParam } from './path-build.ts';
import { parseTemplate, pathInvalid, type Template } from './path-template.ts';

/** The base of relative addresses, in place of the origin of the page. */
const BASE = 'http://here.invalid';

/** Returns a function that fills the parameters of a path, without the prefix. */
export function getUrlBase(path: string): (params?: Params) => string {
  const template = parseTemplate(path);
  return (params = {}) => {
    const filled = fillPath(template, params);
    checkSegments(filled, template);
    return filled;
  };
}

/** Returns the names of the parameters in a path template. All other parameters go into the query. */
export function getUrlTokens(path: string): ReadonlySet<string> {
  return parseTemplate(path).names;
}

/** Returns the address, and the parameters that are left for the query. Throws if the address would leave the prefix. */
export function addressOf(
  prefix: string,
  path: string,
  params: Params,
): { readonly address: string; readonly rest: Params } {
  const template = parseTemplate(path);
  const filled = fillPath(template, params);
  if (!template.prefixes.has(prefix)) checkAddress(prefix, filled, template);
  const rest: Record<string, unknown> = {};
  for (const name of Object.keys(params)) if (!template.names.has(name)) setOwn(rest, name, params[name]);
  return { address: prefix + filled, rest };
}

// The limit protects memory if an application makes a new prefix for each request.
const MAX_PREFIXES = 100;

function checkAddress(prefix: string, filled: string, template: Template): void {
  checkSegments(filled, template);
  const origin = ownOrigin(prefix, template);
  if (origin === undefined || originOf(prefix + filled) !== origin) {
    throw pathInvalid(
      template.source,
      `leads away from the origin of urlPrefix '${prefix}'`,
      inDevelopment(() =>
        template.source.startsWith('/') ? 'Correct the path of the endpoint.' : 'Begin the path with a slash.',
      ),
    );
  }
  const isAlwaysSafe = isSafe(template.source) && prefix !== '/';
  if (isAlwaysSafe && template.prefixes.size < MAX_PREFIXES) template.prefixes.add(prefix);
}

/** Returns whether no value of a parameter can change the origin of a path or form a segment of dots: that needs `//`, a group or a `%` in the path. */
function isSafe(path: string): boolean {
  return path.startsWith('/') && !['//', '{', '%'].some((text) => path.includes(text));
}

/** Returns the origin of an endpoint: that of its prefix, or without a prefix, that of a path that begins with a host. */
export function ownOrigin(prefix: string, { tokens: [first] }: Pick<Template, 'tokens'>): string | undefined {
  // Only the fixed text is used, so that a parameter cannot change the origin.
  return originOf(prefix === '' && first?.kind === 'text' ? first.text : prefix);
}

/** Throws if texts and parameters together form a segment of dots, which would leave the path. */
function checkSegments(filled: string, { source }: Template): void {
  const [beforeQuery = ''] = filled.split('?', 1);
  const [path = ''] = beforeQuery.split('#', 1);
  const segments = path.toLowerCase().replaceAll('%2e', '.').split('/');
  if (segments.includes('.') || segments.includes('..'))
    throw pathInvalid(source, 'has a segment of dots, which leads to another folder');
}

/** Returns the origin of an address. For a relative address it is the origin of the page. `undefined` for an invalid address. */
export function originOf(address: string, page: string = BASE): string | undefined {
  try {
    // Not `origin`, which is 'null' for the schemes of apps, such as `capacitor://localhost`.
    const { protocol, host } = new URL(address, page);
    return `${protocol}//${host}`;
  } catch {
    return undefined;
  }
}

/** `URL.parse`, which older browsers and React Native do not have. */
export function parsedUrl(address: string, base: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

/** Returns an absolute or relative address, or `undefined` if it is on another origin than `from`. */
export function withinOrigin(address: string, from: string): string | undefined {
  const base = new URL(from, BASE);
  const target = parsedUrl(address, base.href);
  if (target === undefined || originOf(target.href) !== originOf(base.href)) return undefined;
  return base.origin === BASE ? `${target.pathname}${target.search}` : target.href;
}

/**
 * Returns the query of all parameters that are not `undefined`, sorted by name. Arrays repeat the name. A space is `%20`, because not every
 * server reads `+`.
 */
export function searchToString(params: Params): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) search.append(name, searchText(one, name));
  }
  search.sort();
  // A plus sign in a value is already %2B, so every `+` is a space.
  return search.toString().replaceAll('+', '%20');
}

/** Returns a search parameter as text. Throws for a value that has none. */
export function searchText(value: unknown, name: string): string {
  try {
    if (!isPlain(value) && typeof value !== 'function') {
      encodeURIComponent(value as string);
      // `String(date)` depends on the language and the time zone of the machine.
      const text = value instanceof Date ? value.toISOString() : String(value);
      if (typeof value !== 'object' || !text.startsWith('[object ')) return text;
      // An instance without a text of its own is sent as its JSON, if that is a text or a number. A Map or a Set is refused.
      const { toJSON } = value as { readonly toJSON?: () => unknown };
      const json: unknown = toJSON?.call(value);
      if (typeof json === 'string' || typeof json === 'number') return String(json);
    }
  } catch {
    // A symbol, an invalid Date, or half a surrogate pair, which would be encoded as another character.
  }
  throw new DataError('search-param-invalid', `The search parameter ${name} cannot be ${describeParam(value)}.`, {
    path: name,
    cure: inDevelopment(() => {
      const [inner] = Object.keys(Object(value) as object);
      const example = inner === undefined ? '' : `, such as { '${name}[${inner}]': … }`;
      return `Pass text, numbers, booleans or arrays of them${example}, or convert it in searchToString().`;
    }),
  });
}

/** Appends a query to an address. */
export function withSearch(address: string, search: string): string {
  if (search === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${search}`;
}
