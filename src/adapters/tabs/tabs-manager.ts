import {
  actionTypes,
  type Action,
  type FetchAction,
  type OptimisticAction,
  type SetResponseAction,
} from '../../control/controller/action.ts';
import {
  type Dispatch,
  type Manager,
  type Middleware,
  type MiddlewareAPI,
  NO_CONTROLLER,
} from '../../control/controller/manager.ts';
import { mutationsByName } from '../../control/controller/named-endpoints.ts';
import { usableTimeout } from '../../control/controller/assert-above-zero.ts';
import { shareKeyOf } from '../../control/controller/request-in-flight.ts';
import { watchStops } from '../../control/manager/presence.ts';
import { SessionNote } from '../../control/manager/session-note.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { platform as defaultPlatform, type Platform } from '../../std/platform.ts';
import { throwLater } from '../../std/thrown.ts';
import { SharedRequests } from './shared-requests.ts';
import { SharedStore } from './shared-store.ts';
import { SharedSubscriptions } from './shared-subscriptions.ts';
import { TabChannel } from './tab-channel.ts';
import type { TabMessage } from './tab-message.ts';
import { presenceLock, TabPresence } from './tab-presence.ts';
import { browserHere, grantedLocks, type TabsBrowser } from './tabs-browser.ts';
import type { TabsEvent } from './tabs-event.ts';

export interface TabsOptions {
  /** The name of the application. Tabs of one name share their data. */
  readonly name: string;
  /** A text that identifies the user. Tabs of different users share nothing. */
  readonly user?: string;
  /** The version of your entity classes. Tabs of different versions share nothing. */
  readonly version?: string | number;
  /** The resources and endpoints whose optimistic updates are shown in all tabs while they wait for their answer. Default: none. */
  readonly endpoints?: readonly object[];
  /** The longest time, in milliseconds, that the first screen waits for the data of another tab. Default: 500. */
  readonly timeout?: number;
  readonly onEvent?: (event: TabsEvent) => void;
  /** Default: the browser of this page. */
  readonly browser?: TabsBrowser | undefined;
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'now' | 'random'>;
}

/** The parts of a manager between `init` and `cleanup`. */
interface StartedManager {
  readonly browser: TabsBrowser;
  readonly channel: TabChannel;
  readonly note: SessionNote;
  readonly store: SharedStore;
  readonly presence: TabPresence;
  readonly requests: SharedRequests;
  readonly subscriptions: SharedSubscriptions;
  readonly stop: () => void;
}

/**
 * Keeps the open tabs of an application alike: data, requests, subscriptions and logouts are shared.
 * `<DataProvider managers={[new TabsManager({ name: 'my-app' }), ...getDefaultManagers()]}>`.
 */
export class TabsManager implements Manager {
  readonly #options: TabsOptions;
  readonly #timeout: number;
  readonly #version: string;
  readonly #channelName: string;
  /** The prefix of the names of all locks. */
  readonly #locks: string;
  readonly #endpoints: ReadonlyMap<string, EndpointInterface>;
  #controller: MiddlewareAPI = NO_CONTROLLER;
  #next: Dispatch = () => Promise.resolve();
  #open: StartedManager | undefined;
  #joining: Promise<void> | undefined;

  constructor(options: TabsOptions) {
    if (typeof options.name !== 'string' || options.name === '') throw nameMissing();
    const { name, user = null, version = '', endpoints = [] } = options;
    this.#endpoints = mutationsByName(endpoints, 'a TabsManager');
    this.#options = options;
    this.#timeout = usableTimeout('a TabsManager', options.timeout ?? 500);
    this.#version = String(version);
    this.#channelName = `rejoin ${JSON.stringify([name, user])}`;
    this.#locks = `rejoin ${JSON.stringify([name, user, this.#version])}`;
  }

  readonly middleware: Middleware = (controller) => {
    this.#controller = controller;
    return (next) => {
      this.#next = next;
      return (action) => this.#handle(action, next);
    };
  };

  init(): void {
    this.cleanup();
    const { browser = browserHere() } = this.#options;
    try {
      this.#open = browser && this.#start(browser);
    } catch {
      // A browser that blocks storage refuses the channel.
    }
    if (this.#open === undefined) return this.#report({ type: 'unsupported' });
    const joining = this.#open.presence.join().finally(() => {
      if (this.#joining === joining) this.#joining = undefined;
    });
    this.#joining = joining;
  }

  /** Components wait for this promise before they read. `undefined` once the data of the other tabs is here. */
  get ready(): Promise<void> | undefined {
    return this.#joining;
  }

  cleanup(): void {
    this.#open?.stop();
    this.#open = undefined;
    this.#joining = undefined;
  }

  #handle(action: Action, next: Dispatch): Promise<void> {
    const open = this.#open;
    if (open === undefined) return next(action);
    switch (action.type) {
      case actionTypes.FETCH: {
        const send: Dispatch = (sent) => {
          const done = next(sent);
          open.channel.send({ type: 'request', latest: open.store.latest });
          return done;
        };
        if (action.endpoint.sideEffect === true) return this.#mutate(open, action, send);
        // The answer to a further page of a list cannot be found in the list of another tab.
        if (!open.channel.hasOthers || shareKeyOf(action) !== action.key) return send(action);
        return open.requests.fetch(`${this.#locks} request ${action.key}`, this.#controller, action, send);
      }
      case actionTypes.OPTIMISTIC:
        return this.#guess(open, action, next);
      case actionTypes.SUBSCRIBE: {
        const added = open.subscriptions.add(`${this.#locks} subscription ${action.key}`, action);
        this.#askHidden(open, [action.key]);
        return added;
      }
      case actionTypes.UNSUBSCRIBE:
        return open.subscriptions.remove(action);
      case actionTypes.SET_RESPONSE:
        return this.#shareAnswer(open, action, next);
      case actionTypes.RESET:
        if (!action.isElsewhere && action.fill === undefined) this.#reset(open);
        return this.#forget(open, next(action));
      default:
        return next(action);
    }
  }

  #mutate({ store }: StartedManager, action: FetchAction, send: Dispatch): Promise<void> {
    const done = send(action);
    // A mutation with a guess is sent to the tabs with its guess, also when an outbox sends it again.
    if (action.endpoint.getOptimisticResponse === undefined) void store.mutate(action, done);
    return done;
  }

  async #guess({ store }: StartedManager, action: OptimisticAction, next: Dispatch): Promise<void> {
    const { request } = action;
    const done = next(action);
    // Several edits of an outbox can begin at once. Each is compared with the later ones before those are shown.
    if (request.mutation?.place === undefined || request.mutation.layer === undefined) await done;
    if (!store.mutations.isKnown(request)) void store.mutate(action, request.promise, request);
    await done;
  }

  #forget({ store }: StartedManager, reset: Promise<void>): Promise<void> {
    store.forget();
    return reset;
  }

  #reset({ channel, note }: StartedManager): void {
    channel.session++;
    note.write(channel.session);
    channel.post({ type: 'reset', isNow: true });
  }

  /** Tells the other tabs of a mutation, whose record may belong to lists that only they have. */
  async #shareAnswer({ channel, store }: StartedManager, action: SetResponseAction, next: Dispatch): Promise<void> {
    await next(action);
    const { request } = action;
    if (request?.mutation !== undefined && channel.hasOthers) store.sendMutation(request);
  }

  #start(browser: TabsBrowser): StartedManager {
    const { page } = browser;
    const locks = grantedLocks(browser.locks);
    const onError = (error: unknown): void => this.#report({ type: 'failed', error });
    const channel = new TabChannel(browser.openPort(this.#channelName), this.#version, {
      onMessage: (message, from) => this.#receive(message, from),
      onReset: (isNow) => this.#resetHere(isNow),
      onOtherVersion: (other) => this.#report({ type: 'version', version: other }),
      onError,
    });
    const note = new SessionNote(this.#channelName);
    channel.session = note.read();
    const { platform = defaultPlatform } = this.#options;
    const timeout = this.#timeout;
    const stopped = new AbortController();
    const store = new SharedStore({
      controller: this.#controller,
      channel,
      platform,
      endpoints: this.#endpoints,
      closed: (tab) => locks.request(presenceLock(this.#locks, tab), { signal: stopped.signal }, () => {}),
      onError,
    });
    const onEvent = (event: TabsEvent): void => this.#report(event);
    const presence = new TabPresence({ browser, channel, platform, locks: this.#locks, onEvent, store, timeout });
    const subscriptions = new SharedSubscriptions(locks, this.#next);
    const requests = new SharedRequests(locks, store, channel, platform);
    const noteVisibility = (): void => this.#noteVisibility();
    page.document?.addEventListener('visibilitychange', noteVisibility);
    const stopWatching = watchStops(page, (isStopped) => {
      if (!isStopped) channel.noteSession(note.read());
      requests.isStopped = isStopped;
      subscriptions[isStopped ? 'pause' : 'resume']();
      if (!isStopped) void presence.join();
    });
    const stop = (): void => {
      page.document?.removeEventListener('visibilitychange', noteVisibility);
      stopWatching();
      stopped.abort();
      subscriptions.stop();
      presence.stop();
      store.stop();
      channel.close();
    };
    return { browser, channel, note, store, presence, requests, subscriptions, stop };
  }

  #noteVisibility(): void {
    const open = this.#open;
    if (open === undefined || !open.channel.hasOthers) return;
    if (isHidden(open)) open.subscriptions.yield();
    else this.#askHidden(open, open.subscriptions.keys);
  }

  /** Asks hidden tabs for subscriptions that this tab has too, if it is visible: browsers slow the timers of hidden tabs down. */
  #askHidden(open: StartedManager, keys: Iterable<string>): void {
    if (!isHidden(open)) for (const key of keys) open.channel.send({ type: 'subscribed', key });
  }

  #receive(message: TabMessage, from: string): void {
    const open = this.#open;
    if (open === undefined) return;
    open.requests.receive(message);
    if (message.type === 'subscribed' && isHidden(open)) open.subscriptions.yield([message.key]);
    if (message.type !== 'hello') return open.store.receive(message, from);
    open.store.mutations.repeat();
    void open.presence.greet(from);
  }

  /** Handles a logout in another tab. */
  #resetHere(isNow: boolean): void {
    const { store } = this.#open ?? {};
    // A tab that has just been opened learns only now of logouts before.
    if (!isNow && this.#joining !== undefined && store?.hasSessionData === false) return store.forget();
    this.#controller.dispatch({ type: actionTypes.RESET, isElsewhere: true }).catch(throwLater);
    this.#report({ type: 'reset' });
  }

  #report(event: TabsEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch (error) {
      throwLater(error);
    }
  }
}

function isHidden({ browser }: StartedManager): boolean {
  return browser.page.document?.visibilityState === 'hidden';
}

function nameMissing(): DataError {
  return new DataError('tabs-name-missing', 'A TabsManager has no name by which tabs find each other.', {
    cure: inDevelopment(() => "Give it the name of the application: new TabsManager({ name: 'my-app' })."),
  });
}
