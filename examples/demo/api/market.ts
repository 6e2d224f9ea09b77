import type { Clock } from './clock.ts';
import { scramble } from './random.ts';
import { CURRENCIES } from './database/words.ts';

const STEP_MS = 1_000;
const SCALE = 10n ** 18n;
const OCTAVES = [1, 4, 16, 64, 256];
const LEVELS = 10;

/** A level of the order book: price and size, decimals in strings. */
export type Level = readonly [price: string, size: string];

/**
 * Prices that change once a second, in the same way after every start. A price is computed from the step, not from the previous price:
 * so any step can be computed at any time, and two servers agree.
 */
export class Market {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #bases: ReadonlyMap<string, bigint> = new Map(
    CURRENCIES.map(([id, , price]) => [`${id}-USD`, decimal(price)]),
  );

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Seconds since the start. */
  get step(): number {
    return Math.max(0, Math.floor((this.#clock.now() - this.#startedAt) / STEP_MS));
  }

  has(product: string): boolean {
    return this.#bases.has(product);
  }

  timeOf(step: number): string {
    return new Date(this.#startedAt + step * STEP_MS).toISOString();
  }

  /** The price with all eighteen digits. */
  price(product: string, step: number = this.step): string {
    // Nine digits from the noise and nine by scrambling: more than a JavaScript number can tell apart.
    const coarse = BigInt(Math.round(smoothNoise(seedOf(product), step) * 1e9)) * 1_000_000_000n;
    const fine = BigInt(scramble(seedOf(product), step) % 1_000_000_000);
    return text(((this.#bases.get(product) ?? 0n) * (SCALE + coarse + fine)) / SCALE, 18);
  }

  ticker(product: string): object {
    const { step } = this;
    const price = decimal(this.price(product, step));
    const spread = price / 10_000n;
    return {
      trade_id: 1_000_000 + step,
      price: text(price, 6),
      size: sizeAt(product, 99, step),
      time: this.timeOf(step),
      bid: text(price - spread, 6),
      ask: text(price + spread, 6),
      volume: text(BigInt(step + 1) * SCALE * 3n, 2),
    };
  }

  book(product: string, step: number = this.step): object {
    const side = (from: number): Level[] =>
      Array.from({ length: LEVELS }, (_, at) => this.#level(product, from + at, step));
    return { sequence: step, bids: side(0), asks: side(LEVELS) };
  }

  /** The changes of the order book in this step. Applied in order to an earlier book, they result in the later one. */
  bookChanges(product: string, step: number): object {
    const changed = Array.from({ length: 2 * LEVELS }, (_, level) => level).filter((level) =>
      changes(product, level, step),
    );
    const side = (level: number): string => (level < LEVELS ? 'bids' : 'asks');
    return { sequence: step, changes: changed.map((level) => [side(level), ...this.#level(product, level, step)]) };
  }

  /** The number of viewers of a stream. It varies as prices do, around the usual number. */
  viewers(username: string, usual: number): number {
    return Math.max(0, Math.round(usual * (1 + 4 * smoothNoise(seedOf(username), this.step))));
  }

  #level(product: string, level: number, step: number): Level {
    const base = this.#bases.get(product) ?? 0n;
    const away = (base / 5_000n) * BigInt(level < LEVELS ? -1 - level : level - LEVELS + 1);
    let since = step;
    while (since > 0 && !changes(product, level, since)) since--;
    return [text(base + away, 6), sizeAt(product, level, since)];
  }
}

const changes = (product: string, level: number, step: number): boolean =>
  scramble(seedOf(product) + level, step) % 7 === 0;

const sizeAt = (product: string, level: number, step: number): string =>
  ((scramble(seedOf(product) + 31 * level, step) % 100_000) / 10_000).toFixed(4);

const seedOf = (name: string): number =>
  Array.from(name).reduce((seed, letter) => (seed * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7);

/** Noise of several wavelengths on top of each other: about -0.03 … 0.03, and never far from the step before. */
function smoothNoise(seed: number, step: number): number {
  let sum = 0;
  for (const [octave, length] of OCTAVES.entries()) {
    const from = Math.floor(step / length);
    const part = (step % length) / length;
    const noise = (at: number): number => scramble(seed + octave * 7919, at) / 2 ** 31 - 1;
    sum += (noise(from) * (1 - part) + noise(from + 1) * part) * Math.sqrt(length);
  }
  return (sum / OCTAVES.reduce((all, length) => all + Math.sqrt(length), 0)) * 0.03;
}

function decimal(value: string): bigint {
  const [whole = '0', fraction = ''] = value.split('.');
  return BigInt(whole) * SCALE + BigInt(fraction.padEnd(18, '0').slice(0, 18));
}

function text(value: bigint, digits: number): string {
  const fraction = String(value % SCALE)
    .padStart(18, '0')
    .slice(0, digits);
  return `${value / SCALE}.${fraction}`;
}
