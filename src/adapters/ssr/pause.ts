/** Resolves once what is to be done now has been done. */
export async function pause(): Promise<undefined> {
  return new Promise((resolve) => {
    const { setImmediate: soon = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };
    soon(() => resolve(undefined));
  });
}
