import { type Platform, platform } from '../../std/platform.ts';

/** Schedules one call of a function. Returns a function that cancels it. */
export type Schedule = (run: () => void) => () => void;

/** The functions of a page for animation frames. */
export interface Frames {
  requestAnimationFrame?(run: () => void): number;
  cancelAnimationFrame?(frame: number): void;
}

/** About the duration of a frame, for environments without frames. */
const FRAME_MS = 16;
/** The delay in a hidden page, which draws no frames. */
const HIDDEN_PAGE_MS = 1000;

/** Schedules a call before the next frame is drawn. Without frames, after a short delay. */
export function beforeFrame(
  page: Frames = globalThis,
  timers: Pick<Platform, 'setTimeout' | 'clearTimeout'> = platform,
): Schedule {
  return (run) => {
    const hasFrames = page.requestAnimationFrame !== undefined;
    const timer = timers.setTimeout(
      () => {
        if (frame !== undefined) page.cancelAnimationFrame?.(frame);
        run();
      },
      hasFrames ? HIDDEN_PAGE_MS : FRAME_MS,
    );
    // Last, because tests often replace it by a function that runs at once.
    const frame = page.requestAnimationFrame?.(() => {
      timers.clearTimeout(timer);
      run();
    });
    return () => {
      if (frame !== undefined) page.cancelAnimationFrame?.(frame);
      timers.clearTimeout(timer);
    };
  };
}
