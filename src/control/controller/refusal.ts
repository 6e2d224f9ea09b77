import { DataError } from '../../std/data-error.ts';
import { thrown } from '../../std/thrown.ts';

/**
 * Returns whether the server refused a mutation, so that it changed nothing. After any other failure, the server may have carried the mutation out; it
 * has done so if the answer cannot be parsed or stored. Answers such as 404 are not refusals: they say that the server has no such record.
 */
export function isRefusal(error: unknown): boolean {
  const { response, status } = thrown(error);
  const { ok } = Object(response) as { readonly ok?: unknown };
  // The client rejected the answer, not the server.
  const isAnswer = ok === true || (ok === undefined && error instanceof DataError && status === 400);
  return !isAnswer && typeof status === 'number' && status >= 400 && status < 500 && !NO_REFUSALS.has(status);
}

/** The statuses Not Found, Request Timeout and Gone. */
const NO_REFUSALS: ReadonlySet<number> = new Set([404, 408, 410]);
