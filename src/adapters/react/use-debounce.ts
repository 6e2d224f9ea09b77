import { useEffect, useState, useTransition } from 'react';

/**
 * `[value, isPending]`: the value as it was when it had last stood still for `delay` milliseconds, and whether another
 * is about to take its place. While `isUpdatable` is false, none does.
 */
export function useDebounce<Value>(
  value: Value,
  delay: number,
  isUpdatable = true,
): [debounced: Value, isPending: boolean] {
  const [debounced, setDebounced] = useState(value);
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    if (!isUpdatable) return undefined;
    const timer = setTimeout(() => startTransition(() => setDebounced(() => value)), delay);
    return () => clearTimeout(timer);
  }, [value, delay, isUpdatable]);
  return [debounced, isPending];
}
