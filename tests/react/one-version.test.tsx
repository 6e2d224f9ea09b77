import * as React from 'react';
import { type ComponentType, type ReactNode, startTransition, Suspense, useState } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Endpoint } from 'rejoin';
import { DataProvider, useCache, useDLE, useFetch, useQuery, useSuspense } from 'rejoin/react';
import { click, expectSoon, Post, rest, show, travelling, until, world } from './harness.tsx';

const ARGS = { id: '1' };

function page(here: ReturnType<typeof world>, children: ReactNode, keepsScreen = false) {
  const { controller, getPost } = here;
  void controller.setResponse(getPost, ARGS, { id: '1', title: 'one' });
  return show(
    <DataProvider controller={controller} keepsScreen={keepsScreen}>
      {children}
    </DataProvider>,
  );
}

/** A world, and a component that fetches post 1 and shows it. */
function asking() {
  const here = world();
  const Asking = (): ReactNode => ` asked ${useSuspense(here.getPost, ARGS).title}`;
  return { ...here, here, Asking };
}

/** Renders two components, each with a fallback of its own. */
function separately(First: ComponentType, Second: ComponentType): ReactNode {
  return (
    <>
      <Suspense fallback=" loading">
        <First />
      </Suspense>
      <Suspense fallback=" loading">
        <Second />
      </Suspense>
    </>
  );
}

/** Shows post 1 twice, once with its request, and invalidates the request in an urgent change. */
async function invalidated(keepsScreen: boolean) {
  const { here, Asking } = asking();
  const { actions, Page } = travelling(here);
  const { frames, text } = page(here, separately(Asking, Page), keepsScreen);
  await until(() => text() === ' asked one one first');
  await rest();
  click(() => void here.controller.invalidate(here.getPost, ARGS));
  return { ...here, frames, text, actions };
}

/** Timers of this length never fire: on a busy machine, a test takes longer than they do. */
function withoutTimersOf(length: number): void {
  const { setTimeout } = globalThis;
  vi.stubGlobal('setTimeout', (run: () => void, milliseconds?: number) =>
    milliseconds === length ? undefined : setTimeout(run, milliseconds),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
}

describe('a hook whose request has failed', () => {
  const readers: Record<string, (here: ReturnType<typeof world>) => Post | undefined> = {
    useDLE: ({ getPost }) => useDLE(getPost, ARGS).data,
    useCache: ({ getPost }) => useCache(getPost, ARGS),
  };
  describe.each(Object.entries(readers))('%s', (_, read) => {
    function shownBeside() {
      const here = world();
      const { controller, getPost } = here;
      const Failing = (): ReactNode => ` ${read(here)?.title}`;
      const { actions, Page } = travelling(here);
      const shown = page(
        here,
        <Suspense fallback=" loading">
          <Page />
          <Failing />
        </Suspense>,
      );
      const write = (title: string): void => void controller.set(Post, ARGS, { id: '1', title });
      return {
        ...here,
        ...shown,
        actions,
        write,
        fail: () => void controller.setError(getPost, ARGS, new Error('no')),
      };
    }

    test('shows the current version of a record, and each later version', async () => {
      const { fail, write, text } = shownBeside();
      await until(() => text() === ' one first one');
      fail();
      await rest();
      expect(text()).toBe(' one first one');
      click(() => write('two'));
      expect(text()).toBe(' two first two');
    });

    test('shows the same version as other components while a transition is pending', async () => {
      const { actions, fail, frames, server, text, write } = shownBeside();
      await until(() => text() === ' one first one');
      fail();
      await rest();
      startTransition(() => {
        write('two');
        actions.go('2');
      });
      await until(() => server.asked.includes('post 2'));
      await rest();
      // The request fails again, in an urgent update.
      click(fail);
      await rest();
      expect(text()).toBe(' one first one');
      server.answer('post 2', { id: '2', title: 'second' });
      await until(() => text() === ' two second two');
      expect(frames).toEqual([' one first one', ' two second two']);
    });
  });
});

describe('a reset of the store', () => {
  function emptied(keepsScreen: boolean) {
    const { here, controller, Asking } = asking();
    const Query = (): ReactNode => ` query ${useQuery(Post, ARGS)?.title}`;
    const { actions, Page } = travelling(here);
    const shown = page(
      here,
      <>
        <Query />
        {separately(Asking, Page)}
      </>,
      keepsScreen,
    );
    return { ...here, ...shown, actions, reset: () => void controller.resetEntireStore() };
  }
  const full = ' query one asked one one first';
  const empty = ' query undefined loading undefined first';

  test.each([false, true])('empties the screen in one frame, with keepsScreen: %s', async (keepsScreen) => {
    const { frames, reset, text } = emptied(keepsScreen);
    await until(() => text() === full);
    await rest();
    click(reset);
    await until(() => text() === empty);
    expect(frames).toEqual([full, empty]);
  });

  test.each([false, true])(
    'empties the screen in one frame right after the first frame, with keepsScreen: %s',
    async (keepsScreen) => {
      const { frames, reset, text } = emptied(keepsScreen);
      await until(() => text() === full);
      reset();
      await until(() => text() === empty);
      expect(frames).toEqual([full, empty]);
    },
  );

  test('in a transition shows the fallback, and never an object without its members', async () => {
    const here = world();
    const { controller } = here;
    const getPage = new Endpoint(async () => new Promise<object>(() => {}), {
      name: 'getPage',
      schema: { items: [Post], next: '' },
    });
    const Items = (): ReactNode => ` ${useSuspense(getPage).items.length} items`;
    void controller.setResponse(getPage, { items: [{ id: '1' }], next: '' });
    const { text } = page(
      here,
      separately(Items, () => ' beside'),
    );
    await until(() => text() === ' 1 items beside');
    await rest();
    // Pending, because its answer is.
    startTransition(() => void controller.invalidate(getPage));
    await rest();
    click(() => void controller.resetEntireStore());
    await expectSoon(() => text() === ' loading beside');
  });

  test('empties the screen in one frame when a transition is committed at the same time', async () => {
    const { controller, frames, reset, text } = emptied(true);
    await until(() => text() === full);
    await rest();
    startTransition(() => void controller.set(Post, ARGS, { id: '1', title: 'two' }));
    reset();
    await until(() => text() === empty);
    expect(frames).toEqual([full, empty]);
  });
});

test('with keepsScreen, invalidated data is shown in its current version', async () => {
  const { here, controller, getPost, server, Asking } = asking();
  const Query = (): ReactNode => ` query ${useQuery(Post, ARGS)?.title}`;
  const { frames, text } = page(
    here,
    <Suspense fallback=" loading">
      <Query />
      <Asking />
    </Suspense>,
    true,
  );
  await until(() => text() === ' query one asked one');
  await rest();
  controller.batch(() => {
    void controller.invalidateAll(getPost);
    void controller.set(Post, ARGS, { id: '1', title: 'two' });
  });
  await until(() => text() === ' query two asked two');
  click(() => void controller.set(Post, ARGS, { id: '1', title: 'three' }));
  await rest();
  // The answer to a request that was sent before an edit does not undo the edit.
  server.answer('post 1', { id: '1', title: 'two' });
  await rest();
  click(() => void controller.set(Post, ARGS, { id: '1', title: 'four' }));
  await until(() => text() === ' query four asked four');
  expect(frames).toEqual([
    ' query one asked one',
    ' query two asked two',
    ' query three asked three',
    ' query four asked four',
  ]);
});

test('with keepsScreen, invalidated data stays on the screen during urgent changes until a pending answer is shown', async () => {
  const { controller, getPost, server, frames, text, actions } = await invalidated(true);
  await rest();
  startTransition(() => {
    void controller.setResponse(getPost, ARGS, { id: '1', title: 'two' });
    actions.go('2');
  });
  await until(() => server.asked.includes('post 2'));
  await rest();
  click(() => void controller.set(Post, ARGS, { id: '1', title: 'three' }));
  await rest();
  server.answer('post 2', { id: '2', title: 'second' });
  await until(() => text() === ' asked three three second');
  expect(frames).toEqual([' asked one one first', ' asked three three first', ' asked three three second']);
});

test('a component that suspends again shows the answer that arrives meanwhile, and not the data of a pending transition', async () => {
  // After 100 ms, a suspended reader does not wait any longer for the transition.
  withoutTimersOf(100);
  const { controller, getPost, server, frames, text, actions } = await invalidated(false);
  await until(() => text() === ' loading one first');
  startTransition(() => {
    void controller.setResponse(getPost, ARGS, { id: '1', title: 'two' });
    actions.go('2');
  });
  await until(() => server.asked.includes('post 2'));
  await rest();
  // The answer arrives meanwhile. It is older than the data of the transition.
  server.answer('post 1', { id: '1', title: 'one' });
  await until(() => text() === ' asked one one first');
  server.answer('post 2', { id: '2', title: 'second' });
  await until(() => text() === ' asked two two second');
  expect(frames).toEqual([
    ' asked one one first',
    ' loading one first',
    ' asked one one first',
    ' asked two two second',
  ]);
});

test('data that is invalidated twice in a transition stays on the screen until it has been fetched again', async () => {
  const { here, controller, getPosts, server, Asking } = asking();
  void controller.setResponse(getPosts, { page: 1 }, [{ id: '1', title: 'one' }]);
  const List = (): ReactNode => ` list ${useSuspense(getPosts, { page: 1 })[0]?.title}`;
  const { frames, text } = page(
    here,
    <Suspense fallback=" loading">
      <Asking />
      <List />
    </Suspense>,
  );
  await until(() => text() === ' asked one list one');
  startTransition(() => {
    void controller.invalidateAll({ testKey: () => true });
    void controller.invalidateAll({ testKey: () => true });
  });
  await until(() => server.asked.length === 2);
  await rest();
  click(() => void controller.expireAll({ testKey: () => true }));
  await rest();
  expect(frames).toEqual([' asked one list one']);
  server.answer('posts', [{ id: '1', title: 'two' }]);
  server.answer('post 1', { id: '1', title: 'two' });
  await until(() => text() === ' asked two list two');
  expect(frames).toEqual([' asked one list one', ' asked two list two']);
});

test.skipIf(!('use' in React))(
  'use(useFetch()) that suspends in a transition shows its answer in the frame in which other components show it',
  async () => {
    const here = world();
    const { controller, server, getPost } = here;
    let open = (): void => {};
    const Asking = (): ReactNode => ` asked ${React.use(useFetch(getPost, ARGS)).title}`;
    function Page(): ReactNode {
      const [isOpen, setOpen] = useState(false);
      open = () => setOpen(true);
      return isOpen ? <Asking /> : ' closed';
    }
    const Titles = (): ReactNode => ` ${useQuery(Post, ARGS)?.title} ${useQuery(Post, { id: '2' })?.title}`;
    const { frames, text } = page(here, separately(Page, Titles));
    await controller.set(Post, { id: '2' }, { id: '2', title: 'two' });
    await controller.invalidate(getPost, ARGS);
    await until(() => text() === ' closed one two');

    startTransition(open);
    await until(() => server.isWaiting('post 1'));
    await rest();
    startTransition(() => void controller.set(Post, { id: '2' }, { id: '2', title: 'second' }));
    await controller.invalidate(getPost, ARGS);
    server.answer('post 1', { id: '1', title: 'new' });

    await until(() => text() === ' asked new new second');
    expect(frames.filter((frame) => frame.includes('one') && frame.includes('new'))).toEqual([]);
  },
);

// React 18 renders all transitions together.
test.skipIf(!('use' in React))(
  'a component that changes its request in a transition, to one whose answer is in another pending transition, shows no fallback',
  async () => {
    const { here, controller, getPost, server } = asking();
    const { actions, Page } = travelling(here);
    let choose = (_id: string): void => {};
    const Known = (): ReactNode => ` ${useCache(getPost, { id: '3' })?.title ?? 'none'}`;
    function Chosen(): ReactNode {
      const [id, setId] = useState('1');
      choose = setId;
      return ` chosen ${useSuspense(getPost, { id }).title}`;
    }
    const { frames, text } = page(
      here,
      separately(Chosen, () => (
        <>
          <Known />
          <Page />
        </>
      )),
    );
    await until(() => text() === ' chosen one none one first');
    startTransition(() => {
      void controller.setResponse(getPost, { id: '3' }, { id: '3', title: 'three' });
      actions.go('2');
    });
    await until(() => server.asked.includes('post 2'));
    await rest();
    startTransition(() => choose('3'));
    await until(() => text() === ' chosen three three one first');
    server.answer('post 2', { id: '2', title: 'second' });
    await until(() => text() === ' chosen three three one second');
    // All components show the answer in the same frame, before the rest of its transition.
    expect(frames).toEqual([
      ' chosen one none one first',
      ' chosen three three one first',
      ' chosen three three one second',
    ]);
  },
);
