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
