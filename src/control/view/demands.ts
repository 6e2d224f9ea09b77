import { elapsed } from '../../std/elapsed.ts';
import { memo, memoOn } from '../../std/memo.ts';
import { signalOf } from '../../std/cancelling.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { allowExit, type Platform, platform } from '../../std/platform.ts';
import type { Failure } from '../../state/store/request-state.ts';
import type { Store } from '../../state/store/store.ts';
import { type Deferred, deferred } from '../../std/deferred.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { thrown } from '../../std/thrown.ts';
import { type Answer, MISSING, type ViewingController } from './answer.ts';
import { answerOfReading, type EndpointView } from './endpoint-view.ts';
import { ExpiryStatus } from './expiry-status.ts';
import type { RequestReading, Responses } from './responses.ts';

/** The part of a controller that is used to fetch. */
export interface RequestingController extends ViewingController {
  readonly mutations: { readonly isAny: boolean; settled(): Promise<void> };
  readonly store: Pick<Store, 'request' | 'result' | 'touch'>;
  readonly responses: Pick<Responses, 'storing'>;
  now(): number;
  request(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown>;
}

/** A request, and the view of its answer. */
export interface DemandedRequest {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly view: EndpointView;
  /** Whether there has been a value to show. If its record is deleted later, it is not fetched again. */
  readonly hadValue: boolean;
}

/** A request that readers wait for. It is kept for a while after the answer, for readers that have not shown it yet. */
interface Demand {
  readonly endpoint: EndpointInterface;
  readonly askedAt: number;
  /** Resolves when there may be a value to show: with the answer, or because another write has stored a value. */
  resolution: Deferred;
  /** Releases the awaited data. Until then it counts as shown, so it is not collected as garbage, and fetched again after mutations. */
  unpin: (() => void) | undefined;
  isSettled: boolean;
  settledAt: number;
  /** The attempt in which it was settled. */
  attempt: number;
  /** Why there is no value although the request was answered. Removed when there is a value. */
  failed?: Answer | undefined;
  /** Readers that suspend until the answer. Emptied once they show it, because later readers have not waited for it. */
  readonly waiting: Set<DemandedRequest>;
}

/**
 * How often the user has tried again after an error. One number for all controllers of a page: the boundary that shows the error may be
 * outside of the provider, or of the fixtures, of the component that asked.
 */
let attempt = 0;
/** The attempt in which each failure was stored. Failures of earlier attempts do not prevent another request. */
const attempts = new WeakMap<Failure, number>();

/** Lets every failed request be sent again. Call it when the user tries again after an error. */
export function retryFailed(): void {
  attempt++;
}

/** How many milliseconds a demand is kept after the answer, for readers that waited and have not been shown yet. */
const KEPT_AFTER_ANSWER = 1000;

/**
 * Sends one request for one cause, such as a first render or an expiry, however often React renders, discards a render, and renders again.
 * An answer that is stale at once, or that cannot be shown, is still an answer: the request is not sent again.
 */
export class Demands {
  readonly #controller: RequestingController;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
  readonly #demands = new Map<string, Demand>();
  #pending = 0;
  #timer: unknown;
  /** By request key: promises that resolve when it is known whether a deletion was only a guess of a pending mutation. */
  readonly #deletions = new Map<string, Promise<void>>();
  /** The requests that were answered, although nothing was stored of the answer, and that are sent again. */
  readonly #unstored = new Set<string>();

  /**
   * A promise that readers await in addition to their answers: it resolves when their page is mounted. Without it, React would render the
   * page from the beginning whenever an answer arrives, with a new controller, which would send every request again.
   */
  pageMounted: Promise<void> | undefined;

  constructor(controller: RequestingController, timers: Pick<Platform, 'setTimeout' | 'clearTimeout'> = platform) {
    this.#controller = controller;
    this.#platform = timers;
  }

  /** Returns the answer to show for the known state of a request. `shown` is the answer on the screen until now. */
  answer(request: DemandedRequest, reading: RequestReading, shown?: Answer): Answer {
    const demand = this.#find(request.key);
    const isCancelled = demand?.isSettled === true && wasCancelled(demand, request);
    const { isSettled = false, settledAt = 0, failed } = demand ?? {};
    const isKept = isSettled || shown !== undefined;
    const now = this.#controller.now();
    const answer = answerOfReading(reading, now, isKept);
    if (answer.status === 'missing') {
      if (this.#isGone(request, reading)) throw recordDeleted(request.key);
      if (isCancelled) return MISSING;
      return failed ?? (demand === undefined && shown?.status === 'failed' ? shown : answer);
    }
    if (answer.status === 'failed' && isCancelled && answer.data === undefined) return MISSING;
    if (answer.status !== 'failed') return answer;
    // Called also for a reader that keeps the error: it notes in which attempt the error was shown.
    const isOver = isBeforeRetry(reading.failure) || reading.expiresAt < now;
    // Later readers get the error only until it expires. They may find the demand still there, because others are in flight.
    const hasWaited = isSettled && (elapsed(settledAt, now) ?? 0) <= KEPT_AFTER_ANSWER;
    const isLater = shown === undefined && !hasWaited;
    return isOver && isLater ? MISSING : answer;
  }

  /** Returns the demand of a request key; `undefined` if the user has tried again since it was settled. */
  #find(key: string): Demand | undefined {
    const demand = this.#demands.get(key);
    return demand?.isSettled === true && demand.attempt < attempt ? undefined : demand;
  }

  /** Returns whether the record was deleted while it was shown. */
  #isGone({ hadValue }: DemandedRequest, reading: RequestReading): boolean {
    return hadValue && reading.isDeleted && reading.failure === undefined && !this.#controller.mutations.isAny;
  }

  /**
   * Waits for a request, and sends it unless it is in flight. Resolves when there is an answer to show; never rejects.
   * A deleted record is not fetched. While mutations are pending, the deletion may be a guess, so it waits for them.
   */
  fetch(request: DemandedRequest): Promise<void> {
    if (this.#wasDeleted(request)) return this.#untilMutationsEnd(request.key);
    const { resolution, waiting } = this.#send(request);
    waiting.add(request);
    return resolution.promise;
  }

  /** Sends a request for a reader on the screen, unless it is in flight. */
  refresh(request: DemandedRequest): void {
    if (this.#wasDeleted(request)) void this.#untilMutationsEnd(request.key);
    else this.#send(request);
  }

  #wasDeleted({ key, view, hadValue }: DemandedRequest): boolean {
    return hadValue && this.#demands.get(key)?.isSettled !== false && isDeleted(view.current());
  }

  #send(request: DemandedRequest): Demand {
    const { endpoint, args, key, view } = request;
    const known = this.#demands.get(key);
    if (known?.isSettled === false) return known;
    release(known);
    this.#pending++;
    this.#platform.clearTimeout(this.#timer);
    const demand: Demand = {
      endpoint,
      askedAt: this.#controller.now(),
      resolution: deferred(),
      unpin: view.subscribe(() => this.#noteChange(request, demand)),
      isSettled: false,
      settledAt: 0,
      attempt,
      waiting: new Set(),
    };
    this.#demands.set(key, demand);
    const end = async (error?: unknown): Promise<void> => {
      if (this.pageMounted) await this.pageMounted;
      this.#end(request, demand, error);
    };
    void this.#controller.request(endpoint, ...args).then(
      async () => end(),
      async (error: unknown) => end(error ?? new Error(String(error))),
    );
    return demand;
  }

  /** Called when the stored data changes: if there is a value to show before the answer, readers stop waiting. */
  #noteChange({ key, view }: DemandedRequest, demand: Demand): void {
    const { failed, isSettled, resolution, waiting } = demand;
    // While an answer is being stored, its value is not built here, because building a large one takes long.
    const isAwaited = !isSettled && waiting.size > 0 && !this.#controller.responses.storing.has(key);
    if (!isAwaited && failed === undefined) return;
    const { status } = view.current();
    if (status === 'missing') return;
    demand.failed = undefined;
    if (!isAwaited || status === 'failed') return;
    demand.resolution = deferred();
    resolution.resolve();
  }

  /** Resolves when no mutation is pending, so that it is known whether a deletion was only a guess. */
  #untilMutationsEnd(key: string): Promise<void> {
    return memo(this.#deletions, key, async () => this.#touchWhenSettled(key));
  }

  async #touchWhenSettled(key: string): Promise<void> {
    await this.#controller.mutations.settled();
    this.#deletions.delete(key);
    this.#controller.store.touch(key);
  }

  #end(request: DemandedRequest, demand: Demand, error: unknown): void {
    const { key, view } = request;
    if (--this.#pending === 0) this.#timer = this.#platform.setTimeout(() => this.#dropSettled(), KEPT_AFTER_ANSWER);
    allowExit(this.#timer);
    demand.isSettled = true;
    demand.settledAt = this.#controller.now();
    demand.attempt = attempt;
    if (view.current().status === 'missing') {
      // Data that was removed, by a reset or after it was stored, is fetched again. Not twice in a row: a manager may store nothing.
      const isUnstored = error === undefined && this.#controller.store.result(key) === undefined;
      const isGone = isUnstored && !this.#unstored.delete(key);
      if (isGone) this.#unstored.add(key);
      if (isGone || thrown(error).code === 'request-reset') this.#drop(key, demand);
      else demand.failed = { status: 'failed', error: error ?? answerMissing(key), data: undefined };
    }
    const failure = this.#controller.store.request(key)?.note?.failure;
    if (failure !== undefined) attempts.set(failure, attempt);
    this.#controller.store.touch(key);
    releaseUnused(demand);
    demand.resolution.resolve();
  }

  /** Call it when a reader is on the screen. Fetches stale data, unless the reader has just waited for it. */
  shown(request: DemandedRequest): void {
    const reading = readOrNothing(request.view);
    if (reading !== undefined && this.#isGone(request, reading)) return;
    const demand = this.#find(request.key);
    // This reader shows data already, so it does not count as waiting for the answer.
    if (demand?.isSettled === false) demand.waiting.delete(request);
    if (reading !== undefined && this.#needsFetch(request, reading, demand)) this.refresh(request);
    // Other readers that are shown in the same turn have waited too, so the set is emptied after them.
    if (demand?.isSettled === true) void Promise.resolve().then(() => endWaiting(demand));
  }

  #needsFetch(request: DemandedRequest, reading: RequestReading, demand: Demand | undefined): boolean {
    const { status } = this.answer(request, reading);
    if (status !== 'stale') return status === 'missing';
    // The data was stale before the request was sent, and is still stale because the request failed.
    const isOutdated = reading.expiryStatus === ExpiryStatus.Valid && reading.expiresAt < (demand?.askedAt ?? 0);
    return isOutdated || demand === undefined || demand.waiting.size === 0;
  }

  #dropSettled(): void {
    this.#unstored.clear();
    for (const [key, demand] of this.#demands) if (demand.isSettled) this.#drop(key, demand);
  }

  #drop(key: string, demand: Demand): void {
    release(demand);
    if (this.#demands.get(key) === demand) this.#demands.delete(key);
  }
}

/** Returns whether a failure was stored before the user last tried again. */
function isBeforeRetry(failure: Failure | undefined): boolean {
  return failure !== undefined && memo(attempts, failure, () => attempt) < attempt;
}

/** Returns whether a signal has ended the request of a demand, and not that of this reader: its arguments have changed back, for example. */
function wasCancelled({ endpoint }: Demand, request: DemandedRequest): boolean {
  const signal = signalOf(endpoint);
  // A signal that is created in each render, and aborts because too much time has passed, has not been replaced on purpose.
  const isEnded = signal?.aborted === true && thrown(signal.reason).name !== 'TimeoutError';
  return isEnded && signalOf(request.endpoint)?.aborted !== true;
}

/** Releases the data of a demand that no reader waits for. An error is removed when there is a value, so its demand still needs the view. */
function releaseUnused(demand: Demand): void {
  if (demand.waiting.size === 0 && demand.failed === undefined) release(demand);
}

function endWaiting(demand: Demand): void {
  demand.waiting.clear();
  releaseUnused(demand);
}

function release(demand: Demand | undefined): void {
  demand?.unpin?.();
  if (demand !== undefined) demand.unpin = undefined;
}

const OF_CONTROLLER: unique symbol = Symbol('demands');

/** Returns the demands of a controller. They outlive discarded renders. */
export function demandsOf(controller: RequestingController): Demands {
  return memoOn(controller, OF_CONTROLLER, () => new Demands(controller));
}

/** Returns the known state of a request. `undefined` if its value cannot be built, which another request would not change. */
function readOrNothing(view: EndpointView): RequestReading | undefined {
  try {
    return view.read();
  } catch {
    return undefined;
  }
}

/** Returns whether the record was deleted, perhaps only by a guess. */
function isDeleted(answer: Answer): boolean {
  return answer.status === 'missing' && answer.isDeleted === true;
}

function recordDeleted(key: string): DataError {
  const error = new DataError('record-deleted', `The record of ${key} was deleted while it was shown.`, {
    cure: inDevelopment(() => 'Fetch it if it may exist again.'),
  });
  return Object.assign(error, { status: 404 });
}

function answerMissing(key: string): DataError {
  return new DataError(
    'answer-missing',
    `${key} was answered, but there is no value to show: the record, or one that it requires, is missing or deleted.`,
    { cure: inDevelopment(() => 'Make the field optional, or have the server send it.') },
  );
}
