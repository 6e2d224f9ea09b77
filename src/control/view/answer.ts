import { INVALID } from '../../define/schema/schema.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { Found } from '../../state/store/request-cell.ts';
import type { RequestRead } from '../../state/store/request-cells.ts';

/** What a view can say. The same object until the answer changes. */
export type Answer<Value = unknown> =
  | { readonly status: 'missing'; readonly isDeleted?: true }
  /** `data` is what there is all the same. */
  | { readonly status: 'failed'; readonly error: unknown; readonly data?: Value | undefined }
  | { readonly status: 'stale' | 'fresh'; readonly value: Value };

/** A live answer. */
export interface View<Value = unknown> {
  /** Time alone can turn `fresh` into `stale`; subscribers are not called for that. */
  readonly current: () => Answer<Value>;
  /** Calls `onChange` after `current` may have changed. Returns an unsubscribe function. */
  readonly subscribe: (onChange: () => void) => () => void;
}

/** A store as a screen shows it: without commits that the screen has still to show. */
export interface EarlierReader {
  get(queryable: Queryable, args: readonly unknown[]): unknown;
  request(read: RequestRead): Found;
}

/** A live answer for a screen. */
export interface LiveView<Value = unknown> extends View<Value> {
  /** What it was before commits that are still to be shown. */
  readonly at: (earlier: EarlierReader) => Answer<Value>;
  /** Fetches what is missing, where there is a network. The promise is the same until it resolves. */
  readonly ask?: () => Promise<void>;
  /** A reader begins to show it. */
  readonly shown?: () => void;
}

export const MISSING: { readonly status: 'missing' } = Object.freeze({ status: 'missing' });

/** The record is known to be gone. */
export const DELETED: { readonly status: 'missing'; readonly isDeleted: true } = Object.freeze({
  status: 'missing',
  isDeleted: true,
});

/**
 * What `read` says now, or the answer before where both say the same. A value that cannot be made throws another error
 * each time it is tried, so those are told apart by their text.
 */
export function nextAnswer<Value>(before: Answer<Value>, read: () => Answer<Value>): Answer<Value> {
  try {
    const next = read();
    return isSameContent(before, next) ? before : next;
  } catch (error) {
    const isSame = before.status === 'failed' && String(before.error) === String(error);
    return isSame ? before : { status: 'failed', error };
  }
}

function isSameContent(one: Answer, other: Answer): boolean {
  if (one.status !== other.status || !Object.is(contentOf(one), contentOf(other))) return false;
  return Object.is(dataOf(one), dataOf(other));
}

function contentOf(answer: Answer): unknown {
  if (answer.status === 'missing') return answer.isDeleted;
  return answer.status === 'failed' ? answer.error : answer.value;
}

/** Whether two answers show the same. Fresh and stale look alike. */
export function isSameAnswer(one: Answer, other: Answer): boolean {
  if (one === other) return true;
  return 'value' in one && 'value' in other && Object.is(one.value, other.value);
}

/** The value, where there is one. */
export function valueOf<Value>(answer: Answer<Value>): Value | undefined {
  return 'value' in answer ? answer.value : undefined;
}

/** The value, or what there is of one although the latest request failed. */
export function dataOf<Value>(answer: Answer<Value>): Value | undefined {
  return answer.status === 'failed' ? answer.data : valueOf(answer);
}

/** What is said of a value that was read. */
export function answerOf<Value>(value: unknown): Answer<Value> {
  // What a schema makes of rows is for its types to say.
  return value === undefined || value === INVALID ? MISSING : { status: 'fresh', value: value as Value };
}
