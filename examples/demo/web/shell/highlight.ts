/** A piece of source text and its kind: keyword, string, comment, type, number, or none. */
export interface Token {
  readonly kind: 'k' | 's' | 'c' | 't' | 'n' | '';
  readonly text: string;
}

const KEYWORDS = new Set(
  (
    'as async await class const default export extends false from function if import in interface let new null of ' +
    'override return static super this throw true type typeof undefined void'
  ).split(' '),
);
const PIECE =
  /(?<c>\/\/[^\n]*|\/\*[^]*?\*\/)|(?<s>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|(?<n>\b\d[\d_.]*\b)|(?<w>[A-Za-z_$][\w$]*)|[^]/gu;

/** A simple syntax highlighter for TypeScript. */
export function highlight(source: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, groups = {} } of source.matchAll(PIECE)) {
    const kind = kindOf(text, groups);
    const last = tokens.at(-1);
    if (last?.kind === kind) tokens[tokens.length - 1] = { kind, text: last.text + text };
    else tokens.push({ kind, text });
  }
  return tokens;
}

export interface Line {
  /** The indentation of a line. */
  readonly indent: number;
  readonly tokens: readonly Token[];
}

/** Groups tokens by line. A token over several lines is split. */
export function linesOf(tokens: readonly Token[]): Line[] {
  const lines: Token[][] = [[]];
  for (const { kind, text } of tokens) {
    for (const [at, piece] of text.split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ kind, text: piece });
    }
  }
  return lines.map((line) => ({ indent: /^ */.exec(line[0]?.text ?? '')?.[0].length ?? 0, tokens: line }));
}

function kindOf(text: string, { c, s, n, w }: Record<string, string | undefined>): Token['kind'] {
  if (c !== undefined) return 'c';
  if (s !== undefined) return 's';
  if (n !== undefined) return 'n';
  if (w === undefined) return '';
  if (KEYWORDS.has(w)) return 'k';
  return text >= 'A' && text < '[' ? 't' : '';
}
