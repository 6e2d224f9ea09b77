import { DataError } from '../../std/data-error.ts';
import { isPlain, setOwn } from '../../std/plain.ts';
import { fillPath, type Params, shown } from './path-build.ts';
import { parseTemplate, pathInvalid, type Template, type Token } from './path-template.ts';

/** Stands for the origin of the page, which a relative address has. */
const HERE = 'http://here.invalid';

/** The path of a template, without the prefix: a function of the parameters that are in it. */
export function getUrlBase(path: string): (params?: Params) => string {
  const template = parseTemplate(path);
  return (params = {}) => {
    const filled = fillPath(template, params);
    checkSegments(filled, template);
    return filled;
  };
}

/** The names of the parameters in a path template. All others are search parameters. */
export function getUrlTokens(path: string): ReadonlySet<string> {
  return parseTemplate(path).names;
}

/** An address, and what is left of the parameters for the query. The address never leads away from the prefix. */
export function addressOf(
  prefix: string,
  path: string,
  params: Params,
): { readonly address: string; readonly rest: Params } {
  const template = parseTemplate(path);
  const filled = fillPath(template, params);
  if (!template.prefixes.has(prefix)) check(prefix, filled, template);
  const rest: Record<string, unknown> = {};
  for (const name of Object.keys(params)) if (!template.names.has(name)) setOwn(rest, name, params[name]);
  return { address: prefix + filled, rest };
}

// Prefixes are few, unless an application makes a new one for each request.
const MOST_PREFIXES = 100;

function check(prefix: string, filled: string, template: Template): void {
  checkSegments(filled, template);
  const origin = ownOrigin(prefix, template);
  if (origin === undefined || originOf(prefix + filled) !== origin) {
    const begins = template.source.startsWith('/') ? '' : `: it does not begin with a slash`;
    throw pathInvalid(template.source, `leads away from the origin of urlPrefix '${prefix}'${begins}`);
  }
  if (template.prefixes.size < MOST_PREFIXES && template.tokens.every(isSteady)) template.prefixes.add(prefix);
}

/** The origin that an endpoint has by its prefix, or, without one, by a path that begins with a host of its own. */
export function ownOrigin(prefix: string, { tokens: [first] }: Pick<Template, 'tokens'>): string | undefined {
  // No parameter may have a part in it.
  return originOf(prefix === '' && first?.kind === 'text' ? first.text : prefix);
}

/** Whether a part of a path, whatever its parameter holds, leaves the same around it: it begins a segment, and is there. */
function isSteady(token: Token, at: number, tokens: readonly Token[]): boolean {
  const before = tokens[at - 1];
  return token.kind === 'text' || (token.kind !== 'group' && before?.kind === 'text' && before.text.endsWith('/'));
}

/** What came together of texts and parameters, must not be read as anything but the segments that it is. */
function checkSegments(filled: string, { source }: Template): void {
  const [beforeQuery = ''] = filled.split('?', 1);
  const [path = ''] = beforeQuery.split('#', 1);
  const segments = path.toLowerCase().replaceAll('%2e', '.').split('/');
  if (segments.includes('.') || segments.includes('..'))
    throw pathInvalid(source, 'has dots for a segment, which would climb');
}

/** The origin of an address; that of the page for a relative one, `undefined` for what is no address at all. */
export function originOf(address: string, page: string = HERE): string | undefined {
  try {
    const { origin, protocol, host } = new URL(address, page);
    return origin === 'null' ? `${protocol}//${host}` : origin;
  } catch {
    return undefined;
  }
}

/** An address as one that was asked for refers to it; `undefined` where it leads to another origin. */
export function withinOrigin(address: string, from: string): string | undefined {
  const base = new URL(from, HERE);
  if (!URL.canParse(address, base)) return undefined;
  const target = new URL(address, base);
  if (target.origin !== base.origin) return undefined;
  return base.origin === HERE ? `${target.pathname}${target.search}` : target.href;
}

/** Every parameter that is not `undefined`, sorted by name; arrays repeat the name. A space is `%20`, which every server reads. */
export function searchToString(params: Params): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) search.append(name, searchText(one, name));
  }
  search.sort();
  // A plus sign in a value is %2B here, so each of these stands for a space.
  return search.toString().replaceAll('+', '%20');
}

function searchText(value: unknown, name: string): string {
  try {
    if (!isPlain(value) && typeof value !== 'function') {
      encodeURIComponent(value as string);
      // The text of a Date depends on the language and the zone of the machine.
      const text = value instanceof Date ? value.toISOString() : String(value);
      // A Map or a Set has no text of its own.
      if (typeof value !== 'object' || !text.startsWith('[object ')) return text;
    }
  } catch {
    // A symbol, an invalid Date, or half a surrogate pair, for which the address would have another character.
  }
  throw new DataError(
    'search-param-invalid',
    `The search parameter ${name} cannot be ${shown(value)}. Pass text, numbers, booleans or arrays of them, or print it in ` +
      'searchToString().',
    { path: name },
  );
}

/** An address with a query behind it. */
export function withSearch(address: string, search: string): string {
  if (search === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${search}`;
}
