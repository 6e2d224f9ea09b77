import * as React from 'react';
import { type ComponentType, Profiler, type ReactNode, startTransition, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { AsyncBoundary, DataProvider, useFetch, useInfinite, useQuery, useSuspense } from 'rejoin/react';
import { Post, seen, show, type Shown, turn, until, world } from './harness.tsx';

/** The production builds have no `act`. */
const act = (React as { act?: (run: () => void) => void }).act;
const use = (React as { use?: <Value>(promise: Promise<Value>) => Value }).use;
type World = ReturnType<typeof world>;

/** Hooks that suspend, each as a component that shows the title of post 1. */
function suspending({ getPost, getPosts }: World): readonly (readonly [name: string, Title: ComponentType])[] {
  const titles: [string, ComponentType][] = [
    ['useSuspense', () => useSuspense(getPost, { id: '1' }).title],
    [
      'useInfinite',
      () =>
        useInfinite(getPosts, { page: 1 }, { next: () => undefined })
          .pages.flat()
          .map(({ title }) => title),
    ],
  ];
  if (use !== undefined) titles.push(['use(useFetch())', () => use(useFetch(getPost, { id: '1' })).title]);
  return titles;
}

const HOOKS = use === undefined ? ['useSuspense', 'useInfinite'] : ['useSuspense', 'useInfinite', 'use(useFetch())'];

/** A page that has requested its post, and the function that answers the request. */
async function waiting(hook: string, isStrict: boolean) {
  const here = world();
  const { controller, server } = here;
  const Title = suspending(here).find(([name]) => name === hook)?.[1] as ComponentType;
  let renders = 0;
  void controller.set(Post, { id: '2' }, { id: '2', title: 'other' });
  function Other(): ReactNode {
    renders++;
    return useQuery(Post, { id: '2' })?.title;
  }
  const shown = show(
    <DataProvider controller={controller}>
      <Other />
      <Suspense fallback=" loading">
        <p>
          <Title />
        </p>
      </Suspense>
    </DataProvider>,
    { isStrict },
  );
  await until(() => shown.text() === 'other loading');
  await turn();
  const answer = (): void =>
    hook === 'useInfinite'
      ? server.answer('posts', [{ id: '1', title: ' one' }])
      : server.answer('post 1', { id: '1', title: ' one' });
  return { ...here, ...shown, answer, rendersOfOthers: () => renders };
}

/** React holds a fallback for hundreds of milliseconds, which are more turns than these, on a busy machine too. */
const AT_ONCE = 20;

/** How many turns of the event loop it takes from the commit of an answer until a text is on the screen. */
async function turnsOf(
  { controller, container }: Pick<World & Shown, 'controller' | 'container'>,
  answer: () => void,
  text: string,
) {
  let isCommitted = false;
  let isShown = false;
  onTestFinished(controller.store.onCommit(() => void (isCommitted = true)));
  const observer = new MutationObserver(() => {
    isShown ||= seen(container) === text;
  });
  observer.observe(container, { subtree: true, childList: true, characterData: true, attributes: true });
  onTestFinished(() => observer.disconnect());
  answer();
  await until(() => isCommitted);
  let turns = 0;
  await until(() => {
    turns++;
    return isShown;
  });
  return turns;
}

export function firstLoad(): void {
  // The tests after it then measure the library, and not the first run of the code in a browser.
  test('the very first load of a page shows its text', async () => {
    const { answer, text } = await waiting('useSuspense', false);
    answer();
    await until(() => text() === 'other one');
    expect(text()).toBe('other one');
  });

  describe.each([true, false])('a first load, in StrictMode: %s', (isStrict) => {
    test.each(HOOKS)('of %s is on the screen at once when the answer is in the store', async (hook) => {
      const page = await waiting(hook, isStrict);
      expect(await turnsOf(page, page.answer, 'other one')).toBeLessThan(AT_ONCE);
    });

    test('below an inner provider of the same controller is on the screen at once', async () => {
      const { controller, getPost, server } = world();
      const Title = (): ReactNode => useSuspense(getPost, { id: '1' }).title;
      const shown = show(
        <DataProvider controller={controller}>
          <DataProvider controller={controller}>
            <Suspense fallback="loading">
              <Title />
            </Suspense>
          </DataProvider>
        </DataProvider>,
        { isStrict },
      );
      await until(() => shown.text() === 'loading');
      await turn();
      const turns = await turnsOf(
        { controller, ...shown },
        () => server.answer('post 1', { id: '1', title: 'one' }),
        'one',
      );
      expect(turns).toBeLessThan(AT_ONCE);
    });

    test('of one boundary among others is on the screen at once', async () => {
      const { controller, getPost, server } = world();
      const Title = ({ id }: { id: string }): ReactNode => useSuspense(getPost, { id }).title;
      const ids = ['1', '2', '3'];
      const shown = show(
        <DataProvider controller={controller}>
          {ids.map((id) => (
            <Suspense key={id} fallback=" …">
              <p>
                <Title id={id} />
              </p>
            </Suspense>
          ))}
        </DataProvider>,
        { isStrict },
      );
      await until(() => shown.text() === ' … … …');
      await turn();
      const answer = (): void => server.answer('post 2', { id: '2', title: ' two' });
      expect(await turnsOf({ ...shown, controller }, answer, ' … two …')).toBeLessThan(AT_ONCE);
    });

    test('around content that is still loading is on the screen at once', async () => {
      const { controller, getPost, server } = world();
      const Titled = ({ id, children }: { id: string; children?: ReactNode }): ReactNode => (
        <p>
          {useSuspense(getPost, { id }).title}
          {children}
        </p>
      );
      const shown = show(
        <DataProvider controller={controller}>
          <AsyncBoundary fallback="loading">
            <Titled id="1">
              <AsyncBoundary fallback=" …">
                <Titled id="2" />
              </AsyncBoundary>
            </Titled>
          </AsyncBoundary>
        </DataProvider>,
        { isStrict },
      );
      await until(() => shown.text() === 'loading');
      await turn();
      const answer = (): void => server.answer('post 1', { id: '1', title: 'one' });
      expect(await turnsOf({ ...shown, controller }, answer, 'one …')).toBeLessThan(AT_ONCE);
      await until(() => server.isWaiting('post 2'));
      const answerInside = (): void => server.answer('post 2', { id: '2', title: ' two' });
      expect(await turnsOf({ ...shown, controller }, answerInside, 'one two')).toBeLessThan(AT_ONCE);
    });

    // The production builds have no `Profiler`. In React 19 the provider changes a context.
    const hasOneRender = inject('build').react === '18' && inject('build').mode === 'development';
    test.skipIf(!hasOneRender)('without an AsyncBoundary changes no state of the provider in React 18', async () => {
      const { controller, getPost, server } = world();
      const Title = (): ReactNode => useSuspense(getPost, { id: '1' }).title;
      let commits = 0;
      const shown = show(
        <Profiler id="page" onRender={() => commits++}>
          <DataProvider controller={controller}>
            <Suspense fallback="loading">
              <Title />
            </Suspense>
          </DataProvider>
        </Profiler>,
        { isStrict },
      );
      await until(() => shown.text() === 'loading');
      await turn();
      commits = 0;
      server.answer('post 1', { id: '1', title: 'one' });
      await until(() => shown.text() === 'one');
      expect(commits).toBe(1);
    });

    test.each(HOOKS)('of %s renders no other component', async (hook) => {
      const { answer, rendersOfOthers, text } = await waiting(hook, isStrict);
      const before = rendersOfOthers();
      answer();
      await until(() => text() === 'other one');
      expect(rendersOfOthers()).toBe(before);
    });
  });

  describe.skipIf(inject('build').mode === 'production')('a first render inside a synchronous act()', () => {
    test.each(HOOKS)('of %s shows its text when the answer arrives', async (hook) => {
      const here = world();
      const Title = suspending(here).find(([name]) => name === hook)?.[1] as ComponentType;
      const surroundings = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
      // React also reports that the answer came outside of an act().
      const silence = vi.spyOn(console, 'error').mockImplementation(() => {});
      surroundings.IS_REACT_ACT_ENVIRONMENT = true;
      onTestFinished(() => {
        delete surroundings.IS_REACT_ACT_ENVIRONMENT;
        silence.mockRestore();
      });
      const container = document.createElement('div');
      const root = createRoot(container);
      act?.(() =>
        root.render(
          <DataProvider controller={here.controller}>
            <Suspense fallback="loading">
              <Title />
            </Suspense>
          </DataProvider>,
        ),
      );
      expect(container.textContent).toBe('loading');
      if (hook === 'useInfinite') here.server.answer('posts', [{ id: '1', title: 'one' }]);
      else here.server.answer('post 1', { id: '1', title: 'one' });
      await until(() => container.textContent === 'one');
      root.unmount();
    });
  });

  describe('an answer for a pending transition', () => {
    test('is shown without a fallback', async () => {
      const here = world();
      const { controller, getPost, server } = here;
      void controller.set(Post, { id: '1' }, { id: '1', title: 'one' });
      const actions: { go(id: string): void } = { go: () => {} };
      function Page(): ReactNode {
        const [id, go] = useState('1');
        actions.go = go;
        return useSuspense(getPost, { id }).title;
      }
      function Aside(): ReactNode {
        return ` ${useSuspense(getPost, { id: '3' }).title}`;
      }
      const { frames } = show(
        <DataProvider controller={controller}>
          <Suspense fallback="loading">
            <Page />
          </Suspense>
          <Suspense fallback=" …">
            <Aside />
          </Suspense>
        </DataProvider>,
      );
      await until(() => frames.at(-1) === 'one …');
      startTransition(() => actions.go('2'));
      await until(() => server.isWaiting('post 2'));
      server.answer('post 3', { id: '3', title: 'three' });
      await until(() => frames.at(-1) === 'one three');
      server.answer('post 2', { id: '2', title: 'two' });
      await until(() => frames.at(-1) === 'two three');
      expect(frames).toEqual(['one …', 'one three', 'two three']);
    });
  });
}
