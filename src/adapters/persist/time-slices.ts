import type { Platform } from '../../std/platform.ts';

export interface SliceOptions {
  readonly platform: Pick<Platform, 'setTimeout' | 'now'>;
  /** Whether the result of the work is still needed. */
  isWanted(): boolean;
  /** Whether the page may be closed at any moment. Then work is not cut into slices. Default: never. */
  isUrgent?(): boolean;
}

/** The approximate duration of a slice of work, in milliseconds: too short for users to notice, and much longer than a yield takes. */
const SLICE = 10;

function isHidden(): boolean {
  return (
    (globalThis as { readonly document?: { readonly visibilityState?: string } }).document?.visibilityState === 'hidden'
  );
}

/** Runs the steps of work, and lets the page do other work after each slice of time. Returns `undefined` if the work is not wanted any more. */
export async function runInSlices<Value>(
  step: () => IteratorResult<undefined, Value>,
  { isUrgent = () => false, isWanted, platform }: SliceOptions,
): Promise<Value | undefined> {
  let end = platform.now() + SLICE;
  while (isWanted()) {
    const { done, value } = step();
    if (done === true) return value;
    // Browsers run the timers of a hidden page once in a second, or less often.
    if (platform.now() < end || isUrgent() || isHidden()) continue;
    // oxlint-disable-next-line no-await-in-loop -- one slice after another
    await new Promise<void>((resolve) => void platform.setTimeout(resolve, 0));
    end = platform.now() + SLICE;
  }
  return undefined;
}
