import { useEffect, useRef, useState, useTransition } from 'react';

/**
 * `[value, isPending]`: the last value that stayed the same for `delay` milliseconds, and whether React is rendering a newer one in a
 * transition. While `isUpdatable` is false, the value does not change.
 */
export function useDebounce<Value>(
  value: Value,
  delay: number,
  isUpdatable = true,
): [debounced: Value, isPending: boolean] {
  const [debounced, setDebounced] = useState(() => value);
  const [isPending, startTransition] = useTransition();
  const last = useRef(value);
  useEffect(() => {
    if (!isUpdatable || Object.is(last.current, value)) return undefined;
    const timer = setTimeout(() => {
      last.current = value;
      startTransition(() => setDebounced(() => value));
    }, delay);
    return () => clearTimeout(timer);
  }, [value, delay, isUpdatable]);
  return [debounced, isPending];
}
