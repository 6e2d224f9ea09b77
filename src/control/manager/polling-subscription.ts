import { LONGEST_TIMER, type Platform, platform } from '../../std/platform.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { DataError } from '../../std/data-error.ts';
import { warn } from '../../std/warn.ts';
import type { MiddlewareAPI } from '../controller/manager.ts';
import { type Presence, presenceOf } from './presence.ts';
import { elapsed } from '../../std/elapsed.ts';

/** What is kept up to date. */
export interface Subscribed {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
}

/** What keeps one request key up to date, for all its subscribers. */
export interface Subscription {
  add(frequency: number | undefined): void;
  /** Returns whether no subscriber is left. */
  remove(frequency: number | undefined): boolean;
  cleanup(): void;
}

export interface PollingOptions {
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'random'>;
  readonly presence?: Presence;
}

/** When the user or the network comes back, all polls are due at once. They are spread over so many milliseconds. */
const SPREAD = 1000;

/**
 * Asks again and again, as often as the most eager subscriber wants. The time runs from one answer, of this
 * poll or of another request for the same, to the next request, so polls never overlap. It stands while the page is hidden or offline.
 */
export class PollingSubscription implements Subscription {
  readonly #subscribed: Subscribed;
  readonly #controller: MiddlewareAPI;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'random'>;
  readonly #presence: Presence;
  readonly #counts = new Map<number, number>();
  /** The endpoint as polls of a frequency call it: deriving one takes longer than the rest of a poll. */
  readonly #polled = new Map<number, EndpointInterface>();
  #endPresence: (() => void) | undefined;
  #timer: unknown;
  /** When the latest poll ended, or the first subscription began. */
  #since: number;
  #isAsking = false;
  #wasAway = false;

  constructor(subscribed: Subscribed, controller: MiddlewareAPI, options: PollingOptions = {}) {
    this.#subscribed = subscribed;
    this.#controller = controller;
    this.#platform = options.platform ?? platform;
    this.#presence = options.presence ?? presenceOf(globalThis);
    this.#since = controller.now();
  }

  add(frequency: number | undefined): void {
    if (frequency === undefined) return unpolled(this.#subscribed);
    if (!(frequency > 0)) throw frequencyInvalid(this.#subscribed.key, frequency);
    if (this.#counts.size === 0) {
      this.#since = this.#answeredAt() ?? this.#controller.now();
      this.#endPresence = this.#presence.subscribe(() => this.#plan());
    }
    this.#counts.set(frequency, (this.#counts.get(frequency) ?? 0) + 1);
    this.#plan();
  }

  remove(frequency: number | undefined): boolean {
    if (frequency !== undefined) {
      const left = (this.#counts.get(frequency) ?? 1) - 1;
      if (left > 0) this.#counts.set(frequency, left);
      else this.#counts.delete(frequency);
    }
    if (this.#counts.size === 0) this.cleanup();
    else this.#plan();
    return this.#counts.size === 0;
  }

  cleanup(): void {
    this.#counts.clear();
    this.#platform.clearTimeout(this.#timer);
    this.#endPresence?.();
    this.#endPresence = undefined;
  }

  #plan(): void {
    this.#platform.clearTimeout(this.#timer);
    const frequency = Math.min(...this.#counts.keys());
    if (this.#isAsking || frequency === Number.POSITIVE_INFINITY) return;
    if (!this.#presence.isPresent()) {
      this.#wasAway = true;
      return;
    }
    const left = this.#left(frequency);
    const spread = this.#wasAway && left <= 0 ? this.#platform.random() * Math.min(SPREAD, frequency) : 0;
    this.#wasAway = false;
    this.#timer = this.#platform.setTimeout(
      () => {
        // Looks again: the time may be longer than a timer can wait, and another request may have brought an answer meanwhile.
        if (this.#left(frequency) > 0) this.#plan();
        else void this.#ask(frequency);
      },
      Math.min(Math.max(0, left) + spread, LONGEST_TIMER),
    );
  }

  /** How long to wait for the next poll. */
  #left(frequency: number): number {
    const now = this.#controller.now();
    this.#since = Math.max(this.#since, this.#answeredAt() ?? this.#since);
    const passed = elapsed(this.#since, now);
    // From a time that is still to come on, it runs anew.
    if (passed === undefined) this.#since = now;
    return frequency - (passed ?? 0);
  }

  #answeredAt(): number | undefined {
    const date = this.#controller.store.result(this.#subscribed.key)?.stamp.date;
    return date !== undefined && elapsed(date, this.#controller.now()) !== undefined ? date : undefined;
  }

  async #ask(frequency: number): Promise<void> {
    const { endpoint, args } = this.#subscribed;
    const asked = this.#polled.get(frequency) ?? polled(endpoint, frequency);
    this.#polled.set(frequency, asked);
    this.#isAsking = true;
    try {
      await this.#controller.request(asked, ...args);
    } catch {
      // Readers learn of it by the stored error; the next poll may do better.
    } finally {
      this.#isAsking = false;
      this.#since = this.#controller.now();
      if (this.#counts.size > 0) this.#plan();
    }
  }
}

/** The answer of a poll is stale before the next poll, so that a component which mounts in between fetches. An error hides no data. */
function polled(endpoint: EndpointInterface, frequency: number): EndpointInterface {
  const { extend } = endpoint as { readonly extend?: (options: object) => EndpointInterface };
  if (extend === undefined) return endpoint;
  return Reflect.apply(extend, endpoint, [
    { dataExpiryLength: frequency / 2, errorExpiryLength: frequency / 10, errorPolicy: () => 'soft' as const },
  ]);
}

function frequencyInvalid(key: string, frequency: number): DataError {
  return new DataError(
    'poll-frequency-invalid',
    `The pollFrequency of ${key} is ${frequency}. Give a number of milliseconds above 0, or Infinity for no polls.`,
  );
}

function unpolled({ endpoint, key }: Subscribed): void {
  warn(
    endpoint,
    'poll-frequency-missing',
    () =>
      `${key} was subscribed to, and nothing keeps it up to date. Give its endpoint a pollFrequency in milliseconds, or a ` +
      'StreamManager that covers it.',
  );
}
