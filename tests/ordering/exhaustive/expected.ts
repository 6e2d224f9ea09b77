import { editsOf, type Field, type Row } from './server.ts';
import type { MutationPlan } from './plans.ts';

/** What has happened to one request. */
export interface Sent {
  /** Of a mutation. */
  readonly plan?: MutationPlan;
  /** Whether it reads the list. */
  readonly isList: boolean;
  readonly value: string;
  readonly sentAt: number;
  settledAt: number;
  /** The rows of its answer; `undefined` while there is none, and where it failed. */
  answer?: readonly Row[] | undefined;
}

/**
 * The values that a field of a record may have on the screen; `undefined` where any may be there, because nothing that
 * the application asked for is about the field.
 *
 * 1. The mutation that was issued last, of those that edit the field, did not fail, and can be seen, is what the user
 *    wants.
 * 2. Another value can only come from a request that was sent after this mutation was answered.
 * 3. Of several such requests none counts that was answered before another of them was sent.
 */
export function expectedValues(
  sent: readonly Sent[],
  hasGuess: boolean,
  id: string,
  field: Field,
): unknown[] | undefined {
  const seen = sent.filter((one) => (one.settledAt === Infinity ? hasGuess : one.answer !== undefined));
  const edits = seen.filter((one) => editOf(one, id) !== NO_EDIT);
  const latest = edits.filter((one) => isDeletion(one) || field in (editOf(one, id) ?? {})).at(-1);
  // A record that is deleted, and edited after that, comes back or does not, as the server says.
  if (latest === undefined || edits.slice(0, -1).some(isDeletion)) return undefined;
  const later = sent.filter((one) => one.sentAt > latest.settledAt && rowOf(one, id, field) !== undefined);
  const candidates = later.filter((one) => !later.some((other) => other.sentAt > one.settledAt));
  if (candidates.length === 0) return [editOf(latest, id)?.[field]];
  return candidates.map((one) => rowOf(one, id, field)?.[field]);
}

const NO_EDIT: Partial<Row> = {};

function editOf({ plan, value }: Sent, id: string): Partial<Row> | undefined {
  const edits = plan === undefined ? {} : editsOf(plan, value);
  return id in edits ? edits[id] : NO_EDIT;
}

function isDeletion({ plan }: Sent): boolean {
  return plan?.kind === 'delete';
}

function rowOf({ answer }: Sent, id: string, field: Field): Row | undefined {
  return answer?.find((row) => row.id === id && field in row);
}
