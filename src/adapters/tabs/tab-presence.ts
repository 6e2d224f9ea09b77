import { deferred } from '../../std/deferred.ts';
import type { Platform } from '../../std/platform.ts';
import { thrown } from '../../std/thrown.ts';
import type { SharedStore } from './shared-store.ts';
import type { TabChannel } from './tab-channel.ts';
import type { TabsBrowser } from './tabs-browser.ts';
import type { TabsEvent } from './tabs-event.ts';

export interface TabPresenceParts {
  readonly browser: TabsBrowser;
  readonly channel: TabChannel;
  readonly store: SharedStore;
  readonly platform: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'now'>;
  /** The prefix of the names of all locks. */
  readonly locks: string;
  /** The longest time, in milliseconds, that a tab waits for the data of another one. */
  readonly timeout: number;
  readonly onEvent: (event: TabsEvent) => void;
}

/** Returns the lock that a tab holds as long as it is open. */
export function presenceLock(locks: string, tab: string): string {
  return `${locks} open ${tab}`;
}

/** Makes this tab known to the other tabs, gets data from one of them, and sends data to tabs that are opened later. */
export class TabPresence {
  readonly #parts: TabPresenceParts;
  readonly #stopped = deferred();
  #isStopped = false;
  /** Whether this tab waits for the data of another one. */
  #isJoining = false;

  constructor(parts: TabPresenceParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopped.resolve();
  }

  /** Gets the data of another tab, if there is one. Does nothing if this tab has joined already and still holds its lock. */
  async join(): Promise<void> {
    const { browser, channel, platform, locks, onEvent, store, timeout } = this.#parts;
    const begun = platform.now();
    const welcome = deferred();
    store.onWelcome = welcome.resolve;
    try {
      const { held = [] } = await browser.locks.query();
      const prefix = presenceLock(locks, '');
      const hasOthers = held.some(({ name }) => name?.startsWith(prefix));
      const own = prefix + channel.id;
      if (this.#isStopped || held.some(({ name }) => name === own)) return;
      const onRefusal = (error: unknown): unknown => isLost(error) || this.#workAlone();
      browser.locks.request(own, {}, () => this.#stopped.promise).catch(onRefusal);
      channel.post({ type: 'hello' });
      if (!hasOthers) return channel.assumeAlone();
      store.sendHydrated();
      this.#isJoining = true;
      const timer = platform.setTimeout(() => welcome.resolve(), timeout);
      await welcome.promise;
      this.#isJoining = false;
      platform.clearTimeout(timer);
      if (store.hasJoined) onEvent({ type: 'joined', milliseconds: platform.now() - begun });
    } catch {
      if (!this.#isStopped) this.#workAlone();
    }
  }

  /** The browser refuses locks, so this tab shares nothing. */
  #workAlone(): void {
    this.#parts.channel.close();
    this.#parts.onEvent({ type: 'unsupported' });
  }

  /** Sends the data to a tab that was opened, unless another tab does. */
  async greet(newcomer: string): Promise<void> {
    const { browser, platform, locks, store, timeout } = this.#parts;
    const pause = (milliseconds: number): Promise<void> =>
      new Promise((resolve) => void platform.setTimeout(resolve, milliseconds));
    // After the browser has stopped this page, its data is old, so it waits: a tab that was not stopped sends its data first.
    if (this.#isJoining) await pause(timeout / 10);
    const greeted = browser.locks.request(`${locks} greet ${newcomer}`, { ifAvailable: true }, async (free) => {
      if (free === null) return;
      await store.sendContent(newcomer, () => pause(0));
      // The other tabs may receive the message of the new tab later than this one.
      await pause(timeout);
    });
    // If the browser refuses the lock, another tab may send the data.
    await greeted.catch(() => {});
  }
}

/** Returns whether the browser has taken a lock away. Safari does that to a page in the back/forward cache. */
function isLost(error: unknown): boolean {
  return thrown(error).name === 'AbortError';
}
