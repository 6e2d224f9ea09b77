import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** A part of a path template. */
export type Token = TextToken | ParamToken | GroupToken;

export interface TextToken {
  readonly kind: 'text';
  readonly text: string;
}

/** Matches one segment or a part of one. A wildcard matches one or more segments. */
export interface ParamToken {
  readonly kind: 'param' | 'wildcard';
  readonly name: string;
}

/** An optional part. It is left out if one of its parameters is not given. */
export interface GroupToken {
  readonly kind: 'group';
  readonly tokens: readonly Token[];
}

/** A parsed path template. */
export interface Template {
  readonly source: string;
  readonly tokens: readonly Token[];
  /** The names of all parameters. */
  readonly names: ReadonlySet<string>;
  /**
   * The path of the list that the record is in: the path of the record without the parameters that name it. These are the last parameter
   * and those in the same segment. A suffix such as `.json` or `.:format` stays.
   */
  readonly shortened: string;
  /** Prefixes that were checked, and that are safe with any values of the parameters. */
  readonly prefixes: Set<string>;
}

/** A group that is being parsed. */
interface OpenGroup {
  readonly from: number;
  readonly tokens: Token[];
  hasParam: boolean;
}

/** The last parameter that was parsed. */
interface LastParam {
  readonly from: number;
  readonly end: number;
  /** The parameter before this one. */
  readonly former: LastParam | undefined;
  /** The number of groups around this parameter that also contain an earlier parameter. */
  readonly kept: number;
  /** The index where the outermost group begins that contains no earlier parameter. */
  readonly group: number | undefined;
}

const parsed = new Map<string, Template>();
// An application has few templates. The limit protects memory if an application generates them.
const MAX_KEPT = 2000;
const MAX_LENGTH = 65_536;
const MAX_CACHED_LENGTH = 1000;
const MAX_DEPTH = 16;
const SIGNS = '{}():*';

/** Parses a template: `:name`, `*name`, `:"any name"`, `{optional}`, and `\` before a character that has no special meaning. */
export function parseTemplate(source: string): Template {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const template = readTemplate(source);
  if (parsed.size >= MAX_KEPT) parsed.clear();
  if (source.length <= MAX_CACHED_LENGTH) parsed.set(source, template);
  return template;
}

function readTemplate(source: string): Template {
  if (source.length > MAX_LENGTH) throw pathInvalid(`${source.slice(0, 50)}…`, 'is longer than any address');
  const root: OpenGroup = { from: 0, tokens: [], hasParam: true };
  const open = [root];
  const names = new Set<string>();
  let last: LastParam | undefined;
  let end = 0;
  while (end < source.length) {
    const from = end;
    end++;
    const { tokens } = open.at(-1) as OpenGroup;
    const sign = source.charAt(from);
    if (sign === '{' && open.length <= MAX_DEPTH) open.push({ from, tokens: [], hasParam: false });
    else if (sign === '}' && open.length > 1) {
      open.pop();
      open.at(-1)?.tokens.push({ kind: 'group', tokens });
    } else if (sign === ':' || sign === '*') {
      end = nameEnd(source, end);
      // Names contain no quotes.
      const name = source.slice(from + 1, end).replaceAll('"', '');
      if (name === '') throw unreadable(source, from);
      tokens.push({ kind: sign === ':' ? 'param' : 'wildcard', name });
      names.add(name);
      const kept = open.filter(({ hasParam }) => hasParam).length - 1;
      last = { from, end, former: last, kept, group: groupWithoutParam(open) };
    } else {
      let text = '';
      for (end = from; end < source.length && !SIGNS.includes(source.charAt(end)); end++)
        text += source.charAt(source.charAt(end) === '\\' ? ++end : end);
      if (text === '' || end > source.length || !isSafe(text)) throw unreadable(source, from);
      tokens.push({ kind: 'text', text });
    }
  }
  const [, unclosed] = open;
  if (unclosed !== undefined) throw unreadable(source, unclosed.from);
  return { source, tokens: root.tokens, names, shortened: shortenedOf(source, last), prefixes: new Set() };
}

/** Returns false for a backslash, which servers read as a slash, and for control characters, which URLs ignore. */
function isSafe(text: string): boolean {
  return Array.from(text).every((char) => char >= ' ' && char !== '\\');
}

/** Returns the index after the name that begins at `at`, or `at` if there is no name. */
function nameEnd(source: string, at: number): number {
  if (source.charAt(at) === '"') return source.indexOf('"', at + 1) + 1 || at;
  let end = at;
  while (NAME_CHAR.test(source.charAt(end))) end++;
  return end;
}

/** Letters, digits, `_`, `$`, and all characters beyond ASCII. */
const NAME_CHAR = /[\w$\u0080-\uffff]/;

/** Returns the index where the outermost open group without a parameter begins. Marks all open groups as having one. */
function groupWithoutParam(open: readonly OpenGroup[]): number | undefined {
  const group = open.find(({ hasParam }) => !hasParam);
  for (const one of open) one.hasParam = true;
  return group?.from;
}

/** Returns the source without the parameters of the record, without slashes before them, and with the suffix. */
function shortenedOf(source: string, last: LastParam | undefined): string {
  if (last === undefined) return source;
  let first = last;
  let suffix = suffixOf(source.slice(last.end));
  for (let { former } = first; former !== undefined; former = first.former) {
    const between = source.slice(former.end, first.from);
    if (between === '.' || between === '{.') suffix = source.slice(former.end);
    else if (Array.from('/{}').some((sign) => between.includes(sign))) break;
    first = former;
  }
  let end = first.group ?? openParenthesis(source, first.from) ?? first.from;
  while (source.charAt(end - 1) === '/') end--;
  return source.slice(0, end) + '}'.repeat(first.kept) + suffix;
}

/** Returns the index of the escaped parenthesis around a parameter. */
function openParenthesis(source: string, param: number): number | undefined {
  const open = source.lastIndexOf('\\(', param);
  return open > source.lastIndexOf('\\)', param) && open > source.lastIndexOf('/', param) ? open : undefined;
}

/** Returns the suffix of a path, given the text after its last parameter: `.json` in `/issues/:id.json`, the slash in `/issues/:id/`. */
function suffixOf(rest: string): string {
  const closed = rest.lastIndexOf('\\)');
  let start = closed < 0 ? 0 : closed + 2;
  while (rest.charAt(start) === '}') start++;
  const suffix = rest.slice(start);
  const isSuffix =
    suffix === '/' || (suffix.startsWith('.') && !Array.from('/{}:*').some((sign) => suffix.includes(sign)));
  return isSuffix ? suffix : '';
}

function unreadable(source: string, at: number): DataError {
  return pathInvalid(
    source,
    `cannot be read at '${source.slice(at, at + 20)}'`,
    inDevelopment(() =>
      '()'.includes(source.charAt(at))
        ? 'A parameter takes no pattern, and a parenthesis is written \\\\(.'
        : 'Correct the path of the endpoint.',
    ),
  );
}

/** Creates the error for an invalid path template. */
export function pathInvalid(
  source: string,
  what: string,
  cure: string | undefined = inDevelopment(() => 'Correct the path of the endpoint.'),
): DataError {
  return new DataError('path-invalid', `The path '${source}' ${what}.`, { cure });
}
