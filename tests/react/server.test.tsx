// @vitest-environment node
import { type ReactNode, Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Controller, Endpoint } from 'rejoin';
import { DataProvider, useDLE, useQuery, useSuspense } from 'rejoin/react';
import { Post, Server } from './harness.tsx';

function page() {
  const server = new Server();
  const controller = new Controller();
  const getPost = new Endpoint(({ id }: { id: string }) => server.ask(`post ${id}`), { name: 'getPost', schema: Post });
  const render = (children: ReactNode): string =>
    renderToString(
      <DataProvider controller={controller}>
        <Suspense fallback="loading">{children}</Suspense>
      </DataProvider>,
    );
  return { server, controller, getPost, render };
}

describe('on a server', () => {
  test('a provider without a controller throws, because all users would share one', () => {
    expect(() =>
      renderToString(
        <DataProvider>
          <p />
        </DataProvider>,
      ),
    ).toThrow('rendered on a server');
  });

  test('stored data is rendered', () => {
    const { controller, getPost, render } = page();
    void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'one' });
    function Title(): ReactNode {
      return `${useSuspense(getPost, { id: '1' }).title} ${useQuery(Post, { id: '1' })?.id}`;
    }
    expect(render(<Title />)).toContain('one 1');
  });

  test('missing data is requested once, also by hooks that do not wait for it', () => {
    const { getPost, render, server } = page();
    function State(): ReactNode {
      return useDLE(getPost, { id: '1' }).loading ? 'not yet' : 'there';
    }
    function Title(): ReactNode {
      return useSuspense(getPost, { id: '2' }).title;
    }
    expect(render(<State />)).toContain('not yet');
    expect(render(<State />)).toContain('not yet');
    expect(render(<Title />)).toContain('loading');
    expect(server.asked).toEqual(['post 1', 'post 2']);
  });
});
