// Keeps the files of the page, and nothing else, so that it opens without a network. The data is kept by Rejoin.
const SHELL = 'shell';

globalThis.addEventListener('install', () => globalThis.skipWaiting());
globalThis.addEventListener('activate', (event) => event.waitUntil(globalThis.clients.claim()));

/** The present file. Without a network, the one from before: for a page of any address, its shell. */
async function file(request) {
  const shell = await caches.open(SHELL);
  const key = request.mode === 'navigate' ? '/' : request;
  try {
    const response = await fetch(request);
    if (response.ok) await shell.put(key, response.clone());
    return response;
  } catch (error) {
    const known = await shell.match(key);
    if (known !== undefined) return known;
    throw error;
  }
}

globalThis.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isFile = event.request.method === 'GET' && origin === globalThis.origin && !pathname.startsWith('/api/');
  if (isFile) event.respondWith(file(event.request));
});

// The page was loaded before this worker was there.
globalThis.addEventListener('message', ({ data }) => {
  void caches.open(SHELL).then((shell) => shell.addAll(data.files));
});
