import { parseTemplate, type Token } from './path-template.ts';

/** Whether a path, without a query, may be one of a template. */
export function matchesPath(source: string, path: string): boolean {
  return behind(parseTemplate(source).tokens, path, [true])[path.length] === true;
}

/**
 * The places in a path at which one can be behind the tokens, of those at which one can be before them. All ways through
 * a template are followed at once, so the time it takes grows with the path and the template, and with nothing else.
 */
function behind(tokens: readonly Token[], path: string, before: readonly boolean[]): readonly boolean[] {
  let here = before;
  for (const token of tokens) {
    const next: boolean[] = [];
    const inside = token.kind === 'group' ? behind(token.tokens, path, here) : [];
    const [text = ''] = token.kind === 'text' ? token.text.split('?', 1) : [];
    for (let at = 0; at <= path.length; at++) {
      if (token.kind === 'group') next[at] = (here[at] || inside[at]) === true;
      else if (token.kind === 'text') {
        if (here[at] && path.startsWith(text, at)) next[at + text.length] = true;
      } else if ((here[at] || next[at]) && (token.kind === 'wildcard' || path[at] !== '/')) next[at + 1] = true;
    }
    here = next;
    // Behind the question mark is the query.
    if (token.kind === 'text' && token.text !== text) break;
  }
  return here;
}
