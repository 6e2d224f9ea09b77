/** The media type of a response, without its parameters, in lower case; '' where it says none. */
export function mediaType(headers: Headers): string {
  const value = headers.get('content-type') ?? '';
  const end = value.indexOf(';');
  return (end < 0 ? value : value.slice(0, end)).trim().toLowerCase();
}

/** Many documents in one body: each is JSON, the body is not. */
const SEQUENCES: ReadonlySet<string> = new Set([
  'application/json-seq',
  'application/jsonl',
  'application/ndjson',
  'application/stream+json',
  'application/x-jsonlines',
  'application/x-ndjson',
]);

const TEXTS: ReadonlySet<string> = new Set([
  'application/ecmascript',
  'application/graphql',
  'application/javascript',
  'application/sql',
  'application/toml',
  'application/x-javascript',
  'application/x-www-form-urlencoded',
  'application/x-yaml',
  'application/xml',
  'application/yaml',
]);

/** How a body of a media type is read, where nobody has said it. */
export function kindOf(type: string): 'json' | 'text' | 'blob' {
  if (type.includes('json')) return SEQUENCES.has(type) ? 'text' : 'json';
  if (type === '' || type.startsWith('text/') || type.endsWith('+xml') || type.endsWith('+yaml')) return 'text';
  return TEXTS.has(type) ? 'text' : 'blob';
}
