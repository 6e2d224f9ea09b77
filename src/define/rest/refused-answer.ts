import { isPlain, type Fields } from '../../std/plain.ts';
import { isBareAnswer } from '../schema/bare-answer.ts';
import { type Reasons, reasonsOf } from './error-reasons.ts';
import { NetworkError } from './network-error.ts';

/** Throws if a mutation was answered with a successful status, without a record, and with `success: false` or `ok: false`. */
export function checkRefused(
  { schema, wire }: { readonly schema: unknown; readonly wire?: { reasons?(data: unknown): Reasons } | undefined },
  response: Response,
  data: unknown,
  what: string,
): void {
  const fields = Object.entries(isPlain(data) ? data : {}).filter(([, value]) => Object(value) !== value);
  const answer: Fields = Object.fromEntries(fields);
  const { ok, success } = answer;
  if ((ok !== false && success !== false) || !isBareAnswer(schema, answer, [])) return;
  const { message, fieldErrors } = wire?.reasons?.(data) ?? reasonsOf(data);
  const said = message ?? `${what} was answered with { ${ok === false ? 'ok' : 'success'}: false }.`;
  throw new NetworkError(response, { status: 400, data, reasons: { message: said, fieldErrors } });
}
