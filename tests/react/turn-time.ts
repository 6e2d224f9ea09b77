import { type Appointment, Clock } from '../reliability/network/clock.ts';

/** The time at the beginning, in milliseconds. */
const BEGINNING = 1_000_000_000_000;

/** A time in which each turn of the event loop lasts a millisecond. So timers run in the same order on every machine. */
export class TurnTime {
  readonly #clock = new Clock();
  #isArmed = false;

  /** Replaces the clock and the timers of this process. */
  install(): void {
    const replaced = {
      setTimeout: (run: (...given: unknown[]) => void, delay = 0, ...given: unknown[]): Appointment => {
        this.#arm();
        return this.#clock.in(Math.max(1, delay), 'timer', () => run(...given));
      },
      clearTimeout: (timer: Appointment | undefined): void => {
        if (timer !== undefined) timer.run = undefined;
      },
    };
    Object.assign(globalThis, replaced);
    Date.now = () => BEGINNING + this.#clock.now;
    // A component of the histories renders slowly: it reads the clock until some milliseconds have passed.
    performance.now = () => (this.#clock.now += 0.1);
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isArmed = false;
    const clock = this.#clock;
    const now = clock.now + 1;
    for (let at = clock.peek(); at !== undefined && at <= now; at = clock.peek()) clock.next()?.run?.();
    clock.now = now;
    if (clock.peek() !== undefined) this.#arm();
  }
}
