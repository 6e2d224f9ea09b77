import { hydrateRoot } from 'react-dom/client';
import { DataProvider } from 'rejoin/react';
import { takeOver } from 'rejoin/ssr';
import { Page } from './app.tsx';

const errors: string[] = [];
const { controller, rendering } = takeOver();
hydrateRoot(
  document,
  <DataProvider controller={controller} rendering={rendering}>
    <Page />
  </DataProvider>,
  { onRecoverableError: (error) => errors.push(String(error)) },
);

// Used by the test of this page.
Object.assign(globalThis, { hydrationErrors: errors });
