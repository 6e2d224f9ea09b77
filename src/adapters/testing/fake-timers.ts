/** Advances the time by this many milliseconds. */
type Advance = (milliseconds: number) => void;

interface Fake {
  readonly clock?: { tick(milliseconds: number): void };
  readonly _isMockFunction?: boolean;
}

declare const jest: { advanceTimersByTime(milliseconds: number): void } | undefined;

/** Returns the function that advances fake timers of Jest, Vitest or sinon; `undefined` for real timers. */
export function advanceOf(timer: typeof globalThis.setTimeout): Advance | undefined {
  const { clock, _isMockFunction: isMocked = false } = timer as Fake;
  if (clock !== undefined) return (milliseconds) => clock.tick(milliseconds);
  // Legacy fake timers of Jest. `jest` is a variable of every transformed module, and no global.
  return isMocked && typeof jest === 'object' ? (milliseconds) => jest?.advanceTimersByTime(milliseconds) : undefined;
}
