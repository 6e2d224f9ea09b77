// Signals of React Native have no `reason`, `throwIfAborted` or `any`; those of older browsers and of jsdom lack some of them.

/** Aborts. `reasonOf` returns the reason. */
export function abortWith(aborting: AbortController | undefined, reason: unknown): void {
  if (aborting !== undefined && !('reason' in aborting.signal)) Object.assign(aborting.signal, { reason });
  aborting?.abort(reason);
}

/** Returns why a signal was aborted: an `AbortError`, if there is no reason. */
export function reasonOf({ reason }: AbortSignal): unknown {
  return reason === undefined ? namedError('AbortError', 'The operation was aborted.') : reason;
}

/** Returns the signal that aborts the requests of an endpoint. */
export function signalOf(endpoint: object): AbortSignal | undefined {
  return (endpoint as { readonly signal?: AbortSignal | undefined }).signal;
}

export function throwIfAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted === true) throw reasonOf(signal);
}

/** Returns a signal that aborts with the first of two. */
export function eitherSignal(
  one: AbortSignal | null | undefined,
  other: AbortSignal | null | undefined,
): AbortSignal | null | undefined {
  if (!one || !other) return one ?? other;
  if ('any' in AbortSignal) return AbortSignal.any([one, other]);
  const either = new AbortController();
  for (const signal of [one, other] as readonly AbortSignal[]) {
    const onAbort = (): void => abortWith(either, reasonOf(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  }
  return either.signal;
}

/** Creates an error that is recognized by its name. It is no `DOMException`, which React Native does not have. */
export function namedError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
