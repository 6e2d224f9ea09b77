import { onTestFinished, vi } from 'vitest';

/** Gives the test a page with a `localStorage` of its own. `target`: the page that gets the listeners of `addEventListener`. `texts`: the `localStorage`. */
export function stubPage(): { target: EventTarget; readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const page = { target: new EventTarget(), texts };
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  });
  vi.stubGlobal('addEventListener', (...args: Parameters<EventTarget['addEventListener']>) =>
    page.target.addEventListener(...args),
  );
  vi.stubGlobal('removeEventListener', (...args: Parameters<EventTarget['removeEventListener']>) =>
    page.target.removeEventListener(...args),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return page;
}
