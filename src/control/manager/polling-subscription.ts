import { MAX_TIMER_MS, type Platform, platform } from '../../std/platform.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { warn } from '../../std/warn.ts';
import type { MiddlewareAPI } from '../controller/manager.ts';
import { type Presence, presenceOf } from './presence.ts';
import { elapsed } from '../../std/elapsed.ts';

/** The request that is kept up to date. */
export interface Subscribed {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
}

/** Keeps one request key up to date for all its subscribers. */
export interface Subscription {
  /** Adds a subscriber, apart from the first. */
  add(frequency: number | undefined): void;
  /** Returns whether no subscriber is left. */
  remove(frequency: number | undefined): boolean;
  cleanup(): void;
}

/** The options of `PollingSubscription`, for tests. */
export interface PollingOptions {
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'random'>;
  readonly presence?: Presence;
}

/** When the user or the network comes back, all polls are due at once. They are spread over this many milliseconds. */
const SPREAD = 1000;

/**
 * Polls at the shortest interval of all its subscribers. The interval runs from one answer, of this
 * poll or of another request with the same key, to the next request, so polls never overlap. Polling pauses while the page is hidden or offline.
 */
export class PollingSubscription implements Subscription {
  readonly #subscribed: Subscribed;
  readonly #controller: MiddlewareAPI;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'random'>;
  readonly #presence: Presence;
  readonly #counts = new Map<number, number>();
  /** The derived endpoint of the last poll. It is kept because deriving it takes longer than the rest of a poll. */
  #polled: { readonly of: EndpointInterface; readonly frequency: number; readonly made: EndpointInterface } | undefined;
  #endPresence: (() => void) | undefined;
  #timer: unknown;
  /** When the latest poll ended, or the first subscription began. */
  #since: number;
  #isPolling = false;
  #wasAbsent = false;

  constructor(subscribed: Subscribed, controller: MiddlewareAPI, options: PollingOptions = {}) {
    this.#subscribed = subscribed;
    this.#controller = controller;
    this.#platform = options.platform ?? platform;
    this.#presence = options.presence ?? presenceOf(globalThis);
    this.#since = controller.now();
    this.add(subscribed.endpoint.pollFrequency);
  }

  add(frequency: number | undefined): void {
    if (frequency === undefined) return warnOfNoPolls(this.#subscribed);
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
    if (this.#isPolling || frequency === Number.POSITIVE_INFINITY) return;
    if (!this.#presence.isPresent()) {
      this.#wasAbsent = true;
      return;
    }
    const left = this.#left(frequency);
    const spread = this.#wasAbsent && left <= 0 ? this.#platform.random() * Math.min(SPREAD, frequency) : 0;
    this.#wasAbsent = false;
    this.#timer = this.#platform.setTimeout(
      () => {
        // Computes the wait again when the timer fires: it may exceed the longest timer, and another request may have been answered meanwhile.
        if (this.#left(frequency) > 0) this.#plan();
        else void this.#poll(frequency);
      },
      Math.min(Math.max(0, left) + spread, MAX_TIMER_MS),
    );
  }

  /** Returns the milliseconds until the next poll. */
  #left(frequency: number): number {
    const now = this.#controller.now();
    this.#since = Math.max(this.#since, this.#answeredAt() ?? this.#since);
    const passed = elapsed(this.#since, now);
    // The clock was set back, so the interval starts again now.
    if (passed === undefined) this.#since = now;
    return frequency - (passed ?? 0);
  }

  /** When the stored answer came: before all time if there is none, and `undefined` if that is in the future. */
  #answeredAt(): number | undefined {
    const date = this.#controller.store.result(this.#subscribed.key)?.stamp.date ?? -Infinity;
    return elapsed(date, this.#controller.now()) === undefined ? undefined : date;
  }

  async #poll(frequency: number): Promise<void> {
    this.#isPolling = true;
    try {
      await this.#controller.request(this.#endpointOfPoll(frequency), ...this.#subscribed.args);
    } catch {
      // The error is stored for readers. The next poll may succeed.
    } finally {
      this.#isPolling = false;
      this.#since = this.#controller.now();
      if (this.#counts.size > 0) this.#plan();
    }
  }

  #endpointOfPoll(frequency: number): EndpointInterface {
    const { endpoint, key } = this.#subscribed;
    // A component may have rendered with another endpoint since, for example with a new token.
    const shown = this.#controller.responses.shownAs(key)?.endpoint;
    const of = shown !== undefined && shown.schema === endpoint.schema ? shown : endpoint;
    const known = this.#polled;
    if (known?.of === of && known.frequency === frequency) return known.made;
    const made = pollingEndpoint(of, frequency);
    this.#polled = { of, frequency, made };
    return made;
  }
}

/** The answer of a poll becomes stale before the next poll, so that a component that mounts in between fetches. An error does not hide the data. */
function pollingEndpoint(endpoint: EndpointInterface, frequency: number): EndpointInterface {
  const { extend } = endpoint as { readonly extend?: (options: object) => EndpointInterface };
  if (extend === undefined) return endpoint;
  return Reflect.apply(extend, endpoint, [
    { dataExpiryLength: frequency / 2, errorExpiryLength: frequency / 10, errorPolicy: () => 'soft' as const },
  ]);
}

function frequencyInvalid(key: string, frequency: number): DataError {
  return new DataError('poll-frequency-invalid', `The pollFrequency of ${key} is ${frequency}.`, {
    cure: inDevelopment(() => 'Give a number of milliseconds above 0, or Infinity for no polls.'),
  });
}

function warnOfNoPolls({ endpoint, key }: Subscribed): void {
  warn(
    endpoint,
    'poll-frequency-missing',
    () =>
      `${key} was subscribed to, but nothing keeps it up to date. Give its endpoint a pollFrequency in milliseconds, or a ` +
      'StreamManager that covers it.',
  );
}
