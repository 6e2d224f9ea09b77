import type { Platform } from '../../src/index.ts';

/** Waits until all code that waits for promises has run. */
export async function rest(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- turn after turn is the point
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

/** A clock that advances only when the test calls `pass`. `random` returns `chance`. */
export class Clock implements Omit<Platform, 'fetch'> {
  time = 0;
  chance = 1;
  readonly timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  #last = 0;
  /** The time of timers, which passes independently of the clock that can be set. */
  #passed = 0;

  readonly now = (): number => this.time;

  readonly random = (): number => this.chance;

  readonly setTimeout = (run: () => void, milliseconds: number): number => {
    this.timers.set(++this.#last, { at: this.#passed + milliseconds, run });
    return this.#last;
  };

  readonly clearTimeout = (timer: unknown): void => void this.timers.delete(timer as number);

  async pass(milliseconds: number): Promise<void> {
    const end = this.#passed + milliseconds;
    for (let ran = 0; ; ran++) {
      if (ran > 20_000) throw new Error('A timer sets itself again and again, without time passing.');
      const due = [...this.timers].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at)[0];
      if (due === undefined) break;
      this.#moveTo(due[1].at);
      this.timers.delete(due[0]);
      due[1].run();
      // oxlint-disable-next-line no-await-in-loop -- what the timer set going has to come to rest
      await rest();
    }
    this.#moveTo(end);
  }

  #moveTo(passed: number): void {
    const by = Math.max(0, passed - this.#passed);
    this.#passed += by;
    this.time += by;
  }
}

/** The presence of a user or of a network. */
export class Switch {
  isOn = true;
  readonly listeners = new Set<() => void>();

  isPresent(): boolean {
    return this.isOn;
  }

  subscribe(onChange: () => void): () => void {
    this.listeners.add(onChange);
    return () => void this.listeners.delete(onChange);
  }

  turn(isOn: boolean): void {
    this.isOn = isOn;
    for (const listener of this.listeners) listener();
  }
}
