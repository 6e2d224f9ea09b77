/** Whether the page is visible and there is a network. */
export interface Presence {
  isPresent(): boolean;
  /** Calls `onChange` whenever `isPresent` may have changed. Returns an unsubscribe function. */
  subscribe(onChange: () => void): () => void;
}

interface PageEvent {
  readonly type: string;
  /** Whether the page goes into the back/forward cache, or comes from it. */
  readonly persisted?: boolean;
}

/** The globals of a page that are used. Without them, as on a server, `isPresent` is always true. */
export interface Page {
  readonly document?: EventTarget & { readonly visibilityState: string };
  readonly navigator?: { readonly onLine?: boolean };
  addEventListener?(type: string, listener: (event: PageEvent) => void): void;
  removeEventListener?(type: string, listener: (event: PageEvent) => void): void;
}

/** Returns whether the user is present: the page is visible, and there is a network. */
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

/** As `presenceOf`, but ignores whether the page is visible. */
export function networkOf(page: Page): Presence {
  return {
    isPresent: () => page.navigator?.onLine !== false,
    subscribe: (onChange) => listen(page, ['online', 'offline'], onChange),
  };
}

/**
 * Calls `onChange` when the browser is about to stop a page, perhaps for hours, and when the page goes on. Returns an unsubscribe function. A page
 * in the back/forward cache is stopped too. For such a page, Safari sends other events, releases the locks, and delivers no messages.
 */
export function watchStops(page: Omit<Page, 'navigator'>, onChange: (isStopped: boolean) => void): () => void {
  const onEvent = ({ persisted = true, type }: PageEvent): void => {
    if (persisted) onChange(type === 'freeze' || type === 'pagehide');
  };
  const stops = [listen(page.document, ['freeze', 'resume'], onEvent), listen(page, ['pagehide', 'pageshow'], onEvent)];
  return () => {
    for (const stop of stops) stop();
  };
}

type Target = Pick<Page, 'addEventListener' | 'removeEventListener'>;

function listen(
  target: Target | undefined,
  types: readonly string[],
  listener: (event: PageEvent) => void,
): () => void {
  for (const type of types) target?.addEventListener?.(type, listener);
  return () => {
    for (const type of types) target?.removeEventListener?.(type, listener);
  };
}
