import { useEffect } from 'react';

/** Counts how often each component was rendered and shown, for the tests. */
const counts: Record<string, number> = {};
Object.assign(globalThis, { renders: counts });

export function useCountedRender(name: string): void {
  useEffect(() => {
    counts[name] = (counts[name] ?? 0) + 1;
  });
}
