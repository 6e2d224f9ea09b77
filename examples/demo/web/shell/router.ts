import { useSyncExternalStore } from 'react';

/** Calls `listener` after each change of the address. Returns an unsubscribe function. */
export function onNavigation(listener: () => void): () => void {
  addEventListener('popstate', listener);
  return () => removeEventListener('popstate', listener);
}

/** The path of the page that is open. */
export function usePath(): string {
  return useSyncExternalStore(onNavigation, () => location.pathname);
}

/** The query of the address, without its question mark. */
export function useSearch(): string {
  return useSyncExternalStore(onNavigation, () => location.search.slice(1));
}

/** Opens another page, without loading the document again. */
export function open(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
  scrollTo(0, 0);
}

/** Changes the query of the address, and keeps the scroll position. */
export function setSearch(search: string): void {
  history.replaceState(null, '', search === '' ? location.pathname : `?${search}`);
  dispatchEvent(new PopStateEvent('popstate'));
}
