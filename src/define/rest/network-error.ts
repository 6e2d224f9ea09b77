import { DataError, withoutCredentials } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { UnknownError } from '../endpoint/options.ts';
import { type FieldErrors, type Reasons, reasonsOf } from './error-reasons.ts';
import { type Problem, problemIn } from './problem.ts';
import { isUnanswered } from './error-response.ts';
import { thrown } from '../../std/thrown.ts';

export interface NetworkErrorOptions {
  readonly code?: string;
  readonly message?: string;
  /** What to do, in development: the second part of `message`. */
  readonly cure?: string | undefined;
  /** Default: the status of the response. */
  readonly status?: number;
  /** The body of the response. */
  readonly data?: unknown;
  readonly cause?: unknown;
  /** The address of the request, used if the response has none. */
  readonly address?: string | undefined;
  /** The reasons in the body. Default: those that `reasonsOf` finds. */
  readonly reasons?: Reasons | undefined;
}

/** The error for a response that is not an answer: its status is not a success, or its body cannot be read. */
export class NetworkError extends DataError {
  override readonly name: string = 'NetworkError';
  override readonly status: number;
  /** After a failed status, the body of the response can still be read. */
  readonly response: Response;
  /** The body of a response with a failed status: JSON as data, text as a string, `undefined` if there is none. */
  readonly data: unknown;
  /** The problem details, if the body is `application/problem+json`. */
  readonly problem: Problem | undefined;
  /** Texts about invalid fields of the sent body, if the response has them in a known form. */
  readonly fieldErrors: FieldErrors | undefined;

  constructor(response: Response, options: NetworkErrorOptions = {}) {
    const {
      code = 'http-error',
      message,
      status = response.status,
      data,
      cause,
      cure,
      reasons = reasonsOf(data),
    } = options;
    super(code, message ?? '', { cause, cure });
    if (message === undefined)
      this.message = withoutCredentials(
        reasons.message ??
          sentenceIn(data, response) ??
          `${response.url || (options.address ?? '')}: ${reasonOf(response)}`,
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

/** The errors of a REST endpoint. */
export type ErrorTypes = NetworkError | UnknownError;

/** Returns the text of a body that is one short line, as Koa, Hono and Go send it: no page, no stack, and not only the reason phrase. */
function sentenceIn(data: unknown, { statusText }: Response): string | undefined {
  const text = typeof data === 'string' ? data.trim() : '';
  return /^[^<{[].{0,299}$/.test(text) && text !== statusText ? text : undefined;
}

// HTTP/2 has no reason phrase.
function reasonOf({ statusText, status }: Response): string {
  return statusText || String(status);
}

/**
 * Awaits a request. Sets the status 500 on the error that `fetch` throws if the network is down, the host does not exist, or CORS refuses
 * the request. `fetch` does not tell these cases apart.
 */
export async function markUnreachable<Value>(request: Promise<Value>): Promise<Value> {
  try {
    return await request;
  } catch (error) {
    if (isUnanswered(error)) {
      const { status = 500 } = thrown(error);
      const { message, cause } = error as Error;
      const isRelative = thrown(cause).code === 'ERR_INVALID_URL';
      const text = [
        withoutCredentials(message),
        isRelative &&
          inDevelopment(() => 'Outside of a page an address needs an origin: give the endpoint a urlPrefix'),
      ]
        .filter(Boolean)
        .join('. ');
      Object.assign(error as object, { status });
      // Not by an assignment: a DOMException inherits a message that cannot be set.
      if (text !== message) Object.defineProperties(error, { message: { value: text }, stack: { value: undefined } });
    }
    throw error;
  }
}
