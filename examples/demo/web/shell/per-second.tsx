import { useEffect, useState } from 'react';

/** The growth of a counter in the last second. */
export function PerSecond({ count, what }: { readonly count: () => number; readonly what: string }) {
  const [grown, setGrown] = useState(0);
  useEffect(() => {
    let before = count();
    const timer = setInterval(() => {
      const now = count();
      setGrown(now - before);
      before = now;
    }, 1000);
    return () => clearInterval(timer);
  }, [count]);
  return (
    <span className="chip accent num" style={{ minWidth: '15.5em' }}>
      {grown.toLocaleString('en')} {what} a second
    </span>
  );
}
