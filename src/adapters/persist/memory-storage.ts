import type { TextStorage } from '../../std/text-storage.ts';

/** Keeps everything for as long as the program runs: for tests, and where nothing may be written. */
export function memoryStorage(): TextStorage {
  const kept = new Map<string, Map<string, string>>();
  return {
    open: async (name) => {
      const entries = kept.get(name) ?? new Map<string, string>();
      kept.set(name, entries);
      return {
        read: async () => ({ entries: [...entries] }),
        write: async (changes) => {
          for (const [key, value] of changes)
            if (value === undefined) entries.delete(key);
            else entries.set(key, value);
        },
        clear: async () => entries.clear(),
        close: async () => {},
      };
    },
  };
}
