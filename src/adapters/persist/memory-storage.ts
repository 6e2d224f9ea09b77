import type { TextStorage } from '../../std/text-storage.ts';

/** Stores text in memory until the program ends. For tests, and for devices on which nothing may be written. */
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
