import { platform as realPlatform, type Platform } from 'rejoin';
import { type Appointment, Clock } from '../reliability/network/clock.ts';
import { FocusedPage } from './deal-model.ts';

/** The time of a random history, which passes only when a step says so, and the focus of its page. */
export class ManualTime {
  readonly page: FocusedPage = new FocusedPage();
  readonly #clock = new Clock();

  platform(fetch: Platform['fetch']): Platform {
    return {
      ...realPlatform,
      fetch,
      now: () => 1_000_000 + this.#clock.now,
      random: () => 0.5,
      setTimeout: (run, delay) => this.#clock.in(delay, 'timer', run),
      clearTimeout: (timer) => {
        if (timer !== undefined) (timer as Appointment).run = undefined;
      },
    };
  }

  /** Lets time pass, but no more than `longest`. Timers that are due run at the end, as after a computer has slept. */
  pass(milliseconds: number, longest = Infinity): void {
    const end = (this.#clock.now += Math.min(milliseconds, longest));
    for (let at = this.#clock.peek(); at !== undefined && at <= end; at = this.#clock.peek()) {
      const next = this.#clock.next();
      this.#clock.now = end;
      next?.run?.();
    }
  }

  /** The user comes back to the page after some time. */
  focus(after: number, longest?: number): void {
    this.pass(after, longest);
    this.page.focus();
    this.pass(6000, longest);
  }
}
