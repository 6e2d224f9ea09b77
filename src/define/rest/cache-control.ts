import type { Answered } from '../endpoint/exchange.ts';

/** Takes over what `Cache-Control` says. `max-age` counts from when the server made the answer; a cache on the way has had it for the time in `Age`. */
export function keepAsTold(answered: Answered, headers: Headers): void {
  const told = directives(headers.get('cache-control') ?? '');
  const age = seconds(headers.get('age') ?? '') ?? 0;
  const maxAge = seconds(told.get('max-age'));
  if (told.has('no-store')) answered.isPassing = true;
  if (told.has('no-store') || told.has('no-cache')) answered.freshFor = 0;
  else if (maxAge !== undefined) answered.freshFor = Math.max(0, maxAge - age) * 1000;
  else if (told.has('immutable')) answered.freshFor = Number.POSITIVE_INFINITY;
}

function directives(header: string): ReadonlyMap<string, string> {
  // The longest that is meant well is shorter by far.
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
  return text !== undefined && text !== '' && number >= 0 ? number : undefined;
}
