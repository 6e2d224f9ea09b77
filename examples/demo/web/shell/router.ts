import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener);
  return () => removeEventListener('popstate', listener);
}

/** The path of the page that is open. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname);
}

/** Opens another page, without loading the document again. */
export function open(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
  scrollTo(0, 0);
}
