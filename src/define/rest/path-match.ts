import { parseTemplate, type Token } from './path-template.ts';

/** Returns whether a path without a query can be made from a template. */
export function matchesPath(source: string, path: string): boolean {
  return matchEnds(parseTemplate(source).tokens, path, [true])[path.length] === true;
}

/**
 * Returns at which indexes of the path a match of the tokens can end, given where it can begin (`before`). All ways through the template
 * are followed at once, so the time grows only with the lengths of path and template.
 */
function matchEnds(tokens: readonly Token[], path: string, before: readonly boolean[]): readonly boolean[] {
  let current = before;
  for (const token of tokens) {
    const next: boolean[] = [];
    const inside = token.kind === 'group' ? matchEnds(token.tokens, path, current) : [];
    const [text = ''] = token.kind === 'text' ? token.text.split('?', 1) : [];
    for (let at = 0; at <= path.length; at++) {
      if (token.kind === 'group') next[at] = (current[at] || inside[at]) === true;
      else if (token.kind === 'text') {
        if (current[at] && path.startsWith(text, at)) next[at + text.length] = true;
      } else if ((current[at] || next[at]) && (token.kind === 'wildcard' || path[at] !== '/')) next[at + 1] = true;
    }
    current = next;
    // The rest of the template is the query.
    if (token.kind === 'text' && token.text !== text) break;
  }
  return current;
}
