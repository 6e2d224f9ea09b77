import { DataError, RestEndpoint } from '../../../src/index.ts';
import { Random } from '../../oracle/random.ts';
import { drawParts, paramsIn, type Part, PREFIXES, written } from './templates.ts';
import { drawValue, isSegment, isWellFormed } from './values.ts';

const HERE = 'http://here.invalid';
const CODES: ReadonlySet<string> = new Set(['param-missing', 'param-invalid', 'path-invalid', 'search-param-invalid']);

export interface UrlsOutcome {
  readonly built: number;
  readonly refused: number;
  /** A fault, with the data that repeats it. */
  readonly wrong: readonly string[];
}

/** Builds URLs from random templates and parameters, and checks each of them. */
export function checkUrls(seed: number, runs: number): UrlsOutcome {
  const random = new Random(seed);
  const wrong: string[] = [];
  let built = 0;
  for (let run = 0; run < runs; run++) {
    const given = drawGiven(random);
    const { verdict, isBuilt } = judge(given);
    if (isBuilt) built++;
    if (verdict !== undefined) wrong.push(`${verdict}: ${given.prefix} ${written(given.parts)} ${show(given.params)}`);
  }
  return { built, refused: runs - built, wrong };
}

interface Given {
  readonly prefix: string;
  readonly parts: readonly Part[];
  readonly params: Readonly<Record<string, unknown>>;
}

function drawGiven(random: Random): Given {
  const parts = drawParts(random);
  const params = Object.create(null) as Record<string, unknown>;
  for (const part of paramsIn(parts)) {
    if (random.chance(0.05)) continue;
    const isMany = part.kind === 'wildcard' && random.chance(0.95);
    params[part.name] = isMany
      ? Array.from({ length: 1 + random.below(3) }, () => drawValue(random))
      : drawValue(random);
  }
  // Names that no template has, so they become search parameters.
  if (random.chance(0.3)) params['q'] = drawValue(random);
  if (random.chance(0.1)) params['list'] = [drawValue(random), drawValue(random)];
  const prefix = random.pick(PREFIXES);
  // The record of a caller has a prototype, and own fields named like its members.
  return {
    prefix,
    parts,
    params: random.chance(0.5) ? params : Object.defineProperties({}, Object.getOwnPropertyDescriptors(params)),
  };
}

/** Returns the segments that a server must read; `undefined` if the address is not valid. */
function expectedPath(parts: readonly Part[], params: Given['params']): string[] | undefined {
  let segments: string[] | undefined = [''];
  const add = (text: string): void => void (segments && (segments[segments.length - 1] += text));
  const addMany = (values: readonly unknown[]): void => {
    if (values.length === 0 || !values.every(isSegment)) segments = undefined;
    values.forEach((value, at) => {
      if (at > 0) segments?.push('');
      if (segments) add(String(value));
    });
  };
  const walk = (all: readonly Part[]): void => {
    for (const part of all) {
      if (part.kind === 'text') {
        const [first = '', ...others] = part.text.split('/');
        add(decoded(first));
        for (const other of others) segments?.push(decoded(other));
      } else if (part.kind === 'group') {
        const own = part.parts.flatMap((one) => (one.kind === 'param' || one.kind === 'wildcard' ? [one.name] : []));
        if (own.every((name) => params[name] !== undefined && Object.hasOwn(params, name))) walk(part.parts);
      } else {
        const value = Object.hasOwn(params, part.name) ? params[part.name] : undefined;
        if (part.kind === 'param') addMany([value]);
        else if (Array.isArray(value)) addMany(value);
        else segments = undefined;
      }
    }
  };
  walk(parts);
  return segments;
}

function decoded(text: string): string {
  return decodeURIComponent(text);
}

/** Returns the search parameters: a list of values for each name, in the given order. */
function expectedSearch({ parts, params }: Given): Map<string, string[]> | undefined {
  const inPath = new Set(paramsIn(parts).map(({ name }) => name));
  const search = new Map<string, string[]>();
  for (const name of Object.keys(params)) {
    if (inPath.has(name)) continue;
    const value = params[name];
    const values = (Array.isArray(value) ? (value as unknown[]) : [value]).filter((one) => one !== undefined);
    if (values.some((one) => !isSearchable(one))) return undefined;
    if (values.length > 0) search.set(name, values.map(inSearch));
  }
  return search;
}

/** The text of a value in the query: a date as in JSON, everything else as from `String()`. */
function inSearch(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

function isSearchable(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value === 'symbol' || typeof value === 'function' || Array.isArray(value)) return false;
  if (typeof value !== 'object' || value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  // These values have no text.
  const isCollection = value instanceof Map || value instanceof Set;
  return prototype !== Object.prototype && prototype !== null && !isCollection;
}

function judge(given: Given): { readonly verdict: string | undefined; readonly isBuilt: boolean } {
  const { prefix, parts, params } = given;
  const template = written(parts);
  const segments = expectedPath(parts, params);
  const search = expectedSearch(given);
  const isDotted = segments?.some((segment) => segment === '.' || segment === '..') ?? false;
  const isAllowed = segments !== undefined && search !== undefined && !isDotted;
  const endpoint = new RestEndpoint({ urlPrefix: prefix, path: template }) as unknown as {
    url(params: object): string;
    key(params: object): string;
    testKey(key: string): boolean;
  };
  let address: string;
  try {
    address = endpoint.url(params);
  } catch (error) {
    const isTyped = error instanceof DataError && CODES.has(error.code);
    if (!isTyped) return { verdict: `throws ${String(error)}`, isBuilt: false };
    return { verdict: isAllowed ? `refuses ${error.message}` : undefined, isBuilt: false };
  }
  if (!isAllowed) return { verdict: `builds ${address} of what it should refuse`, isBuilt: true };
  const verdict = verdictOf(address, prefix, segments, search);
  if (verdict !== undefined) return { verdict, isBuilt: true };
  const key = endpoint.key(params);
  return { verdict: endpoint.testKey(key) ? undefined : `testKey() is false of ${key}`, isBuilt: true };
}

/** Compares a URL, as the platform parses it, with the template and the parameters. */
function verdictOf(
  address: string,
  prefix: string,
  segments: readonly string[],
  search: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  if (!address.startsWith(prefix)) return `${address} does not begin with its prefix`;
  const read = new URL(address, HERE);
  const base = new URL(prefix === '' ? '/' : prefix, HERE);
  if (read.origin !== base.origin) return `${address} leads to ${read.origin}`;
  if (read.username !== base.username || read.hash !== '') return `${address} has a user or a fragment`;
  const before = base.pathname === '/' ? '' : base.pathname;
  if (!read.pathname.startsWith(before)) return `${address} leaves the path of its prefix`;
  const path = read.pathname.slice(before.length);
  // An origin alone has the path '/'.
  const found = path === '/' && segments.length === 1 ? [''] : path.split('/');
  if (found.length !== segments.length) return `${address} has ${found.length} segments instead of ${segments.length}`;
  if (found.some((segment, at) => decodeURIComponent(segment) !== segments[at]))
    return `${address} decodes to ${found.join('/')}`;
  if (new Set(read.searchParams.keys()).size !== search.size) return `${address} has other search parameters`;
  for (const [name, values] of search) {
    const isSame = values.every((value, at) => read.searchParams.getAll(name)[at] === value);
    if (!isSame) return `${address} has another ${name}`;
  }
  return undefined;
}

function show(params: Given['params']): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.map(shown).join() : shown(value)}`)
    .join(' ');
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return 'an object';
  return (typeof value === 'string' ? JSON.stringify(value) : String(value)).slice(0, 80);
}
