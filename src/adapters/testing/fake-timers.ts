/** Lets time go on, for as many milliseconds. */
type Advance = (milliseconds: number) => void;

interface Fake {
  readonly clock?: { tick(milliseconds: number): void };
  readonly _isMockFunction?: boolean;
}

declare const jest: { advanceTimersByTime(milliseconds: number): void } | undefined;

/** How time goes on where a timer is a fake one: that of Jest, Vitest or sinon. */
export function advanceOf(timer: typeof globalThis.setTimeout): Advance | undefined {
  const { clock, _isMockFunction: isMocked = false } = timer as Fake;
  if (clock !== undefined) return (milliseconds) => clock.tick(milliseconds);
  // The legacy ones of Jest. It gives `jest` to every module that it transforms, and not to the global object.
  return isMocked && typeof jest === 'object' ? (milliseconds) => jest?.advanceTimersByTime(milliseconds) : undefined;
}
