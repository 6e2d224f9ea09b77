/** The media type of a response, without its parameters, in lower case; '' where it says none. */
export function mediaType(headers: Headers): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** How the types of texts end that do not begin with `text/`. Those with `json` are of many documents in one body. */
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

/** How a body of a media type is read, where the endpoint does not say. */
export function kindOf(type: string): 'json' | 'text' | 'blob' {
  if (TEXTS.some((end) => type.endsWith(end))) return 'text';
  if (type.includes('json')) return 'json';
  return type === '' || type.startsWith('text/') ? 'text' : 'blob';
}
