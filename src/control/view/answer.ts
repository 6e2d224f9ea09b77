import { INVALID } from '../../define/schema/row.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { Found } from '../../state/store/request-cell.ts';
import type { RequestRead } from '../../state/store/request-cells.ts';

/** The state of a view. The same object until the answer changes. */
export type Answer<Value = unknown> =
  | { readonly status: 'missing'; readonly isDeleted?: true }
  /** `data` is the stored value, if there is one in spite of the failure. */
  | { readonly status: 'failed'; readonly error: unknown; readonly data?: Value | undefined }
  | { readonly status: 'stale' | 'fresh'; readonly value: Value };

/** A live answer. */
export interface View<Value = unknown> {
  /** Time alone can turn `fresh` into `stale`. Subscribers are not called for that. */
  readonly current: () => Answer<Value>;
  /** Calls `onChange` whenever `current` may have changed. Returns an unsubscribe function. */
  readonly subscribe: (onChange: () => void) => () => void;
}

/** The store without the commits that are not on the screen yet. */
export interface EarlierReader {
  get(queryable: Queryable, args: readonly unknown[]): unknown;
  request(read: RequestRead): Found;
}

/** A live answer for a screen. */
export interface LiveView<Value = unknown> extends View<Value> {
  /** The answer without the commits that are not on the screen yet. */
  readonly at: (earlier: EarlierReader) => Answer<Value>;
  /** Fetches a missing answer. Returns the same promise until it resolves. */
  readonly fetchMissing?: () => Promise<void>;
  /** Call it when a reader is on the screen. */
  readonly shown?: () => void;
  /** Sets the endpoint that further requests use. It has the same key and schema, and may have other headers, for example. */
  readonly renew?: (controller: ViewingController, endpoint: EndpointInterface) => void;
}

export interface ViewingController {
  view(endpoint: EndpointInterface, ...args: readonly unknown[]): View;
}

export const MISSING: { readonly status: 'missing' } = Object.freeze({ status: 'missing' });

/** The answer for a record that was deleted. */
export const DELETED: { readonly status: 'missing'; readonly isDeleted: true } = Object.freeze({
  status: 'missing',
  isDeleted: true,
});

/**
 * Returns the answer of `read`, or `before` if both have the same content. If the value cannot be built, each try throws a new
 * error object, so errors are compared by their text.
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
  if (one.status === 'missing') return other.status === 'missing' && one.isDeleted === other.isDeleted;
  if (one.status !== 'failed') return one.status === other.status && Object.is(one.value, other.value);
  return other.status === 'failed' && Object.is(one.error, other.error) && Object.is(one.data, other.data);
}

/** Returns whether two answers show the same value. Freshness does not matter. */
export function isSameAnswer(one: Answer, other: Answer): boolean {
  if (one === other) return true;
  return 'value' in one && 'value' in other && Object.is(one.value, other.value);
}

/** Returns the value; `undefined` if there is none. */
export function valueOf<Value>(answer: Answer<Value>): Value | undefined {
  return 'value' in answer ? answer.value : undefined;
}

/** Returns the value, also after a failed request. */
export function dataOf<Value>(answer: Answer<Value>): Value | undefined {
  return answer.status === 'failed' ? answer.data : valueOf(answer);
}

/** Returns the answer for a value from the store. */
export function answerOf<Value>(value: unknown): Answer<Value> {
  // The type of the value follows from the types of the schema.
  return value === undefined || value === INVALID ? MISSING : { status: 'fresh', value: value as Value };
}
