import type { Platform } from '../../std/platform.ts';

export interface SliceOptions {
  readonly platform: Pick<Platform, 'setTimeout' | 'now'>;
  /** Whether the result of the work is still needed. */
  isWanted(): boolean;
  /** Whether the page may be closed at any moment. Then work is not cut into slices. Default: never. */
  isUrgent?: () => boolean;
}

/** The approximate duration of a slice of work, in milliseconds: too short for users to notice, and much longer than a yield takes. */
const SLICE = 10;

function isHidden(): boolean {
  return (
    (globalThis as { readonly document?: { readonly visibilityState?: string } }).document?.visibilityState === 'hidden'
  );
}

/** Returns a function to call after each step of work. After a slice of time, it returns a promise that resolves when the page has done other work. */
export function timeSlices(
  platform: SliceOptions['platform'],
  isUrgent: SliceOptions['isUrgent'] = () => false,
): () => Promise<void> | undefined {
  const endNow = (): number => platform.now() + SLICE;
  let end = endNow();
  return () => {
    // Browsers run the timers of a hidden page once in a second, or less often.
    if (platform.now() < end || isUrgent() || isHidden()) return undefined;
    return new Promise((resolve) => {
      platform.setTimeout(() => {
        end = endNow();
        resolve();
      }, 0);
    });
  };
}

/** Runs the steps of work, and lets the page do other work after each slice of time. Returns `undefined` if the work is not wanted any more. */
export async function runInSlices<Value>(
  step: () => IteratorResult<undefined, Value>,
  { isUrgent, isWanted, platform }: SliceOptions,
): Promise<Value | undefined> {
  const slice = timeSlices(platform, isUrgent);
  while (isWanted()) {
    const { done, value } = step();
    if (done === true) return value;
    const pause = slice();
    // oxlint-disable-next-line no-await-in-loop -- one slice after another
    if (pause) await pause;
  }
  return undefined;
}
