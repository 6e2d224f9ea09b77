import type { OpenStorage, TextStorage } from '../../std/text-storage.ts';
import { cachesHere } from './marker.ts';

/** Requests need a URL. Nothing is ever sent to this one. */
const ORIGIN = 'https://rejoin.invalid/';

/**
 * Stores text in another storage, and a copy of it in the Cache Storage of the browser. If the other storage is empty at a start, as
 * IndexedDB can be after the browser was killed, its entries are restored from the copy. Without a Cache Storage, returns the other storage.
 */
export function copiedStorage(storage: TextStorage): TextStorage {
  const caches = cachesHere();
  if (caches === undefined) return storage;
  return { open: async (name) => copied(await storage.open(name), caches, `rejoin copy ${name}`) };
}

function copied(inner: OpenStorage, caches: CacheStorage, name: string): OpenStorage {
  return {
    read: async () => {
      const content = await inner.read();
      const entries = new Map(content.entries);
      const isLost = entries.size === 0 && content.isDamaged !== true;
      try {
        const cache = await caches.open(name);
        /* oxlint-disable no-await-in-loop -- there are few entries */
        for (const request of await cache.keys()) {
          const key = decodeURIComponent(request.url.slice(ORIGIN.length));
          if (isLost) entries.set(key, (await (await cache.match(request))?.text()) ?? '');
          // It was never stored: the browser was killed between the two writes.
          else if (!entries.has(key)) await cache.delete(request);
        }
        /* oxlint-enable no-await-in-loop */
        if (isLost && entries.size > 0) await inner.write(entries);
      } catch {
        // The other storage works without copies.
      }
      return { ...content, entries };
    },
    write: async (changes) => {
      try {
        const cache = await caches.open(name);
        const copy = ([key, text]: readonly [string, string | undefined]): Promise<unknown> => {
          const url = ORIGIN + encodeURIComponent(key);
          return text === undefined ? cache.delete(url) : cache.put(url, new Response(text));
        };
        // Before the entries, so that no stored entry lacks its copy, and no deleted one comes back.
        await Promise.all(Array.from(changes, copy));
      } catch {
        // The other storage works without copies.
      }
      await inner.write(changes);
    },
    clear: async () => {
      await caches.delete(name);
      await inner.clear();
    },
    close: () => inner.close(),
  };
}
