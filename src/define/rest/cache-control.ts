import type { Answered } from '../endpoint/exchange.ts';

/**
 * Sets how long an answer is fresh from `Cache-Control`. `max-age` counts from the moment the server made the answer, so the time that it
 * spent in caches on the way (`Age`) is subtracted.
 */
export function applyCacheControl(answered: Answered, headers: Headers): void {
  const found = directives(headers.get('cache-control') ?? '');
  const age = seconds(headers.get('age') ?? '') ?? 0;
  const maxAge = seconds(found.get('max-age'));
  if (found.has('no-store')) answered.isNoStore = true;
  if (found.has('no-store') || found.has('no-cache')) answered.freshFor = 0;
  else if (maxAge !== undefined) answered.freshFor = Math.max(0, maxAge - age) * 1000;
  else if (found.has('immutable')) answered.freshFor = Number.POSITIVE_INFINITY;
}

function directives(header: string): ReadonlyMap<string, string> {
  // Real headers are much shorter. A longer one is ignored, so that no header takes long to read.
  const parts = header.length > 1000 ? [] : header.toLowerCase().split(',');
  return new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.split('=', 2);
      return [name.trim(), value.replaceAll('"', '').trim()];
    }),
  );
}

function seconds(text: string | undefined): number | undefined {
  const number = Number(text);
  return text !== '' && number >= 0 ? number : undefined;
}
