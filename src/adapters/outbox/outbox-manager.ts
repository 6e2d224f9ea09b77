import { actionTypes, type Action, type FetchAction, type ResetAction } from '../../control/controller/action.ts';
import {
  type Dispatch,
  type Manager,
  type Middleware,
  type MiddlewareAPI,
  NO_CONTROLLER,
} from '../../control/controller/manager.ts';
import { lastingNameOf, listedNameOf, mutationsByName } from '../../control/controller/named-endpoints.ts';
import { usableTimeout } from '../../control/controller/assert-above-zero.ts';
import { presenceOf, watchStops } from '../../control/manager/presence.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { browserGlobals } from '../../std/browser.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { platform, type Platform } from '../../std/platform.ts';
import type { TextStorage } from '../../std/text-storage.ts';
import { thrown, throwLater } from '../../std/thrown.ts';
import { withTimeout } from '../../std/timeout.ts';
import { Disk } from '../persist/disk.ts';
import { copiedStorage } from '../persist/copied-storage.ts';
import { indexedDbStorage } from '../persist/indexed-db-storage.ts';
import { Marker } from '../persist/marker.ts';
import { OutboxSession } from './outbox-session.ts';
import { endpointUnknown } from './outbox-errors.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { OutboxEvent } from './outbox-event.ts';
import type { OutboxBrowser, OutboxPort } from './outbox-browser.ts';
import { TabClaims } from './tab-claims.ts';
import { OutboxJournal } from './outbox-journal.ts';

/** What a logout does with edits that were not sent: keep them for the next login of this user, or discard them. */
export type LogoutDecision = 'keep' | 'discard';

export interface OutboxOptions {
  /** The name of the application. Edits are stored under this name. */
  readonly name: string;
  /** A text that identifies the user. The edits of one user are never sent for another. */
  readonly user?: string;
  /** The resources and endpoints that may be sent after a restart. */
  readonly endpoints: readonly object[];
  /** Default: `copiedStorage(indexedDbStorage())`. */
  readonly storage?: TextStorage;
  /** Default: `'keep'`, and `'discard'` without a `user`. A function is asked in the tab of the logout, if there are edits. If it rejects, there is no logout. */
  readonly onLogout?: LogoutDecision | ((entries: readonly OutboxEntry[]) => LogoutDecision | Promise<LogoutDecision>);
  /** The longest time, in milliseconds, that the first screen waits for the storage. Default: 3,000. */
  readonly timeout?: number;
  readonly onEvent?: (event: OutboxEvent) => void;
  /** Default: the browser of this page, if it has Web Locks and `BroadcastChannel`. */
  readonly browser?: OutboxBrowser | undefined;
  readonly platform?: Partial<Platform>;
}

/**
 * Keeps mutations of endpoints with `offline` until the server has answered, also without a network and over a restart:
 * `<DataProvider managers={[new OutboxManager({ name: 'my-app', endpoints: [TodoResource] }), ...getDefaultManagers()]}>`.
 */
export class OutboxManager implements Manager {
  readonly #options: OutboxOptions;
  readonly #timeout: number;
  readonly #endpoints: ReadonlyMap<string, EndpointInterface>;
  readonly #platform: Platform;
  readonly #listeners = new Set<() => void>();
  #controller: MiddlewareAPI = NO_CONTROLLER;
  #next: Dispatch = async () => {};
  #outbox: OutboxSession | undefined;
  #journal: OutboxJournal | undefined;
  #claims: TabClaims | undefined;
  /** The answer of `onLogout` for the next reset. */
  #decision: LogoutDecision | undefined;
  /** Resolves when the parts of an earlier start are closed. */
  #closed: Promise<unknown> = Promise.resolve();
  #stopListening: () => void = () => {};

  constructor(options: OutboxOptions) {
    if (typeof options.name !== 'string' || options.name === '') throw nameMissing();
    if (options.onLogout === 'keep' && options.user === undefined) throw userMissing();
    this.#options = options;
    this.#timeout = usableTimeout('an OutboxManager', options.timeout ?? 3000);
    this.#endpoints = mutationsByName(options.endpoints, 'an OutboxManager');
    this.#platform = { ...platform, ...options.platform };
  }

  readonly middleware: Middleware = (controller) => {
    this.#controller = controller;
    return (next) => {
      this.#next = next;
      return (action) => this.#handle(action, next);
    };
  };

  #handle(action: Action, next: Dispatch): Promise<void> {
    switch (action.type) {
      case actionTypes.FETCH:
        return action.endpoint.sideEffect && action.endpoint.offline ? this.#add(action) : next(action);
      case actionTypes.OPTIMISTIC: {
        this.#outbox?.sender.guessing(action);
        const done = next(action);
        this.#outbox?.sender.guessed(action);
        return done;
      }
      case actionTypes.RESET:
        return this.#logout(action, next);
      default:
        return next(action);
    }
  }

  async #add(action: FetchAction): Promise<void> {
    const name = listedNameOf(action.endpoint, this.#endpoints);
    if (name === undefined) throw endpointUnknown(lastingNameOf(action.endpoint));
    const outbox = this.#outbox;
    if (outbox?.endedTabs.isRestored === false) await outbox.endedTabs.restored;
    // The user may have logged out meanwhile.
    if (outbox === undefined || outbox.isEnded) throw loggedOut(name);
    const answer = outbox.add(action, name);
    this.#controller.answer(action, answer);
    await answer;
  }

  init(): void {
    this.cleanup();
    this.#start(-Infinity);
    const presence = presenceOf(globalThis);
    const stops = [
      presence.subscribe(() => presence.isPresent() && this.#notePresence()),
      watchStops(globalThis, (isStopped) => this.#outbox?.setStopped(isStopped)),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
  }

  /** The page is shown again, or the network is back. Another tab may have ended meanwhile. */
  #notePresence(): void {
    this.#outbox?.retryNow();
    if (this.#claims?.isShared === true && this.ready === undefined) void this.#outbox?.endedTabs.takeOver();
  }

  /** `since`: the time of the last logout. */
  #start(since: number): void {
    const { browser = browserGlobals(), name: app, storage = copiedStorage(indexedDbStorage()), user } = this.#options;
    const name = user === undefined ? `${app} outbox` : `${app} outbox ${user}`;
    const onEvent = (event: OutboxEvent): void => this.#report(event);
    const onError = (error: unknown): void =>
      onEvent({ type: thrown(error).name === 'QuotaExceededError' ? 'full' : 'memory', error });
    const journal = new OutboxJournal(new Disk(storage, name, this.#platform), this.#platform, onError, since);
    const timeout = this.#timeout;
    const parts = { controller: this.#controller, next: this.#next, endpoints: this.#endpoints, timeout, onEvent };
    const marker = new Marker(name);
    const claims = new TabClaims(name, browser?.locks);
    const port = browser && portOf(browser, name);
    const outbox = new OutboxSession(
      { ...parts, journal, marker, claims, port, platform: this.#platform },
      this.#listeners,
    );
    this.#journal = journal;
    this.#claims = claims;
    this.#outbox = outbox;
    void this.#closed.then(() => outbox.start());
  }

  #report(event: OutboxEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch (error) {
      throwLater(error);
    }
  }

  /** Asks what to do with the edits. A logout in another tab is not asked about: that tab decides for the edits of all tabs. */
  beforeReset(): Promise<void> | undefined {
    const { onLogout } = this.#options;
    return typeof onLogout === 'function' && this.entries().length > 0 ? this.#decide(onLogout) : undefined;
  }

  async #decide(
    onLogout: (entries: readonly OutboxEntry[]) => LogoutDecision | Promise<LogoutDecision>,
  ): Promise<void> {
    const decision = await onLogout(this.entries());
    if (decision === 'keep' && this.#options.user === undefined) throw userMissing();
    this.#decision = decision;
  }

  async #logout(action: ResetAction, next: Dispatch): Promise<void> {
    const { onLogout, user } = this.#options;
    const given = typeof onLogout === 'string' ? onLogout : this.#decision;
    const decision = given ?? (user === undefined ? 'discard' : 'keep');
    this.#decision = undefined;
    this.#outbox?.end();
    const isReset = next(action);
    const isCleared = this.#clearOrKeep(decision, action.isElsewhere);
    if (user === undefined && this.#outbox !== undefined) {
      this.#closed = isCleared;
      // If the edits of the former user cannot be deleted, they are not sent for the next user.
      this.#start(this.#controller.now());
    }
    await isCleared;
    await isReset;
  }

  /** Resolves when nothing but what is kept for the next login is in the storage. */
  async #clearOrKeep(decision: LogoutDecision, isElsewhere = false): Promise<void> {
    const claims = this.#claims;
    try {
      await (decision === 'discard' ? this.#outbox?.clear(isElsewhere) : this.#inTime(this.#journal?.flush()));
    } catch (error) {
      this.#report({ type: 'uncleared', error });
    }
    await claims?.end();
  }

  /** Resolves when work has ended, or takes longer than the page waits for the storage. */
  #inTime(work: Promise<unknown> = Promise.resolve()): Promise<unknown> {
    return withTimeout(work, this.#timeout, () => undefined, this.#platform);
  }

  /** What components wait for before they read: the guesses of edits from earlier starts. `undefined` once they are made. */
  get ready(): Promise<void> | undefined {
    return this.#outbox?.endedTabs.isRestored === false ? this.#outbox.endedTabs.restored : undefined;
  }

  /** The edits of all tabs that the server has not answered, in the order in which they were made. The same list until one of them changes. */
  readonly entries = (): readonly OutboxEntry[] => this.#outbox?.list.shown() ?? NONE;

  /** Calls `listener` after each change of `entries()` and `isPaused`. Returns an unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Sends an edit that has stopped again. Without an `id`: all of them. Edits that wait for their next try are tried at once. */
  retry(id?: string): void {
    if (id !== undefined) return this.#open().decisions.retry(id);
    for (const entry of this.entries()) if (entry.state === 'stopped') this.#open().decisions.retry(entry.id);
    this.#open().decisions.retryNow();
  }

  /** Changes the arguments of an edit, and sends it again if it has stopped. Throws if the server may have carried out the edit already. */
  edit(id: string, ...args: readonly unknown[]): void {
    this.#open().decisions.edit(id, args);
  }

  /** Gives an edit up. Its caller gets an `AbortError`. */
  discard(id: string): void {
    this.#open().decisions.discard(id);
  }

  /** Whether nothing is sent until `resume()`, because the server wants a login. */
  get isPaused(): boolean {
    return this.#outbox?.isPaused === true;
  }

  /** Goes on after a login, in all tabs. */
  resume(): void {
    this.#outbox?.decisions.resume();
  }

  /** Resolves when the edits until now are in the storage: to `false` if they could not be written, or were refused after a logout. Edits that have stopped because they have no form for the storage do not count. */
  async flush(): Promise<boolean> {
    if (this.ready !== undefined) await this.ready;
    const isWritten = await this.#journal?.flush();
    return isWritten === true && this.#outbox?.isEnded === false;
  }

  #open(): OutboxSession {
    if (this.#outbox === undefined) throw loggedOut('This');
    return this.#outbox;
  }

  cleanup(): void {
    this.#stopListening();
    this.#outbox?.end();
    this.#outbox = undefined;
    this.#closed = this.#inTime(Promise.allSettled([this.#closed, this.#journal?.close(), this.#claims?.end()]));
    this.#journal = undefined;
    this.#claims = undefined;
  }
}

/** A browser that blocks storage refuses the channel. Then the tab works for itself. */
function portOf(browser: OutboxBrowser, name: string): OutboxPort | undefined {
  try {
    return browser.openPort(`rejoin ${name}`);
  } catch {
    return undefined;
  }
}

const NONE: readonly OutboxEntry[] = Object.freeze([]);

function nameMissing(): DataError {
  return new DataError('storage-name-missing', 'An OutboxManager has no name to keep edits under.', {
    cure: inDevelopment(() => "Give it the name of the application: new OutboxManager({ name: 'my-app', endpoints })."),
  });
}

function userMissing(): DataError {
  return new DataError(
    'outbox-user-missing',
    'An OutboxManager keeps edits over a logout, but does not know the user.',
    { cure: inDevelopment(() => "Give it the option user, or onLogout: 'discard'.") },
  );
}

function loggedOut(name: string): DataError {
  return new DataError('outbox-ended', `${name} was called after the user had logged out.`, {
    cure: inDevelopment(() => 'Create a controller with an OutboxManager for the next user.'),
  });
}
