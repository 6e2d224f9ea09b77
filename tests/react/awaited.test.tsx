import * as React from 'react';
import { type ReactNode, startTransition, Suspense, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { Collection, Endpoint } from 'rejoin';
import { DataProvider, useFetch, useInfinite, useMutation, useQuery, useSuspense } from 'rejoin/react';
import { expectSoon, Post, rest, Server, show, until, world } from './harness.tsx';

/** Mounts a component below a provider and a boundary, and waits until it is on the screen. */
async function page(Shown: () => ReactNode, { isStrict = true } = {}) {
  const around = world();
  const { controller } = around;
  const shown = show(
    <DataProvider controller={controller}>
      <Suspense fallback="loading">
        <Shown />
      </Suspense>
    </DataProvider>,
    { isStrict },
  );
  await rest();
  return { ...around, ...shown };
}

/** The title of post 1. */
function Title(): ReactNode {
  return useQuery(Post, { id: '1' })?.title ?? 'none';
}

const posts = new Collection([Post]);

describe.each([true, false])('a change that is awaited (StrictMode: %s)', (isStrict) => {
  test('is on the screen after set, setResponse, fetch and resetEntireStore', async () => {
    const { controller, server, getPost, text } = await page(Title, { isStrict });
    await controller.set(Post, { id: '1' }, { id: '1', title: 'set' });
    expect(text()).toBe('set');
    await controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'response' });
    expect(text()).toBe('response');
    server.respond = () => ({ id: '1', title: 'fetched' });
    await controller.fetch(getPost, { id: '1' });
    expect(text()).toBe('fetched');
    await controller.resetEntireStore();
    expect(text()).toBe('none');
  });

  test('is on the screen after dispatch', async () => {
    const { controller, text } = await page(Title, { isStrict });
    const value = { id: '1', title: 'dispatched' };
    await controller.dispatch({ type: 'rejoin/set', schema: Post, args: [{ id: '1' }], value });
    expect(text()).toBe('dispatched');
  });

  test('is not on the screen yet when only controller.request() is awaited', async () => {
    const { controller, getPost, server, text } = await page(Title, { isStrict });
    server.respond = () => ({ id: '1', title: 'a' });
    expect(await controller.request(getPost, { id: '1' })).toMatchObject({ title: 'a' });
    expect(text()).toBe('none');
    await expectSoon(() => text() === 'a');
  });

  test('is on the screen of every root that shows it, and does not wait for other roots', async () => {
    const { controller, text } = await page(Title, { isStrict });
    const other = show(
      <DataProvider controller={controller}>
        <Title />
      </DataProvider>,
    );
    show(<DataProvider controller={controller}>nothing</DataProvider>);
    await rest();
    await controller.set(Post, { id: '1' }, { id: '1', title: 'a' });
    expect([text(), other.text()]).toEqual(['a', 'a']);
  });

  test('has its row in the document, with its ref set and its effects run', async () => {
    const refs: Record<string, HTMLElement | null> = {};
    const effects: string[] = [];
    function Row({ post }: { post: Post }): ReactNode {
      useEffect(() => void effects.push(post.title), [post]);
      return <li ref={(element) => void (refs[post.id] = element)}>{post.title}</li>;
    }
    function List(): ReactNode {
      return useQuery(posts)?.map((post) => <Row key={post.id} post={post} />);
    }
    const { controller, server } = await page(List, { isStrict });
    await controller.set(posts, []);
    const create = new Endpoint(server.answers<[{ title: string }]>('create'), {
      name: 'create',
      schema: posts.push,
      sideEffect: true,
    });
    const creating = controller.fetch(create, { title: 'a' });
    server.answer('create', { id: '7', title: 'a' });
    const { id } = await creating;
    expect(refs[id]?.textContent).toBe('a');
    expect(new Set(effects)).toEqual(new Set(['a']));
  });

  test('is on a screen that showed a fallback before', async () => {
    const { getPost, ...around } = world();
    const { controller, server } = around;
    function Shown(): ReactNode {
      return useSuspense(getPost, { id: '1' }).title;
    }
    const { text } = show(
      <DataProvider controller={controller}>
        <Suspense fallback="loading">
          <Shown />
        </Suspense>
      </DataProvider>,
      { isStrict },
    );
    await until(() => server.isWaiting('post 1'));
    const fetching = controller.fetch(getPost, { id: '1' });
    server.answer('post 1', { id: '1', title: 'a' });
    await fetching;
    // React 18 renders a suspended component again in a later turn.
    if ('use' in React) expect(text()).toBe('a');
    await expectSoon(() => text() === 'a');
  });

  test('rejects after its optimistic value has left the screen', async () => {
    const { controller, server, text } = await page(Title, { isStrict });
    await controller.set(Post, { id: '1' }, { id: '1', title: 'a' });
    const rename = new Endpoint(({ id }: { id: string; title: string }) => server.ask(`rename ${id}`), {
      name: 'rename',
      schema: Post,
      sideEffect: true,
      getOptimisticResponse: (_, body) => body,
    });
    const renaming = controller.fetch(rename, { id: '1', title: 'b' }).catch(() => text());
    await until(() => text() === 'b');
    server.fail('rename 1', new Error('no'));
    expect(await renaming).toBe('a');
  });

  test('resolves when no component shows it, and when no provider is mounted', async () => {
    const { controller, unmount, root } = await page(Title, { isStrict });
    await controller.set(Post, { id: '2' }, { id: '2', title: 'b' });
    const setting = controller.set(Post, { id: '1' }, { id: '1', title: 'a' });
    root.render(null);
    await setting;
    unmount();
    await controller.set(Post, { id: '1' }, { id: '1', title: 'c' });
    expect(controller.get(Post, { id: '1' })?.title).toBe('c');
  });
});

describe('a change that is awaited in a transition', () => {
  test('is on the screen together with the transition', async () => {
    const { controller, text } = await page(Title);
    let setting: Promise<void> | undefined;
    startTransition(() => {
      setting = controller.set(Post, { id: '1' }, { id: '1', title: 'a' });
    });
    await setting;
    expect(text()).toBe('a');
  });

  test('is on the screen together with a transition that React renders in several tasks', async () => {
    const { controller, text } = await page(() => {
      const title = useQuery(Post, { id: '1' })?.title;
      return Array.from({ length: 4 }, (_, at) => <Slow key={at} title={title} />);
    });
    function Slow({ title = 'none' }: { title: string | undefined }): ReactNode {
      // Longer than a time slice of React.
      if (title !== 'none') for (const start = performance.now(); performance.now() - start < 8;);
      return `${title} `;
    }
    let setting: Promise<void> | undefined;
    startTransition(() => {
      setting = controller.set(Post, { id: '1' }, { id: '1', title: 'a' });
    });
    await setting;
    expect(text()).toBe('a a a a ');
  });

  test.each(['awaited', 'not awaited'])('does not wait for the end of a suspended transition (%s)', async (how) => {
    const never = new Promise<never>(() => {});
    let go: (id: string) => void = () => {};
    function Other({ id }: { id: string }): ReactNode {
      // oxlint-disable-next-line typescript/only-throw-error -- a promise is what React waits for
      if (id !== '') throw never;
      return '';
    }
    function Shown(): ReactNode {
      const [id, setId] = useState('');
      go = setId;
      return (
        <>
          <Title />
          <Other id={id} />
        </>
      );
    }
    const { controller, text } = await page(Shown);
    let setting: Promise<void> | undefined;
    startTransition(() => {
      go('1');
      if (how === 'awaited') setting = controller.set(Post, { id: '1' }, { id: '1', title: 'a' });
      else controller.store.write(Post, { id: '1', title: 'a' });
    });
    expect(await Promise.race([Promise.resolve(setting).then(() => 'tried'), rest()])).toBe('tried');
    await rest();
    expect(text()).toBe('none');
    // A change outside of the transition is waited for as usual.
    const other = controller.set(Post, { id: '1' }, { id: '1', title: 'b' });
    expect(await Promise.race([other.then(() => 'shown'), rest()])).toBe('shown');
    expect(text()).toBe('b');
  });

  // An async function is an action in React 19: React renders its changes when it is over.
  test.each(['set', 'fetch', 'mutate'])('does not wait for the end of the action that awaits it (%s)', async (how) => {
    const server = new Server();
    server.respond = () => ({ id: '1', title: 'c' });
    const save = new Endpoint(() => server.ask('save'), {
      name: 'save',
      schema: Post,
      sideEffect: true,
      getOptimisticResponse: () => ({ id: '1', title: 'b' }),
    });
    let mutate: (() => Promise<unknown>) | undefined;
    const { controller, text } = await page(() => {
      ({ mutate } = useMutation(save));
      return <Title />;
    });
    await controller.set(Post, { id: '1' }, { id: '1', title: 'a' });
    const change = {
      set: () => controller.set(Post, { id: '1' }, { id: '1', title: 'c' }),
      fetch: () => controller.fetch(save),
      mutate: () => mutate?.(),
    }[how];
    let isOver = false;
    startTransition(async () => {
      await change?.();
      isOver = true;
    });
    await rest();
    expect(isOver).toBe(true);
    await expectSoon(() => text() === 'c');
  });

  test('is shown while the action that made it awaits the answer, if it is optimistic', async () => {
    const { controller, server, text } = await page(Title);
    await controller.set(Post, { id: '1' }, { id: '1', title: 'a' });
    const save = new Endpoint((title: string) => server.ask(title), {
      name: 'save',
      schema: Post,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, title) => ({ id: '1', title }),
    });
    const act = (title: string) =>
      startTransition(async () => {
        await controller.fetch(save, title).catch(() => {});
      });
    act('b');
    await expectSoon(() => text() === 'b');
    act('c');
    await expectSoon(() => text() === 'c');
    server.fail('c', new Error('refused'));
    await expectSoon(() => text() === 'b');
    server.fail('b', new Error('refused'));
    await expectSoon(() => text() === 'a');
  });

  test('resolves when the whole root suspends', async () => {
    const { controller } = world();
    const never = new Promise<never>(() => {});
    let go: (isGone: boolean) => void = () => {};
    function Shown(): ReactNode {
      const [isGone, setGone] = useState(false);
      go = setGone;
      // oxlint-disable-next-line typescript/only-throw-error -- a promise is what React waits for
      if (isGone) throw never;
      return <Title />;
    }
    const { text } = show(
      <DataProvider controller={controller}>
        <Shown />
      </DataProvider>,
    );
    await rest();
    let setting: Promise<void> | undefined;
    startTransition(() => {
      go(true);
      setting = controller.set(Post, { id: '1' }, { id: '1', title: 'a' });
    });
    await setting;
    expect(text()).toBe('none');
  });
});

describe('a component that waits for an answer', () => {
  type GetPost = ReturnType<typeof world>['getPost'];
  const hooks: Readonly<Record<string, (getPost: GetPost) => string>> = {
    useSuspense: (getPost) => useSuspense(getPost, { id: '1' }).title,
    useInfinite: (getPost) =>
      useInfinite(getPost, { id: '1' }, { next: () => undefined })
        .pages.map(({ title }) => title)
        .join(),
  };
  test.each(Object.entries(hooks))('shows data at once that is stored meanwhile (%s)', async (_, use) => {
    for (const how of ['set', 'setResponse', 'list'] as const) {
      const { controller, server, getPost, getPosts } = world();
      function Shown(): ReactNode {
        return use(getPost);
      }
      const { text, frames } = show(
        <DataProvider controller={controller}>
          <Suspense fallback="loading">
            <Shown />
          </Suspense>
        </DataProvider>,
      );
      await until(() => server.isWaiting('post 1'));
      const post = { id: '1', title: how };
      if (how === 'set') void controller.set(Post, { id: '1' }, post);
      if (how === 'setResponse') void controller.setResponse(getPost, { id: '1' }, post);
      if (how === 'list') {
        void controller.fetch(getPosts, { page: 1 });
        server.answer('posts', [post]);
      }
      await until(() => text() === how);
      // The request was sent before.
      server.answer('post 1', { id: '1', title: 'answer' });
      await rest();
      expect(frames).toEqual(['loading', how]);
      expect(server.asked.filter((name) => name === 'post 1')).toHaveLength(1);
    }
  });
});

describe.runIf(inject('build').mode === 'development')('inside act()', () => {
  const { act } = React;
  const surroundings = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  beforeEach(() => {
    surroundings.IS_REACT_ACT_ENVIRONMENT = true;
    vi.spyOn(console, 'error').mockImplementation(() => {});
    return () => {
      delete surroundings.IS_REACT_ACT_ENVIRONMENT;
      vi.restoreAllMocks();
    };
  });

  test('an awaited change does not wait for the render at the end of act()', async () => {
    const { controller, getPost, server, text } = await page(Title);
    server.respond = () => ({ id: '1', title: 'a' });
    await act(async () => {
      await controller.fetch(getPost, { id: '1' });
      await controller.set(Post, { id: '1' }, { id: '1', title: 'b' });
    });
    expect(text()).toBe('b');
    let setting: Promise<void> | undefined;
    act(() => {
      setting = controller.set(Post, { id: '1' }, { id: '1', title: 'c' });
    });
    expect(text()).toBe('c');
    await setting;
    await controller.set(Post, { id: '1' }, { id: '1', title: 'd' });
    expect(text()).toBe('d');
  });

  test.skipIf(!('use' in React))('use(useFetch()) shows an answer that comes after a synchronous act()', async () => {
    const { controller, getPost, server } = world();
    function Shown(): ReactNode {
      return React.use(useFetch(getPost, { id: '1' })).title;
    }
    const container = document.createElement('div');
    const root = createRoot(container);
    onTestFinished(() => root.unmount());
    act(() =>
      root.render(
        <DataProvider controller={controller}>
          <Suspense fallback="loading">
            <Shown />
          </Suspense>
        </DataProvider>,
      ),
    );
    expect(container.textContent).toBe('loading');
    server.answer('post 1', { id: '1', title: 'a' });
    await expectSoon(() => container.textContent === 'a');
  });

  test.skipIf(!('use' in React))(
    'use(useFetch()) needs no boundary below a provider with a controller of its own',
    async () => {
      const server = new Server();
      const getPost = new Endpoint(server.answers<[{ id: string }]>('post 1'), { name: 'getPost', schema: Post });
      function Shown(): ReactNode {
        return React.use(useFetch(getPost, { id: '1' })).title;
      }
      const container = document.createElement('div');
      const root = createRoot(container);
      onTestFinished(() => root.unmount());
      act(() =>
        root.render(
          <DataProvider>
            <Shown />
          </DataProvider>,
        ),
      );
      server.answer('post 1', { id: '1', title: 'a' });
      await expectSoon(() => container.textContent === 'a');
    },
  );
});
