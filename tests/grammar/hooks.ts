/** The error that hooks of entity classes throw in the programs. */
export class HookError extends Error {
  /** Whether the next call with the same data may succeed. */
  readonly isByChance: boolean;

  constructor(hook: string, isByChance: boolean) {
    super(`${hook} failed${isByChance ? ' by chance' : ''}`);
    this.isByChance = isByChance;
  }
}

/** Decides which calls of hooks fail. The same seed and step give the same decisions. */
export class Hooks {
  readonly #seed: number;
  readonly #rate: number;
  #quiet = 0;
  step = 0;

  readonly #failsForData: boolean;

  constructor(seed: number, rate: number, failsForData = true) {
    this.#seed = seed;
    this.#rate = rate;
    this.#failsForData = failsForData;
  }

  /** Throws at random, and always for the text `bad`. */
  check(hook: string, text: unknown): void {
    if (text === 'bad' && this.#failsForData) throw new HookError(hook, false);
    if (this.#rate === 0 || this.#quiet > 0) return;
    let mixed = Math.imul(this.#seed ^ 0x9e3779b9, this.step + 0x85ebca6b);
    for (const letter of hook) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193);
    if ((mixed >>> 8) % 1000 < this.#rate * 1000) throw new HookError(hook, true);
  }

  /** Runs a function. Meanwhile no hook fails at random. */
  quiet<T>(run: () => T): T {
    this.#quiet++;
    try {
      return run();
    } finally {
      this.#quiet--;
    }
  }
}

/** Returns the error of a hook that caused an error, if one did. */
export function hookErrorOf(error: unknown): HookError | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth++)
    if (each instanceof HookError) return each;
  return undefined;
}
