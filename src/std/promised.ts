/** A promise that is kept from outside. */
export interface Promised {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

export function promised(): Promised {
  let resolve: (() => void) | undefined;
  const promise = new Promise<void>((kept) => (resolve = kept));
  return { promise, resolve: () => resolve?.() };
}
