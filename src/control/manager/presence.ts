/** Whether there is any point in asking a server: somebody looks, and there is a network. */
export interface Presence {
  isPresent(): boolean;
  /** Calls `onChange` after `isPresent` may have become another. Gives what ends it. */
  subscribe(onChange: () => void): () => void;
}

/** The parts of a page that tell. Where there is none, as on a server, somebody is always present. */
export interface Page {
  readonly document?: EventTarget & { readonly visibilityState: string };
  readonly navigator?: { readonly onLine?: boolean };
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}

export function presenceOf(page: Page): Presence {
  const network = networkOf(page);
  return {
    isPresent: () => page.document?.visibilityState !== 'hidden' && network.isPresent(),
    subscribe: (onChange) => {
      const stop = listen(page.document, ['visibilitychange'], onChange);
      const stopNetwork = network.subscribe(onChange);
      return () => {
        stop();
        stopNetwork();
      };
    },
  };
}

/** As `presenceOf`, for what goes on while nobody looks. */
export function networkOf(page: Page): Presence {
  return {
    isPresent: () => page.navigator?.onLine !== false,
    subscribe: (onChange) => listen(page, ['online', 'offline'], onChange),
  };
}

type Target = Pick<Page, 'addEventListener' | 'removeEventListener'>;

function listen(target: Target | undefined, types: readonly string[], listener: () => void): () => void {
  for (const type of types) target?.addEventListener?.(type, listener);
  return () => {
    for (const type of types) target?.removeEventListener?.(type, listener);
  };
}
