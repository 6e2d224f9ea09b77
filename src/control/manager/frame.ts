import { type Platform, platform } from '../../std/platform.ts';

/** Runs a function once, soon. Returns a function that cancels it. */
export type Schedule = (run: () => void) => () => void;

/** What a page has for this. */
export interface Frames {
  requestAnimationFrame?(run: () => void): number;
  cancelAnimationFrame?(frame: number): void;
}

/** About as long as a frame, where there are none. */
const FRAME = 16;
/** A hidden page has no frames. */
const LONGEST_FRAME = 1000;

/** Before the next frame is drawn, or, where none is, a little later. */
export function beforeFrame(
  page: Frames = globalThis,
  timers: Pick<Platform, 'setTimeout' | 'clearTimeout'> = platform,
): Schedule {
  return (run) => {
    const frame = page.requestAnimationFrame?.(() => {
      timers.clearTimeout(timer);
      run();
    });
    const timer = timers.setTimeout(
      () => {
        if (frame !== undefined) page.cancelAnimationFrame?.(frame);
        run();
      },
      frame === undefined ? FRAME : LONGEST_FRAME,
    );
    return () => {
      if (frame !== undefined) page.cancelAnimationFrame?.(frame);
      timers.clearTimeout(timer);
    };
  };
}
