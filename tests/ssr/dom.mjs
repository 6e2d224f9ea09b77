// Loaded first, so that every module finds a document, as in a browser.
import { Window } from 'happy-dom';

const page = new Window({ url: 'http://localhost/' });
for (const name of [
  'document',
  'MutationObserver',
  'Event',
  'HTMLElement',
  'HTMLIFrameElement',
  'Node',
  'navigator',
  'location',
])
  Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: page[name] });
Object.defineProperty(globalThis, 'window', { configurable: true, writable: true, value: globalThis });
globalThis.requestAnimationFrame = (run) => setTimeout(() => run(performance.now()), 0);
globalThis.addEventListener = page.addEventListener.bind(page);
globalThis.removeEventListener = page.removeEventListener.bind(page);
