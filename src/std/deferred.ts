/** A promise that is resolved from outside. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

export function deferred(): Deferred {
  let resolve: (() => void) | undefined;
  const promise = new Promise<void>((kept) => (resolve = kept));
  return { promise, resolve: () => resolve?.() };
}
