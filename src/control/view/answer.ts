/** What a view can say. The same object until the answer changes. */
export type Answer<Value = unknown> =
  | { readonly status: 'missing' }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'stale' | 'fresh'; readonly value: Value };

/** A live answer. */
export interface View<Value = unknown> {
  /** Time alone can turn `fresh` into `stale`; subscribers are not called for that. */
  readonly current: () => Answer<Value>;
  /** Calls `onChange` after `current` may have become another. Gives what ends it. */
  readonly subscribe: (onChange: () => void) => () => void;
}

export const MISSING: { readonly status: 'missing' } = Object.freeze({ status: 'missing' });

/** `next`, or the one before where both say the same. */
export function keptAnswer<Value>(before: Answer<Value>, next: Answer<Value>): Answer<Value> {
  if (before.status !== next.status) return next;
  if ('value' in before && 'value' in next) return Object.is(before.value, next.value) ? before : next;
  if ('error' in before && 'error' in next) return Object.is(before.error, next.error) ? before : next;
  return before;
}
