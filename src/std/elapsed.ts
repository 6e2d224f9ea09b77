/** How many milliseconds ago a time was; `undefined` where it is still to come: the clock has been set back since. */
export function elapsed(since: number, now: number): number | undefined {
  return since > now ? undefined : now - since;
}
