import { DataError } from '../../std/data-error.ts';
import { pathInvalid, type Template, type Token } from './path-template.ts';

export type Params = Readonly<Record<string, unknown>>;

/** Fills a template. What a parameter holds can neither add a segment nor take one away. */
export function fillPath(template: Template, params: Params): string {
  return filled(template.tokens, params, template);
}

function filled(tokens: readonly Token[], params: Params, template: Template): string {
  let path = '';
  for (const token of tokens) {
    if (token.kind === 'text') path += token.text;
    else if (token.kind === 'group')
      path += isGiven(token.tokens, params) ? filled(token.tokens, params, template) : '';
    else if (token.kind === 'param') path += encoded(own(params, token.name), token.name, template);
    else path += manyEncoded(own(params, token.name), token.name, template);
  }
  return path;
}

function isGiven(tokens: readonly Token[], params: Params): boolean {
  return tokens.every(
    (token) => token.kind === 'text' || token.kind === 'group' || own(params, token.name) !== undefined,
  );
}

function own(params: Params, name: string): unknown {
  return Object.hasOwn(params, name) ? params[name] : undefined;
}

function manyEncoded(value: unknown, name: string, template: Template): string {
  if (value === undefined) throw paramMissing(name, template);
  if (!Array.isArray(value)) throw paramInvalid(name, 'is not an array of segments, as a wildcard takes', template);
  if (value.length === 0) throw paramInvalid(name, 'has no segments', template);
  return value.map((part) => encoded(part, name, template)).join('/');
}

function encoded(value: unknown, name: string, template: Template): string {
  if (value === undefined) throw paramMissing(name, template);
  const text = textOf(value);
  if (text === undefined) throw paramInvalid(name, `is ${describe(value)}`, template);
  if (text === '') throw paramInvalid(name, 'is empty', template);
  // Encoding does not help: `%2e%2e` climbs as `..` does.
  if (text === '.' || text === '..')
    throw paramInvalid(name, `is '${text}', which would climb out of the path`, template);
  try {
    return encodeURIComponent(text);
  } catch {
    throw paramInvalid(name, 'has half a surrogate pair', template);
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') {
    const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
    return isExact ? String(value) : undefined;
  }
  return typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : undefined;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return `${value}, which is not exact`;
  return Array.isArray(value) ? 'an array' : `of type ${typeof value}`;
}

/** What came together of texts and parameters must not be read as something else than the segments that it is. */
export function checkSegments(path: string, template: Template): void {
  for (const segment of pathPart(path).split('/')) {
    if (isDots(segment)) throw pathInvalid(template.source, `gives a segment '${segment}', which would climb`);
  }
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code < 32 || code === 92) throw pathInvalid(template.source, 'gives a backslash or a control character');
  }
}

/** What is before the query and the fragment. */
function pathPart(url: string): string {
  const query = url.indexOf('?');
  const fragment = url.indexOf('#');
  const end = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query;
  return end < 0 ? url : url.slice(0, end);
}

function isDots(segment: string): boolean {
  const dots = segment.toLowerCase().replaceAll('%2e', '.');
  return dots === '.' || dots === '..';
}

function paramMissing(name: string, template: Template): DataError {
  return new DataError(
    'param-missing',
    `The path '${template.source}' needs the parameter ${name}. Pass it in the first argument, or make that part of the ` +
      'path optional with { }.',
    { path: name },
  );
}

function paramInvalid(name: string, what: string, template: Template): DataError {
  return new DataError(
    'param-invalid',
    `The parameter ${name} of the path '${template.source}' ${what}. Pass a string that is not empty, or a number.`,
    { path: name },
  );
}
