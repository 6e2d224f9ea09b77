import { editsOf, type Field, type Row } from './server.ts';
import type { MutationPlan } from './plans.ts';

/** One request, and its answer. */
export interface Sent {
  /** Only for a mutation. */
  readonly plan?: MutationPlan;
  /** Whether it reads the list. */
  readonly isList: boolean;
  readonly value: string;
  readonly sentAt: number;
  settledAt: number;
  /** The rows of its answer. `undefined` before the answer, and after a failure. */
  answer?: readonly Row[] | undefined;
}

/**
 * Returns the values that a field of a record may have on the screen. `undefined` if any value is right, because no request of the
 * application determines it.
 *
 * 1. By default it is the value of the last issued mutation that edits the field. Failed mutations do not count, and pending ones count
 *    only if they have guesses.
 * 2. A deletion is the last edit that counts: the server can answer an edit that was issued later only if it carries out the deletion after it. While
 *    such an edit is pending, its guess may show the record.
 * 3. A request that was sent after the answer of this mutation may have brought another value.
 * 4. If there are several such requests, one that was answered before another of them was sent does not count.
 */
export function expectedValues(
  sent: readonly Sent[],
  hasGuess: boolean,
  id: string,
  field: Field,
): unknown[] | undefined {
  const seen = sent.filter((one) => (one.settledAt === Infinity ? hasGuess : one.answer !== undefined));
  const edits = seen.filter((one) => editOf(one, id) !== NO_EDIT);
  const deletion = edits.findLastIndex(isDeletion);
  const latest = edits[deletion] ?? edits.findLast((one) => field in (editOf(one, id) ?? {}));
  const isPendingAfter = deletion >= 0 && edits.slice(deletion + 1).some(({ settledAt }) => settledAt === Infinity);
  if (latest === undefined || isPendingAfter) return undefined;
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
