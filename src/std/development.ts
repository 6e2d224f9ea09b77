declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Returns whether this is a development build. */
export function isDevelopment(): boolean {
  try {
    // Bundlers replace the expression by its value. A page that was not bundled has no `process`.
    return process.env.NODE_ENV !== 'production';
  } catch {
    return true;
  }
}

/**
 * Runs a function in development, for example to make a text that says what to do. Returns `undefined` in production. A production
 * bundle contains neither this function nor the callback.
 */
export function inDevelopment<Value>(run: () => Value): Value | undefined {
  try {
    if (process.env.NODE_ENV !== 'production') return run();
  } catch {
    // A page that was not bundled has no `process`.
  }
  return undefined;
}
