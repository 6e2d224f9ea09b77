/** What something that was thrown may have. Code of an application can throw anything. */
export interface Thrown {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly cause?: unknown;
  readonly response?: unknown;
}

/** The properties of something that was thrown; none where it is no object. */
export function thrown(error: unknown): Thrown {
  return Object(error) as Thrown;
}

/** The text of something that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Throws where nothing can catch it: the error goes to the window, or ends the process. */
export function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
