/** Properties that a thrown value may have. Code of an application can throw anything. */
export interface Thrown {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly cause?: unknown;
  readonly response?: unknown;
}

/** Returns the properties of a thrown value. Empty if it is not an object. */
export function thrown(error: unknown): Thrown {
  return Object(error) as Thrown;
}

/** Returns the message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the message of a thrown value, with a full stop at its end. */
export function sentenceOf(error: unknown): string {
  const message = messageOf(error);
  return '.!?'.includes(message.slice(-1)) ? message : `${message}.`;
}

/** Throws in a task of its own, where nothing catches the error: the window reports it, or the process ends. */
export function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
