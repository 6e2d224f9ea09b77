/** Returns how many milliseconds ago a time was. `undefined` if it is in the future, which means that the clock was set back since. */
export function elapsed(since: number, now: number): number | undefined {
  return since > now ? undefined : now - since;
}
