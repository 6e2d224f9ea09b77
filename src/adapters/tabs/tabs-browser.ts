import type { Page } from '../../control/manager/presence.ts';
import { browserGlobals } from '../../std/browser.ts';

/** The methods of `navigator.locks` that a `TabsManager` uses. */
export interface TabLocks {
  request<Value>(name: string, options: TabLockOptions, run: (lock: unknown) => Value | Promise<Value>): Promise<Value>;
  query(): Promise<{ readonly held?: readonly { readonly name?: string }[] }>;
}

export interface TabLockOptions {
  readonly ifAvailable?: boolean;
  readonly signal?: AbortSignal;
}

/** The methods of a `BroadcastChannel` that a `TabsManager` uses. */
export interface TabPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  close(): void;
}

/** The parts of the browser that tabs use. */
export interface TabsBrowser {
  readonly locks: TabLocks;
  openPort(name: string): TabPort;
  readonly page: Pick<Page, 'document' | 'addEventListener' | 'removeEventListener'>;
}

/** Returns the browser of this page. `undefined` on a server, and in a browser without Web Locks or `BroadcastChannel`. */
export function browserHere(): TabsBrowser | undefined {
  const browser = browserGlobals<TabLocks, TabPort>();
  return browser && { ...browser, page: globalThis };
}

/** Locks of a browser that may refuse them, as in a frame without an origin. Those that it refuses are granted at once. */
export function grantedLocks(locks: TabLocks): TabLocks {
  return {
    query: () => locks.query(),
    request: async (name, options, run) => {
      let isAsked = false;
      try {
        return await locks.request(name, options, (lock) => {
          isAsked = true;
          return run(lock);
        });
      } catch (error) {
        if (isAsked || options.signal?.aborted === true) throw error;
        return run(name);
      }
    },
  };
}
