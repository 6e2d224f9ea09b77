import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Data } from './data.tsx';
import './style.css';

export const metadata: Metadata = { title: 'Rejoin, in the App Router', icons: 'data:,' };

/** The page is rendered for each request, and not at build time. */
export const dynamic = 'force-dynamic';

export default function Layout({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <html lang="en">
      <body>
        <Data>{children}</Data>
      </body>
    </html>
  );
}
