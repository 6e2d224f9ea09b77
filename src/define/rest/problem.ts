import { isPlain } from '../../std/plain.ts';
import { kindOf, mediaType } from './media-type.ts';

/** What `application/problem+json` (RFC 9457) says of an error; members of the server's own beside it. */
export interface Problem {
  readonly type: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly [extension: string]: unknown;
}

const TEXTS: readonly string[] = ['type', 'title', 'detail', 'instance'];

/** The body of an error that came, as data where it is JSON; `undefined` if there is none. The response itself stays unread. */
export async function errorDataOf(response: Response): Promise<unknown> {
  const kind = kindOf(mediaType(response.headers));
  if (kind === 'blob' || response.bodyUsed) return undefined;
  let text = '';
  try {
    text = await response.clone().text();
    return kind === 'json' || '{['.includes(text.trimStart().charAt(0) || ' ') ? JSON.parse(text) : text || undefined;
  } catch {
    // The status has been told already; what the server could not say well adds nothing to it.
    return text || undefined;
  }
}

/** The problem that the body of an error describes, if its type says that it does. */
export function problemIn(response: Response, data: unknown): Problem | undefined {
  return mediaType(response.headers) === 'application/problem+json' ? parseProblem(data) : undefined;
}

function parseProblem(body: unknown): Problem | undefined {
  if (!isPlain(body) || Array.isArray(body)) return undefined;
  // A standard member of another type is to be ignored, as the RFC has it.
  const members = Object.entries(body).filter(
    ([name, value]) => typeof value === (TEXTS.includes(name) ? 'string' : name === 'status' ? 'number' : typeof value),
  );
  return { type: 'about:blank', ...(Object.fromEntries(members) as object) };
}
