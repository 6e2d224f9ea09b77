import { throwLater } from './thrown.ts';

/**
 * Calls each listener that is registered when the call begins and still is when its turn comes. If a listener throws, the others are still
 * called, and the error is thrown in a task of its own.
 */
export function notifyEach<T>(listeners: ReadonlySet<(event: T) => void>, event: T): void {
  for (const listener of [...listeners]) {
    if (listeners.has(listener)) callListener(listener, event);
  }
}

/** Calls a listener. An error is thrown in a task of its own. */
export function callListener<T>(listener: (event: T) => void, event: T): void {
  try {
    listener(event);
  } catch (error) {
    throwLater(error);
  }
}
