// @vitest-environment happy-dom
import { createElement, type ReactNode } from 'react';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryHistory, RouterProvider as TanStackRouter } from '@tanstack/react-router';
import { createMemoryRouter, RouterProvider as ReactRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Controller, recommended } from 'rejoin';
import { DataProvider } from 'rejoin/react';
import { postsApi } from './api.ts';
import { routesOf } from './react-router.tsx';
import { routerOf } from './tanstack-router.tsx';

// The default is one second, which can be too short on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const api = postsApi();
let controller = new Controller();

beforeEach(() => {
  api.asked.length = 0;
  vi.stubGlobal('fetch', api.fetch);
  vi.stubGlobal('scrollTo', () => {});
  controller = new Controller(recommended());
});

afterEach(() => {
  cleanup();
  controller.dispose();
  vi.unstubAllGlobals();
});

const pages: Readonly<Record<string, () => ReactNode>> = {
  'React Router': () => createElement(ReactRouter, { router: createMemoryRouter(routesOf(controller)) }),
  'TanStack Router': () =>
    createElement(TanStackRouter, { router: routerOf(controller, createMemoryHistory({ initialEntries: ['/'] })) }),
};

describe.each(Object.entries(pages))('with %s', (name, page) => {
  const linkTo = (title: string): Promise<HTMLElement> => screen.findByRole('link', { name: title });
  const open = (): void => void render(createElement(DataProvider, { controller }, page()));

  test('a link that is hovered starts the request, and its page sends no other', async () => {
    open();
    const link = await linkTo('Tables');
    fireEvent[name === 'React Router' ? 'pointerEnter' : 'mouseOver'](link);
    await expect.poll(() => api.asked).toEqual(['/api/posts', '/api/posts/2']);
    fireEvent.click(link);
    await screen.findByText('All about Tables.');
    expect(api.asked).toEqual(['/api/posts', '/api/posts/2']);
  });

  test('a loader starts the request of a page, and fresh data is not fetched again', async () => {
    open();
    fireEvent.click(await linkTo('Joins'));
    await screen.findByText('All about Joins.');
    fireEvent.click(await linkTo('Relations'));
    await screen.findByText('All about Relations.');
    fireEvent.click(await linkTo('Joins'));
    await screen.findByText('All about Joins.');
    expect(api.asked).toEqual(['/api/posts', '/api/posts/1', '/api/posts/3']);
  });
});
