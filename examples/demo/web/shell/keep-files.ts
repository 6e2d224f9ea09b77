/** Keeps the files of this page in the browser, so that it opens without a network. */
export async function keepFiles(): Promise<void> {
  await navigator.serviceWorker.register('/shell.js');
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
  const files = loaded.filter(({ origin, pathname }) => origin === location.origin && !pathname.startsWith('/api/'));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has no such argument.
  active?.postMessage({ files: ['/', ...files.map(({ pathname }) => pathname)] });
}
