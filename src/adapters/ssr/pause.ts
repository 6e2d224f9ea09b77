/** Resolves in a later task, after the tasks that are queued now. */
export async function pause(): Promise<undefined> {
  return new Promise((resolve) => {
    const { setImmediate: soon = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };
    soon(() => resolve(undefined));
  });
}
