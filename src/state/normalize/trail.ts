/** The path from the top of the input to the current value, for error messages. */
export class Trail {
  readonly #before: Trail | undefined;
  readonly #steps: (string | number)[] = [];

  constructor(before?: Trail) {
    this.#before = before;
  }

  push(step: string | number): void {
    this.#steps.push(step);
  }

  /** Replaces the last step. */
  replaceLast(step: string | number): void {
    this.#steps[this.#steps.length - 1] = step;
  }

  get last(): string | number | undefined {
    return this.#steps[this.#steps.length - 1];
  }

  pop(): void {
    this.#steps.pop();
  }

  /** Returns a copy of the path to continue later. */
  fork(): Trail {
    const kept = new Trail(this.#before);
    kept.#steps.push(...this.#steps);
    return new Trail(kept);
  }

  /** Returns the path as text: `[3].comments[0].commenter`. '' at the top. Only the end of a very long path. */
  toString(): string {
    const parts: string[] = [];
    for (let trail: Trail | undefined = this; trail !== undefined; trail = trail.#before) {
      if (parts.length === MAX_PARTS) return `…${parts.reverse().join('')}`;
      parts.push(trail.#steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join(''));
    }
    return parts.reverse().join('').replace(/^\./, '');
  }
}

const MAX_PARTS = 3;
