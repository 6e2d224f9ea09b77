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

/** Throws if a mutation was answered with a successful status, without a record, and with `success: false` or `ok: false`. */
export function checkRefused({ schema, wire }: Refusable, response: Response, data: unknown, what: string): void {
  const fields = Object.entries(isPlain(data) ? data : {}).filter(([, value]) => Object(value) !== value);
  const answer: Fields = Object.fromEntries(fields);
  const { ok, success } = answer;
  if ((ok !== false && success !== false) || !isBareAnswer(schema, answer, [])) return;
  const { message, fieldErrors } = wire?.reasons?.(data) ?? reasonsOf(data);
  const withoutSentRecord = message ?? `${what} was answered with { ${ok === false ? 'ok' : 'success'}: false }.`;
  throw new NetworkError(response, { status: 400, data, reasons: { message: withoutSentRecord, fieldErrors } });
}
