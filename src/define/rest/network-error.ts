import { DataError, withoutCredentials } from '../../std/data-error.ts';
import type { UnknownError } from '../endpoint/options.ts';
import { type FieldErrors, type Reasons, reasonsOf } from './error-reasons.ts';
import { type Problem, problemIn } from './problem.ts';
import { thrown } from '../../std/thrown.ts';

export interface NetworkErrorOptions {
  readonly code?: string;
  readonly message?: string;
  /** Default: that of the response. */
  readonly status?: number;
  /** The body of the response. */
  readonly data?: unknown;
  readonly cause?: unknown;
  /** What was asked for, where the response does not say. */
  readonly address?: string | undefined;
  /** What the body says. Default: what it says in a form that is known. */
  readonly reasons?: Reasons | undefined;
}

/** A response came, and was no answer: its status says so, or its body cannot be read as what was asked for. */
export class NetworkError extends DataError {
  override readonly name: string = 'NetworkError';
  override readonly status: number;
  /** Its body can still be read, where it is the status that was wrong. */
  readonly response: Response;
  /** The body, where the status was wrong: JSON as data, text as it came; `undefined` if there was none. */
  readonly data: unknown;
  /** What the server said of it in `application/problem+json`. */
  readonly problem: Problem | undefined;
  /** What is wrong with which field of the body that was sent, where the server says so in a form that is known. */
  readonly fieldErrors: FieldErrors | undefined;

  constructor(response: Response, options: NetworkErrorOptions = {}) {
    const { code = 'http-error', message, status = response.status, data, cause, reasons = reasonsOf(data) } = options;
    super(code, message ?? '', { cause });
    if (message === undefined)
      this.message = withoutCredentials(
        reasons.message ?? `${response.url || (options.address ?? '')}: ${reasonOf(response)}`,
      );
    this.status = status;
    this.response = response;
    this.data = data;
    this.problem = problemIn(response, data);
    this.fieldErrors = reasons.fieldErrors;
  }

  toJSON(): object {
    const { name, code, status, message, problem, fieldErrors } = this;
    const url = withoutCredentials(this.response.url);
    return { name, code, status, message, url, ...(problem && { problem }), ...(fieldErrors && { fieldErrors }) };
  }
}

/** What a REST endpoint may fail with. */
export type ErrorTypes = NetworkError | UnknownError;

// HTTP/2 has no reason phrase.
function reasonOf({ statusText, status }: Response): string {
  return statusText || String(status);
}

/**
 * Passes a request on, and marks the error that a fetch gives for a network that is down, a host that is not there or
 * a refusal of CORS, which cannot be told apart: status 500.
 */
export async function markUnreachable<Value>(request: Promise<Value>): Promise<Value> {
  try {
    return await request;
  } catch (error) {
    // By its name: in a test or a frame it may come from another realm.
    const { name, status = 500 } = thrown(error);
    if (name === 'TypeError') {
      const { message, cause } = error as Error;
      const isRelative = thrown(cause).code === 'ERR_INVALID_URL';
      const cure = isRelative ? `. Outside of a page an address needs an origin: give the endpoint a urlPrefix` : '';
      const told = withoutCredentials(message) + cure;
      Object.assign(error as object, { status, ...(told !== message && { message: told, stack: undefined }) });
    }
    throw error;
  }
}
