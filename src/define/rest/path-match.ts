import { parseTemplate, type Token } from './path-template.ts';

/** Returns whether a path without a query can be made from a template. */
export function matchesPath(source: string, path: string): boolean {
  return behind(parseTemplate(source).tokens, path, [true])[path.length] === true;
}

/**
 * Returns at which indexes of the path a match of the tokens can end, given where it can begin (`before`). All ways through the template
 * are followed at once, so the time grows only with the lengths of path and template.
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
    // The rest of the template is the query.
    if (token.kind === 'text' && token.text !== text) break;
  }
  return here;
}
