import { isPlain, type Fields } from '../../std/plain.ts';
import { isBareAnswer, withoutRecord } from '../schema/bare-answer.ts';
import { type Reasons, reasonsOf } from './error-reasons.ts';
import { mediaType } from './media-type.ts';
import { NetworkError } from './network-error.ts';

interface Refusable {
  readonly schema?: unknown;
  readonly wire?: { reasons?(data: unknown): Reasons } | undefined;
}

/**
 * Returns the reasons in the body of a failed response. With 409 and 412, the body may be the record as the server has it. Its fields, such
 * as its title, are no reasons.
 */
export function reasonsIn({ schema, wire }: Refusable, response: Response, data: unknown): Reasons {
  const { status, headers } = response;
  const isProblem = mediaType(headers).includes('problem') || (isPlain(data) && Reflect.get(data, 'status') === status);
  const withoutSentRecord = (status === 409 || status === 412) && !isProblem ? withoutRecord(schema, data) : data;
  return wire?.reasons?.(withoutSentRecord) ?? reasonsOf(withoutSentRecord);
}

/** Throws if the answer to a mutation has a successful status, no record, and says that the mutation was refused. */
export function checkRefused({ schema, wire }: Refusable, response: Response, data: unknown, what: string): void {
  const refusal = refusalIn(schema, data);
  if (refusal === undefined) return;
  const { message, fieldErrors } = wire?.reasons?.(data) ?? reasonsOf(data);
  const said = message ?? `${what} was answered with { ${refusal} }.`;
  throw new NetworkError(response, { status: 400, data, reasons: { message: said, fieldErrors } });
}

/** Returns the field in which an answer without a record says that the mutation was refused. */
function refusalIn(schema: unknown, data: unknown): string | undefined {
  if (!isPlain(data) || Array.isArray(data)) return undefined;
  const answer = data as Fields;
  const { ok, success, error, errors, status } = answer;
  if (ok === false || success === false) {
    const texts = Object.entries(answer).filter(([, value]) => Object(value) !== value);
    return isBareAnswer(schema, Object.fromEntries(texts), [])
      ? `${ok === false ? 'ok' : 'success'}: false`
      : undefined;
  }
  const isError = isReason(error) || isReason(errors);
  if (ok === true || success === true || !(isError || FAILURES.has(status))) return undefined;
  // Errors may be listed by the names of the fields that they are about. The class may have a field of the name `error`.
  const rest = { ...answer, ...('error' in answer && { error: '' }), ...('errors' in answer && { errors: '' }) };
  if (!isBareAnswer(schema, rest, [])) return undefined;
  return isError ? (isReason(error) ? 'error' : 'errors') : `status: '${String(status)}'`;
}

const FAILURES: ReadonlySet<unknown> = new Set(['error', 'fail', 'failed', 'failure']);

/** Returns whether the value of a field for errors reports an error. */
function isReason(value: unknown): boolean {
  return value === true || (typeof value === 'string' ? value.trim() !== '' : Object.keys(Object(value)).length > 0);
}
