import { isPlain } from '../../std/plain.ts';
import { mediaType } from './media-type.ts';

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

/** The problem that a response describes, if it does. The body of the response itself stays unread. */
export async function problemOf(response: Response): Promise<Problem | undefined> {
  if (mediaType(response.headers) !== 'application/problem+json' || response.bodyUsed) return undefined;
  try {
    return parseProblem(JSON.parse(await response.clone().text()));
  } catch {
    // The status has been told already; what the server could not say well adds nothing to it.
    return undefined;
  }
}

function parseProblem(body: unknown): Problem | undefined {
  if (!isPlain(body) || Array.isArray(body)) return undefined;
  // A standard member of another type is to be ignored, as the RFC has it.
  const members = Object.entries(body).filter(
    ([name, value]) => typeof value === (TEXTS.includes(name) ? 'string' : name === 'status' ? 'number' : typeof value),
  );
  return { type: 'about:blank', ...(Object.fromEntries(members) as object) };
}
