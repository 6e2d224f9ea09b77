'use client';

import { useServerInsertedHTML } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { DataProvider } from 'rejoin/react';
import { ServerSession, takeOver } from 'rejoin/ssr';

/** In a browser, before anything is hydrated. */
const taken = typeof window === 'undefined' ? undefined : takeOver();

/** Around everything: a store for each page that a server renders, and the one of the browser. */
export function Data({ children }: { readonly children: ReactNode }): ReactNode {
  const [side] = useState(() => taken ?? new ServerSession());
  // Next calls it for each part of the page that it sends, and inserts the result before that part.
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
