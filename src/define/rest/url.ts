import { DataError } from '../../std/data-error.ts';
import { isPlain, setOwn } from '../../std/plain.ts';
import { checkSegments, fillPath, type Params } from './path-build.ts';
import { parseTemplate, pathInvalid, type Template } from './path-template.ts';

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
  if (!template.isSteady || !checked.get(template)?.has(prefix)) check(prefix, filled, template);
  const rest: Record<string, unknown> = {};
  for (const name of Object.keys(params)) if (!template.names.has(name)) setOwn(rest, name, params[name]);
  return { address: prefix + filled, rest };
}

/** For a steady template it does not depend on the parameters whether a prefix suits it. */
const checked = new WeakMap<Template, Set<string>>();
// Prefixes are few, but for those who make them up as they go.
const MOST_PREFIXES = 100;

function check(prefix: string, filled: string, template: Template): void {
  checkSegments(filled, template);
  // Without a prefix, a path may begin with a host of its own, as long as no parameter has a part in it.
  const [first] = template.tokens;
  const origin = originOf(prefix === '' && first?.kind === 'text' ? first.text : prefix);
  if (origin === undefined || originOf(prefix + filled) !== origin) {
    throw pathInvalid(template.source, `leads away from the origin of urlPrefix '${prefix}'`);
  }
  const prefixes = checked.get(template) ?? new Set();
  if (prefixes.size < MOST_PREFIXES) checked.set(template, prefixes.add(prefix));
}

/** The origin of an address; that of the page for a relative one, `undefined` for what is no address at all. */
export function originOf(address: string): string | undefined {
  try {
    const { origin, protocol, host } = new URL(address, HERE);
    return origin === 'null' ? `${protocol}//${host}` : origin;
  } catch {
    return undefined;
  }
}

/** Whether an address says itself which origin it has. */
export function isAbsolute(address: string): boolean {
  return originOf(address) !== HERE;
}

/** Every parameter that is not `undefined`, sorted by name; arrays repeat the name. */
export function searchToString(params: Params): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) search.append(name, searchText(one, name));
  }
  search.sort();
  return search.toString();
}

function searchText(value: unknown, name: string): string {
  if (isPlain(value)) throw searchInvalid(name, 'is an object, or an array in an array');
  if (typeof value === 'symbol' || typeof value === 'function') throw searchInvalid(name, `is a ${typeof value}`);
  const text = String(value);
  try {
    encodeURIComponent(text);
  } catch {
    // The address would have another character in its place.
    throw searchInvalid(name, 'has half a surrogate pair');
  }
  return text;
}

function searchInvalid(name: string, what: string): DataError {
  return new DataError(
    'search-param-invalid',
    `The search parameter ${name} ${what}. Pass text, numbers, booleans or arrays of them, or ` +
      'print it in searchToString().',
    { path: name },
  );
}

/** An address with a query behind it. */
export function withSearch(address: string, search: string): string {
  if (search === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${search}`;
}
