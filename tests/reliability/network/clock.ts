/** A function that runs at a time, unless it is cancelled. */
export interface Appointment {
  readonly at: number;
  /** Of two functions for one time, the earlier one runs first. */
  readonly order: number;
  readonly what: string;
  run: (() => void) | undefined;
}

/** A simulated clock that advances from one function to the next, with a heap of functions. */
export class Clock {
  now = 0;
  #order = 0;
  readonly #heap: Appointment[] = [];

  in(delay: number, what: string, run: () => void): Appointment {
    const made = { at: this.now + Math.max(0, delay), order: ++this.#order, what, run };
    const heap = this.#heap;
    let place = heap.push(made) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!isBefore(made, heap[above] as Appointment)) break;
      heap[place] = heap[above] as Appointment;
      place = above;
    }
    heap[place] = made;
    return made;
  }

  /** The time of the next function. */
  peek(): number | undefined {
    while (this.#heap[0] !== undefined && this.#heap[0].run === undefined) this.#pop();
    return this.#heap[0]?.at;
  }

  /** Removes and returns the next function with its time. The caller runs it. */
  next(): Appointment | undefined {
    for (let first = this.#pop(); first !== undefined; first = this.#pop()) {
      if (first.run === undefined) continue;
      this.now = first.at;
      return first;
    }
    return undefined;
  }

  #pop(): Appointment | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Appointment, heap[below] as Appointment)) below++;
      if (!isBefore(heap[below] as Appointment, last)) break;
      heap[place] = heap[below] as Appointment;
      place = below;
    }
    heap[place] = last;
    return first;
  }
}

function isBefore(one: Appointment, other: Appointment): boolean {
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

/** Runs everything that is due without time passing: microtasks and immediates. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
