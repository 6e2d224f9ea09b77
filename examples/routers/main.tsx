import { Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider as TanStackRouter } from '@tanstack/react-router';
import { createBrowserRouter, RouterProvider as ReactRouter } from 'react-router';
import { Controller, recommended } from 'rejoin';
import { DataProvider } from 'rejoin/react';
import { postsApi } from './api.ts';
import { routesOf } from './react-router.tsx';
import { routerOf } from './tanstack-router.tsx';

globalThis.fetch = postsApi().fetch;
const controller = new Controller(recommended());
const isTanStack = new URLSearchParams(location.search).has('tanstack');
const page = isTanStack ? (
  <TanStackRouter router={routerOf(controller)} />
) : (
  <ReactRouter router={createBrowserRouter(routesOf(controller))} />
);

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root.');
createRoot(root).render(
  <DataProvider controller={controller}>
    <Suspense fallback={<p>Loading …</p>}>{page}</Suspense>
  </DataProvider>,
);
