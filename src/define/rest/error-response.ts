import { DataError } from '../../std/data-error.ts';
import { thrown } from '../../std/thrown.ts';

/**
 * Returns whether `fetch` or the reading of a body threw this error because there is no answer. By the name and not by `instanceof`: in a test or a frame
 * the class may be another one. Some environments throw a DOMException, which has the name of the class above.
 */
export function isUnanswered(error: unknown): boolean {
  const { name, response } = thrown(error);
  return name === 'TypeError' || (name === 'NetworkError' && response === undefined);
}

/** Returns the response that a `NetworkError` is about. The class itself brings the search for reasons in bodies, which the callers do not need. */
export function refusalIn(error: unknown): Response | undefined {
  return error instanceof DataError ? (thrown(error).response as Response | undefined) : undefined;
}
