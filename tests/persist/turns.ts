/** A platform whose timers run after some turns of the event loop, in the order of their time: nothing waits for a clock. */
export const turns = {
  now: () => Date.now(),
  setTimeout: (run: () => void, milliseconds: number): { isOver: boolean } => {
    const timer = { isOver: false };
    let left = Math.min(2 + milliseconds / 100, 60);
    const turn = (): void => {
      if (timer.isOver) return;
      if (left-- > 0) setImmediate(turn);
      else run();
    };
    setImmediate(turn);
    return timer;
  },
  clearTimeout: (timer: unknown): void => {
    if (timer !== undefined) (timer as { isOver: boolean }).isOver = true;
  },
};
