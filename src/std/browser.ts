/** What tabs and workers of one browser use to find each other. */
export interface BrowserGlobals<Locks, Port> {
  readonly locks: Locks;
  openPort(name: string): Port;
}

/**
 * Returns the Web Locks and `BroadcastChannel` of this browser, in a page or in a worker. `undefined` if it lacks one of them, and outside of a browser: Node 24
 * has both, and on a server the controllers of all users would share their data.
 */
export function browserGlobals<Locks, Port>(): BrowserGlobals<Locks, Port> | undefined {
  const { document, WorkerGlobalScope, navigator, BroadcastChannel } = globalThis as unknown as {
    readonly document?: unknown;
    readonly WorkerGlobalScope?: unknown;
    readonly navigator?: { readonly locks?: Locks };
    readonly BroadcastChannel?: new (name: string) => Port;
  };
  const locks = navigator?.locks;
  if (!(document || WorkerGlobalScope) || !locks || !BroadcastChannel) return undefined;
  return { locks, openPort: (name) => new BroadcastChannel(name) };
}
