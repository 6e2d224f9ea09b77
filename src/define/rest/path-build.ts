import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { ParamToken, Template, Token } from './path-template.ts';

export type Params = Readonly<Record<string, unknown>>;

/** Fills the parameters into a template. Values are encoded, so they cannot add or remove a segment. */
export function fillPath({ tokens, source }: Pick<Template, 'tokens' | 'source'>, params: Params): string {
  let path = '';
  for (const token of tokens) {
    if (token.kind === 'text') path += token.text;
    else if (token.kind !== 'group') path += segmentsOf(token, params, source);
    else if (token.tokens.every((inner) => isGiven(inner, params)))
      path += fillPath({ tokens: token.tokens, source }, params);
  }
  return path;
}

function isGiven(token: Token, params: Params): boolean {
  return token.kind === 'text' || token.kind === 'group' || paramOf(params, token) !== undefined;
}

function paramOf(params: Params, { name }: ParamToken): unknown {
  return Object.hasOwn(params, name) ? params[name] : undefined;
}

function segmentsOf(token: ParamToken, given: Params, source: string): string {
  const { kind, name } = token;
  const value = paramOf(given, token);
  if (value === undefined) throw paramMissing(name, source, given);
  const segments = kind === 'param' ? [segmentOf(value)] : Array.isArray(value) ? value.map(segmentOf) : [];
  if (segments.length === 0 || segments.includes('')) throw paramInvalid(name, value, source);
  return segments.join('/');
}

/** Returns a value as a path segment, or '' if it cannot be one. */
function segmentOf(value: unknown): string {
  const text = textOf(value);
  // Encoding does not help: servers read `%2e%2e` as `..`.
  if (text === '.' || text === '..') return '';
  try {
    return encodeURIComponent(text);
  } catch {
    // The text has half a surrogate pair.
    return '';
  }
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'number':
      // A larger number is not exact, so its text could name another record.
      return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : '';
    case 'string':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return '';
  }
}

function paramMissing(name: string, source: string, given: Params): DataError {
  const names = Object.keys(given).filter((other) => given[other] !== undefined);
  return new DataError(
    'param-missing',
    `The path '${source}' needs the parameter ${name}, but was given ${names.length === 0 ? 'none' : names.join(', ')}.`,
    {
      path: name,
      cure: inDevelopment(
        () => `Pass { ${name}: … } as the first argument, or make that part of the path optional with { }.`,
      ),
    },
  );
}

function paramInvalid(name: string, value: unknown, source: string): DataError {
  return new DataError(
    'param-invalid',
    `The parameter ${name} of the path '${source}' cannot be ${describeParam(value)}.`,
    {
      path: name,
      cure: inDevelopment(() => 'Pass a text other than dots, or an exact number; for a wildcard, a list of them.'),
    },
  );
}

/** Describes a value in an error. */
export function describeParam(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date';
  return Object(value) === value ? `of type ${typeof value}` : `'${String(value)}'`;
}
