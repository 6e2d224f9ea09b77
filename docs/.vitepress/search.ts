/** The words of a text for the search: `useSuspense` is found by `suspense` as well. It runs in the browser too, so it needs nothing else. */
export function tokenize(text: string): string[] {
  const words = text.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== '');
  const parts = words.flatMap((word) => word.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/));
  return [...new Set([...words, ...parts])];
}

/** A page as the search reads it: with the words below its heading that people look for, and that it says otherwise. */
export function withKeywords(html: string, keywords: unknown): string {
  return Array.isArray(keywords) ? html.replace('</h1>', `</h1><p>${keywords.join(', ')}</p>`) : html;
}

/**
 * How much a page counts in the search, by its address: a guide says how; a page to look things up has every word, and the
 * comparison has those of other libraries. It runs in the browser too, so it needs nothing else.
 */
export function boostOf(id: string): number {
  if (/^\/guide/.test(id)) return 2;
  if (/^\/reference\/[a-z]+\/(?:index|interfaces|type-aliases)/.test(id)) return 0.1;
  return /^\/(?:comparison|decisions|errors|performance|rarely-used|reference|reliability)/.test(id) ? 0.3 : 1;
}
