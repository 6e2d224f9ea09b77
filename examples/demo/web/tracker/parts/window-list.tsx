import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

interface Props<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: NoInfer<Item>) => string | number;
  /** The height of each row, in pixels. */
  readonly rowHeight: number;
  readonly children: (item: NoInfer<Item>) => ReactNode;
  readonly className?: string;
}

/** The number of rows beyond each end of the visible part. */
const SPARE = 6;

/** A long list that has only its visible rows in the document. */
export function WindowList<Item>({ label, items, keyOf, rowHeight, children, className = '' }: Props<Item>) {
  const box = useRef<HTMLDivElement>(null);
  const [{ top, height }, setView] = useState({ top: 0, height: 800 });
  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    setView((before) => {
      const at = Math.floor(scrollTop / rowHeight) * rowHeight;
      return before.top === at && before.height === clientHeight ? before : { top: at, height: clientHeight };
    });
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  });
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), items.length) - SPARE);
  const shown = items.slice(first, Math.ceil((top + height) / rowHeight) + SPARE);
  // An inner element has the space of the missing rows. As padding of the scrolling box, it would make that box higher.
  return (
    <div ref={box} className={`window ${className}`} role="group" aria-label={label} tabIndex={0} onScroll={look}>
      <ul
        style={{
          paddingTop: first * rowHeight,
          paddingBottom: Math.max(0, items.length - first - shown.length) * rowHeight,
        }}
      >
        {shown.map((item, at) => (
          <li
            key={keyOf(item)}
            style={{ height: rowHeight }}
            aria-setsize={items.length}
            aria-posinset={first + at + 1}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
