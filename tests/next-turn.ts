/** An object that a WeakRef has returned stays in memory until the turn ends, and with it the whole store. Wait for this after each history. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
