import { isPlain } from '../../std/plain.ts';
import { bodyKind, mediaType } from './media-type.ts';

/** Problem details (RFC 9457), the content of `application/problem+json`. A server may add members of its own. */
export interface Problem {
  readonly type: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly [extension: string]: unknown;
}

const TEXTS: readonly string[] = ['type', 'title', 'detail', 'instance'];

/**
 * Returns the body of a failed response: JSON as data, text as a string, `undefined` if there is none. `parse` is the parser of the endpoint,
 * because the body may have its record. The response stays readable.
 */
export async function errorDataOf(response: Response, parse: (text: string) => unknown): Promise<unknown> {
  const kind = bodyKind(mediaType(response.headers));
  if (kind === 'blob' || response.bodyUsed) return undefined;
  let text = '';
  try {
    text = await response.clone().text();
    const start = text.trimStart().charAt(0);
    const isJson = kind === 'json' || start === '{' || start === '[';
    return isJson ? await parsed(text, parse) : text || undefined;
  } catch {
    // Invalid JSON is returned as text. The status already makes this an error.
    return text || undefined;
  }
}

/** The parser of an endpoint may expect the form of an answer. */
async function parsed(text: string, parse: (text: string) => unknown): Promise<unknown> {
  try {
    return (await parse(text)) ?? JSON.parse(text);
  } catch {
    return JSON.parse(text);
  }
}

/** Returns the problem details in a body, if the media type of the response declares them. */
export function problemIn(response: Response, data: unknown): Problem | undefined {
  return mediaType(response.headers) === 'application/problem+json' ? parseProblem(data) : undefined;
}

function parseProblem(body: unknown): Problem | undefined {
  if (!isPlain(body) || Array.isArray(body)) return undefined;
  // By the RFC, a standard member with a wrong type is ignored.
  const members = Object.entries(body).filter(
    ([name, value]) => typeof value === (TEXTS.includes(name) ? 'string' : name === 'status' ? 'number' : typeof value),
  );
  return { type: 'about:blank', ...(Object.fromEntries(members) as object) };
}
