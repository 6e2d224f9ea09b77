// Keeps only the files of the page, so that the page opens without a network. Rejoin keeps the data.
const SHELL = 'shell';

globalThis.addEventListener('install', () => globalThis.skipWaiting());
globalThis.addEventListener('activate', (event) => event.waitUntil(globalThis.clients.claim()));

/** Returns the present file, or without a network the kept one. For every path of the page it is the same HTML file. */
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

// The page was loaded before this worker was installed.
globalThis.addEventListener('message', ({ data }) => {
  void caches.open(SHELL).then((shell) => shell.addAll(data.files));
});
