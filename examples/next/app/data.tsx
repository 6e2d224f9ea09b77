'use client';

import { useServerInsertedHTML } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { recommended } from 'rejoin';
import { DataProvider } from 'rejoin/react';
import { ServerSession, takeOver } from 'rejoin/ssr';

/** In a browser, `takeOver()` runs before React hydrates the page. */
const taken = typeof window === 'undefined' ? undefined : takeOver(recommended());

/** Wraps the whole page. On a server each page gets a store of its own; a browser has one store. */
export function Data({ children }: { readonly children: ReactNode }): ReactNode {
  const [side] = useState(() => taken ?? new ServerSession());
  // Next calls this function for each part of the page that it sends, and inserts the result before that part.
  useServerInsertedHTML(() => {
    const script = side instanceof ServerSession ? side.script() : undefined;
    return script && <script {...script} />;
  });
  return (
    <DataProvider controller={side.controller} rendering={side.rendering}>
      {children}
    </DataProvider>
  );
}
