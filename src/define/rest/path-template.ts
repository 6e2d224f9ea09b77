import { DataError } from '../../std/data-error.ts';

/** A part of a path template. */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  /** Takes one segment, or a part of one. */
  | { readonly kind: 'param'; readonly name: string }
  /** Takes one or more segments. */
  | { readonly kind: 'wildcard'; readonly name: string }
  /** Is left out when a parameter in it is not given. */
  | { readonly kind: 'group'; readonly tokens: readonly Token[] };

/** A path template, taken apart. */
export interface Template {
  readonly source: string;
  readonly tokens: readonly Token[];
  /** The names of all parameters. */
  readonly names: ReadonlySet<string>;
  /** Each parameter is a segment of its own, and none can be left out: whatever they hold, the shape is the same. */
  readonly isSteady: boolean;
}

const parsed = new Map<string, Template>();
// Templates are written by hand, and few. Those who make them up as they go should not fill the memory.
const MOST_KEPT = 2000;
const LONGEST = 65_536;
const LONGEST_KEPT = 1000;
const SPECIAL = '\\{}():*';

/** Takes a template apart: `:name`, `*name`, `:"any name"`, `{optional}`, and `\` before what is to be taken as it is. */
export function parseTemplate(source: string): Template {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  if (source.length > LONGEST) throw pathInvalid(`${source.slice(0, 50)}…`, 'is longer than any address');
  const tokens = new TemplateReader(source).read();
  const template = { source, tokens, names: namesIn(tokens), isSteady: tokens.every(isSteady) };
  if (parsed.size >= MOST_KEPT) parsed.clear();
  if (source.length <= LONGEST_KEPT) parsed.set(source, template);
  return template;
}

/** Every name in the tokens, with those in groups. */
function namesIn(tokens: readonly Token[], names: Set<string> = new Set()): ReadonlySet<string> {
  for (const token of tokens) {
    if (token.kind === 'group') namesIn(token.tokens, names);
    else if (token.kind !== 'text') names.add(token.name);
  }
  return names;
}

function isSteady(token: Token, at: number, tokens: readonly Token[]): boolean {
  if (token.kind === 'text') return true;
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  return (
    token.kind === 'param' &&
    (before === undefined || (before.kind === 'text' && before.text.endsWith('/'))) &&
    (after === undefined || (after.kind === 'text' && after.text.startsWith('/')))
  );
}

class TemplateReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): readonly Token[] {
    const tokens = this.#tokens(0);
    if (this.#at < this.#source.length) throw this.#invalid('has a } without a { before it');
    return tokens;
  }

  #tokens(depth: number): readonly Token[] {
    const tokens: Token[] = [];
    let text = '';
    const add = (token: Token): void => {
      if (text !== '') tokens.push({ kind: 'text', text });
      text = '';
      tokens.push(token);
    };
    for (;;) {
      const char = this.#source.charAt(this.#at);
      if (char === '' || char === '}') break;
      this.#at++;
      if (char === '{') add({ kind: 'group', tokens: this.#group(depth) });
      else if (char === ':') add({ kind: 'param', name: this.#name() });
      else if (char === '*') add({ kind: 'wildcard', name: this.#name() });
      else if (char === '\\') text += this.#escaped();
      else if (char === '(' || char === ')')
        throw this.#invalid(`has a ${char}, which stands for nothing. Write \\${char}`);
      else text += char;
    }
    if (text !== '') tokens.push({ kind: 'text', text });
    return tokens;
  }

  #group(depth: number): readonly Token[] {
    if (depth === 16) throw this.#invalid('has groups in groups in groups');
    const tokens = this.#tokens(depth + 1);
    if (this.#source.charAt(this.#at) !== '}') throw this.#invalid('has a { without a } behind it');
    this.#at++;
    return tokens;
  }

  #escaped(): string {
    const char = this.#source.charAt(this.#at);
    if (char === '') throw this.#invalid('ends with a \\');
    this.#at++;
    return char;
  }

  #name(): string {
    const from = this.#at;
    if (this.#source.charAt(from) === '"') {
      const to = this.#source.indexOf('"', from + 1);
      if (to <= from + 1) throw this.#invalid('has a name in quotes that is empty or does not end');
      this.#at = to + 1;
      return this.#source.slice(from + 1, to);
    }
    while (isNameChar(this.#source.charCodeAt(this.#at))) this.#at++;
    if (this.#at === from)
      throw this.#invalid('has a : or * without a name. Write \\: or \\* for the character itself');
    return this.#source.slice(from, this.#at);
  }

  #invalid(what: string): DataError {
    return pathInvalid(this.#source, what);
  }
}

/** Letters, digits, `_` and `$`, and everything beyond ASCII. */
function isNameChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code > 127
  );
}

/** The error for a path template that cannot be used. */
export function pathInvalid(source: string, what: string): DataError {
  return new DataError('path-invalid', `The path '${source}' ${what}. Correct the path of the endpoint.`);
}

/** A path without its last parameter, and what is behind it. */
export function shortenPath(source: string): string {
  return trimmed(written(shortened(parseTemplate(source).tokens)));
}

function shortened(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex((token) => token.kind !== 'text' && namesIn([token]).size > 0);
  if (last < 0) return tokens;
  const before = tokens.slice(0, last);
  const token = tokens[last];
  if (token?.kind !== 'group') return before;
  const rest = shortened(token.tokens);
  return namesIn(rest).size === 0 ? before : [...before, { kind: 'group', tokens: rest }];
}

function written(tokens: readonly Token[]): string {
  return tokens.map(writtenToken).join('');
}

function writtenToken(token: Token): string {
  if (token.kind === 'group') return `{${written(token.tokens)}}`;
  if (token.kind === 'text')
    return Array.from(token.text, (char) => (SPECIAL.includes(char) ? `\\${char}` : char)).join('');
  const isPlain = Array.from(token.name).every((char) => isNameChar(char.charCodeAt(0)));
  return `${token.kind === 'param' ? ':' : '*'}${isPlain ? token.name : `"${token.name}"`}`;
}

function trimmed(path: string): string {
  let end = path.length;
  while (path.charAt(end - 1) === '/') end--;
  return path.slice(0, end);
}
