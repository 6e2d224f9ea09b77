import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { type Platform, platform } from '../../std/platform.ts';
import type { Store } from '../../state/store/store.ts';
import { type Deferred, deferred } from '../../std/deferred.ts';
import { DataError } from '../../std/data-error.ts';
import { type Answer, MISSING } from './answer.ts';
import { answerOfReading, type EndpointView, type ViewingController } from './endpoint-view.ts';
import { ExpiryStatus } from './expiry-status.ts';
import type { RequestReading, Responses } from './responses.ts';

/** What asking takes of a controller. */
export interface RequestingController extends ViewingController {
  readonly mutations: { readonly isAny: boolean; settled(): Promise<void> };
  readonly store: Pick<Store, 'result' | 'touch'>;
  readonly responses: Pick<Responses, 'storing'>;
  now(): number;
  request(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown>;
}

/** A request, and the view of its answer. */
export interface Wanted {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly view: EndpointView;
  /** Whether there has been something to show. What was deleted since is known to be gone. */
  readonly wasThere: boolean;
}

/** A request that readers wait for, and for a while after it was answered, what they are to make of the answer. */
interface Demand {
  readonly askedAt: number;
  /** Kept when there may be something to show: with the answer, or because something else was stored meanwhile. */
  there: Deferred;
  /** Lets go of what it waits for. Until then, that is not collected. */
  readonly unpin: () => void;
  isSettled: boolean;
  /** Why there is nothing to show although it has been answered; until there is something. */
  failed?: Answer | undefined;
  /** Readers that suspend until it is answered, and are shown then. Empty from then on: a later reader has not waited. */
  readonly waiting: Set<Wanted>;
}

/** How many milliseconds an answer is kept for readers that waited for it and have not been shown yet. */
const GRACE = 1000;

/**
 * Sees to it that one cause leads to one request, however often something is rendered, thrown away and rendered again.
 * An answer that is no sooner there than stale, or that cannot be shown, is an answer: it is not asked for again.
 */
export class Demands {
  readonly #controller: RequestingController;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
  readonly #demands = new Map<string, Demand>();
  /** Errors, by the attempt that they ended. Those of earlier attempts keep no request from being sent again. */
  readonly #attempts = new WeakMap<object, number>();
  #attempt = 0;
  #pending = 0;
  #timer: unknown;
  /** Deletions that may be guesses of mutations that are pending. */
  readonly #deletions = new Map<string, Promise<void>>();

  constructor(controller: RequestingController, clock: Pick<Platform, 'setTimeout' | 'clearTimeout'> = platform) {
    this.#controller = controller;
    this.#platform = clock;
  }

  /** What there is to show, given what is known of the request. `shown` is what is shown until now, if anything is. */
  answer(wanted: Wanted, reading: RequestReading, shown?: Answer): Answer {
    const demand = this.#demands.get(wanted.key);
    const { isSettled = false, failed } = demand ?? {};
    const isKept = shown !== undefined || isSettled;
    const now = this.#controller.now();
    const answer = answerOfReading(reading, now, isKept);
    if (answer.status === 'missing') {
      if (this.#isGone(wanted, answer)) throw recordDeleted(wanted.key);
      return failed ?? (demand === undefined && shown?.status === 'failed' ? shown : answer);
    }
    if (answer.status !== 'failed' || isKept) return answer;
    // An error counts for a time only, for readers that come after it.
    return this.#isOver(answer.error) || reading.expiresAt < now ? MISSING : answer;
  }

  #isGone(wanted: Wanted, base: Answer): boolean {
    return wanted.wasThere && isDeleted(base) && !this.#controller.mutations.isAny;
  }

  /**
   * Waits for a request, which is sent unless it is under way. Resolves when there is something to show; never rejects.
   * A deleted record is not asked for; as long as a mutation is pending, the deletion may be its guess.
   */
  ask(wanted: Wanted): Promise<void> {
    if (this.#wasDeleted(wanted)) return this.#settling(wanted.key);
    const { there, waiting } = this.#send(wanted);
    waiting.add(wanted);
    return there.promise;
  }

  /** Sends a request, unless it is under way, for a reader that is on the screen. */
  refresh(wanted: Wanted): void {
    if (this.#wasDeleted(wanted)) void this.#settling(wanted.key);
    else this.#send(wanted);
  }

  #wasDeleted({ key, view, wasThere }: Wanted): boolean {
    return wasThere && this.#demands.get(key)?.isSettled !== false && isDeleted(view.current());
  }

  #send(wanted: Wanted): Demand {
    const { endpoint, args, key, view } = wanted;
    const known = this.#demands.get(key);
    if (known?.isSettled === false) return known;
    known?.unpin();
    this.#pending++;
    this.#platform.clearTimeout(this.#timer);
    const demand: Demand = {
      askedAt: this.#controller.now(),
      there: deferred(),
      unpin: view.subscribe(() => this.#changed(wanted, demand)),
      isSettled: false,
      waiting: new Set(),
    };
    this.#demands.set(key, demand);
    const end = (error?: unknown): void => this.#end(wanted, demand, error);
    void this.#controller.request(endpoint, ...args).then(
      () => end(),
      (error: unknown) => end(error ?? new Error(String(error))),
    );
    return demand;
  }

  /** What waits for an answer stops waiting when there is something to show without it. */
  #changed({ key, view }: Wanted, demand: Demand): void {
    const { failed, isSettled, there, waiting } = demand;
    // The value of an answer that is being stored is not built here: that of a large one takes a while.
    const isAwaited = !isSettled && waiting.size > 0 && !this.#controller.responses.storing.has(key);
    if (!isAwaited && failed === undefined) return;
    const { status } = view.current();
    if (status === 'missing') return;
    demand.failed = undefined;
    if (!isAwaited || status === 'failed') return;
    demand.there = deferred();
    there.resolve();
  }

  /** Resolves when it is known whether a deletion is more than a guess. */
  #settling(key: string): Promise<void> {
    const known = this.#deletions.get(key);
    if (known !== undefined) return known;
    const promise = this.#settled(key);
    this.#deletions.set(key, promise);
    return promise;
  }

  async #settled(key: string): Promise<void> {
    await this.#controller.mutations.settled();
    this.#deletions.delete(key);
    this.#controller.store.touch(key);
  }

  #end(wanted: Wanted, demand: Demand, error: unknown): void {
    const { key, view } = wanted;
    if (--this.#pending === 0) this.#timer = this.#platform.setTimeout(() => this.#dropSettled(), GRACE);
    (Object(this.#timer) as { unref?(): void }).unref?.();
    demand.isSettled = true;
    if (view.current().status === 'missing') {
      // What was thrown away, by a reset or since it came, is asked for anew.
      const isGone = error === undefined && this.#controller.store.result(key) === undefined;
      if (isGone || (error as { code?: unknown } | undefined)?.code === 'request-reset') this.#drop(key, demand);
      else demand.failed = { status: 'failed', error: error ?? answerMissing(key) };
    }
    this.#attempts.set(Object(error) as object, this.#attempt);
    this.#controller.store.touch(key);
    demand.there.resolve();
  }

  /** A reader begins to show it: stale data is fetched again, unless the reader has just waited for it. */
  shown(wanted: Wanted): void {
    const { key, view } = wanted;
    if (this.#isGone(wanted, view.current())) return;
    const demand = this.#demands.get(key);
    // What is on the screen already is not shown once more when the answer comes.
    if (demand?.isSettled === false) demand.waiting.delete(wanted);
    if (this.#isWanting(wanted, demand)) this.refresh(wanted);
    // Others that are shown in the same turn have waited for it as well.
    if (demand?.isSettled === true) void Promise.resolve().then(() => demand.waiting.clear());
  }

  #isWanting(wanted: Wanted, demand: Demand | undefined): boolean {
    const reading = readOrNothing(wanted.view);
    if (reading === undefined) return false;
    const { status } = this.answer(wanted, reading);
    if (status !== 'stale') return status === 'missing';
    // What was stale before it was asked for, is so still because the request failed.
    const isOutdated = reading.expiryStatus === ExpiryStatus.Valid && reading.expiresAt < (demand?.askedAt ?? 0);
    return isOutdated || demand === undefined || demand.waiting.size === 0;
  }

  /** An error was seen and is to be tried again: so is everything that has failed until now. */
  retry(): void {
    this.#attempt++;
    this.#dropSettled();
  }

  #isOver(error: unknown): boolean {
    const key = Object(error) as object;
    const attempt = this.#attempts.get(key) ?? this.#attempt;
    this.#attempts.set(key, attempt);
    return attempt < this.#attempt;
  }

  #dropSettled(): void {
    for (const [key, demand] of this.#demands) if (demand.isSettled) this.#drop(key, demand);
  }

  #drop(key: string, demand: Demand): void {
    demand.unpin();
    if (this.#demands.get(key) === demand) this.#demands.delete(key);
  }
}

const requests = new WeakMap<RequestingController, Demands>();

/** What has been asked for through a controller. It outlives what was rendered in vain. */
export function requestsOf(controller: RequestingController): Demands {
  const known = requests.get(controller) ?? new Demands(controller);
  requests.set(controller, known);
  return known;
}

/** What is known of a request; nothing where its value cannot be made, which no request would change. */
function readOrNothing(view: EndpointView): RequestReading | undefined {
  try {
    return view.read();
  } catch {
    return undefined;
  }
}

/** Whether a record was deleted, if only by a guess. */
function isDeleted(base: Answer): boolean {
  return base.status === 'missing' && base.isDeleted === true;
}

function recordDeleted(key: string): DataError {
  const error = new DataError(
    'record-deleted',
    `The record of ${key} was deleted while it was shown. Fetch it if it may be there again.`,
  );
  return Object.assign(error, { status: 404 });
}

function answerMissing(key: string): DataError {
  return new DataError(
    'answer-missing',
    `${key} was answered, and there is nothing to show: the record, or one that it requires, is missing or deleted. ` +
      'Make the field optional, or have the server send it.',
  );
}
