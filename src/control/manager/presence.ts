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
  return {
    isPresent: () => page.document?.visibilityState !== 'hidden' && page.navigator?.onLine !== false,
    subscribe: (onChange) => {
      page.document?.addEventListener('visibilitychange', onChange);
      page.addEventListener?.('online', onChange);
      page.addEventListener?.('offline', onChange);
      return () => {
        page.document?.removeEventListener('visibilitychange', onChange);
        page.removeEventListener?.('online', onChange);
        page.removeEventListener?.('offline', onChange);
      };
    },
  };
}
