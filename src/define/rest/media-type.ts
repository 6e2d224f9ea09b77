/** Returns the media type of a response in lower case, without its parameters. '' if there is none, as in a response made for a test. */
export function mediaType(headers: Headers | undefined): string {
  const [type = ''] = (headers?.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** Endings of media types that are text although they do not begin with `text/`. Those with `json` have several documents in one body. */
const TEXTS: readonly string[] = [
  'json-seq',
  'jsonl',
  'jsonlines',
  'ndjson',
  'stream+json',
  'csv',
  'ecmascript',
  'graphql',
  'html',
  'javascript',
  'markdown',
  'sql',
  'text',
  'toml',
  'tsv',
  'urlencoded',
  'xml',
  'yaml',
];

/** Returns how a body of a media type is read by default. */
export function bodyKind(type: string): 'json' | 'text' | 'blob' {
  if (TEXTS.some((end) => type.endsWith(end))) return 'text';
  if (type.includes('json')) return 'json';
  return type === '' || type.startsWith('text/') ? 'text' : 'blob';
}
