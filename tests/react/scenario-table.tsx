import * as React from 'react';
import { memo, type ReactNode, startTransition, Suspense, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DataProvider, useQuery, useSuspense } from 'rejoin/react';
import {
  click,
  inProvider,
  mountLate,
  Post,
  rest,
  seen,
  show,
  blockThread,
  travelling,
  until,
  world,
} from './harness.tsx';

type World = ReturnType<typeof world>;
const Activity = (React as { Activity?: React.ComponentType<{ mode: 'visible' | 'hidden'; children: ReactNode }> })
  .Activity;

/** A page that shows one post, and can go to another. */
function paged({ controller, getPost }: World, keepsScreen = false) {
  const page: { go(id: string): void } = { go: () => {} };
  function Page(): ReactNode {
    const [id, setId] = useState('1');
    page.go = setId;
    return <Title id={id} />;
  }
  function Title({ id }: { id: string }): ReactNode {
    return useSuspense(getPost, { id }).title;
  }
  return { page, element: inProvider(controller, <Page />, keepsScreen) };
}

/** The same page, on which post 1 has been loaded and is shown as `one`. */
async function loaded(isStrict: boolean, keepsScreen = false) {
  const here = world();
  const { page, element } = paged(here, keepsScreen);
  const { frames } = show(element, { isStrict });
  await until(() => here.server.asked.length > 0);
  here.server.answer('post 1', { id: '1', title: 'one' });
  await until(() => frames.at(-1) === 'one');
  return { here, page, frames };
}

export function scenarioTable(isStrict: boolean): void {
  describe('arguments that change', () => {
    test('keep the screen when they change in a transition and their data is missing', async () => {
      const { here, page, frames } = await loaded(isStrict);

      startTransition(() => page.go('2'));
      await until(() => here.server.asked.includes('post 2'));
      await rest();
      here.server.answer('post 2', { id: '2', title: 'two' });
      await until(() => frames.at(-1) === 'two');

      expect(frames).toEqual(['loading', 'one', 'two']);
      expect(here.server.asked).toEqual(['post 1', 'post 2']);
    });
  });

  describe('a store that is invalidated', () => {
    test('keeps the screen when the change is in a transition', async () => {
      const { here, frames } = await loaded(isStrict);

      startTransition(() => void here.controller.invalidate(here.getPost, { id: '1' }));
      await until(() => here.server.asked.length === 2);
      await rest();
      here.server.answer('post 1', { id: '1', title: 'uno' });
      await until(() => frames.at(-1) === 'uno');

      expect(frames).toEqual(['loading', 'one', 'uno']);
      expect(here.server.asked).toHaveLength(2);
    });

    test.each([
      [false, ['loading', 'one', 'loading', 'uno']],
      [true, ['loading', 'one', 'uno']],
    ])('keeps the screen without a transition only with keepsScreen: %s', async (keepsScreen, expected) => {
      const { here, frames } = await loaded(isStrict, keepsScreen);
      await rest();

      void here.controller.invalidate(here.getPost, { id: '1' });
      await until(() => here.server.asked.length === 2);
      if (keepsScreen) await rest();
      else await until(() => frames.at(-1) === 'loading');
      here.server.answer('post 1', { id: '1', title: 'uno' });
      await until(() => frames.at(-1) === 'uno');

      expect(frames).toEqual(expected);
      expect(here.server.asked).toHaveLength(2);
    });

    test('keeps the screen after expireAll, and fetches the data again', async () => {
      const { here, frames } = await loaded(isStrict);
      await rest();

      void here.controller.expireAll(here.getPost);
      await until(() => here.server.asked.length === 2);
      here.server.answer('post 1', { id: '1', title: 'uno' });
      await until(() => frames.at(-1) === 'uno');
      await rest();

      expect(frames).toEqual(['loading', 'one', 'uno']);
      expect(here.server.asked).toHaveLength(2);
    });
  });

  describe('a write inside a transition that also navigates', () => {
    test('shows the old value in all readers, then the new value in all readers, also in a reader that is mounted meanwhile', async () => {
      const here = world();
      const { controller, server } = here;
      void controller.set(Post, { id: '1' }, { id: '1', title: 'old' });
      const { actions, Page } = travelling(here);
      const { frames } = show(inProvider(controller, <Page />), { isStrict });
      await until(() => frames.at(-1) === ' old first');

      await mountLate(here, actions, 'new');
      expect(frames.at(-1)).toBe(' old first old');
      server.answer('post 2', { id: '2', title: 'second' });
      await until(() => frames.at(-1) === ' new second new');

      expect(frames).toEqual([' old first', ' old first old', ' new second new']);
    });

    test('is not shown by an urgent change of the same list', async () => {
      const here = world();
      const { controller, getPost, getPosts, server } = here;
      void controller.setResponse(getPosts, { page: 1 }, [
        { id: '1', title: 'a' },
        { id: '2', title: 'b' },
      ]);
      const actions: { go(id: string): void } = { go: () => {} };
      function List(): ReactNode {
        return useSuspense(getPosts, { page: 1 })
          .map((post) => post.title)
          .join();
      }
      function Other({ id }: { id: string }): ReactNode {
        return useSuspense(getPost, id === '1' ? null : { id })?.title;
      }
      function Page(): ReactNode {
        const [id, go] = useState('1');
        actions.go = go;
        return (
          <>
            <List />
            <Other id={id} />
          </>
        );
      }
      const { frames } = show(inProvider(controller, <Page />), { isStrict });
      await until(() => frames.at(-1) === 'a,b');

      startTransition(() => {
        void controller.set(Post, { id: '1' }, { id: '1', title: 'A' });
        actions.go('3');
      });
      await until(() => server.asked.includes('post 3'));
      await rest();
      click(() => void controller.set(Post, { id: '2' }, { id: '2', title: 'B' }));
      await until(() => frames.length > 1);
      await rest();
      server.answer('post 3', { id: '3', title: '!' });
      await until(() => frames.at(-1) === 'A,B!');

      expect(frames).toEqual(['a,b', 'a,B', 'A,B!']);
    });
  });

  describe('a change during a time-sliced mount', () => {
    test('of 30 slow readers is shown by all of them or by none', async () => {
      const { controller } = world();
      void controller.set(Post, { id: '1' }, { id: '1', title: '0' });
      const actions = { open: (): void => {} };
      function Slow(): ReactNode {
        blockThread(4);
        return useQuery(Post, { id: '1' })?.title;
      }
      function Page(): ReactNode {
        const [isOpen, setOpen] = useState(false);
        actions.open = () => setOpen(true);
        return isOpen ? Array.from({ length: 30 }, (_, at) => <Slow key={at} />) : 'closed';
      }
      const { frames } = show(
        <DataProvider controller={controller}>
          <Page />
        </DataProvider>,
        { isStrict: false },
      );
      await until(() => frames.at(-1) === 'closed');

      startTransition(actions.open);
      let at = 0;
      await until(() => {
        if (at < 10) void controller.set(Post, { id: '1' }, { id: '1', title: String(++at % 10) });
        return frames.at(-1) !== 'closed' && at === 10;
      });
      await until(
        () => frames.at(-1) === '0'.repeat(30),
        () => frames.join('\n'),
      );

      for (const frame of frames.slice(1)) expect(new Set(frame).size).toBe(1);
    });

    test('that invalidates data of the new page in a transition keeps the screen', async () => {
      const { controller, getPost, server } = world();
      void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'one' });
      const actions = { open: (): void => {} };
      let rendered = 0;
      function Read(): ReactNode {
        return useSuspense(getPost, { id: '1' }).title;
      }
      function Slow(): ReactNode {
        rendered++;
        blockThread(6);
        return null;
      }
      function Page(): ReactNode {
        const [isOpen, setOpen] = useState(false);
        actions.open = () => setOpen(true);
        return isOpen ? [<Read key="read" />, ...Array.from({ length: 10 }, (_, at) => <Slow key={at} />)] : 'closed';
      }
      const { frames } = show(inProvider(controller, <Page />), { isStrict: false });
      await until(() => frames.at(-1) === 'closed');

      startTransition(actions.open);
      await until(() => rendered > 0);
      expect(frames).toEqual(['closed']);
      startTransition(() => void controller.invalidate(getPost, { id: '1' }));
      await until(() => server.asked.length === 1);
      await rest();
      server.answer('post 1', { id: '1', title: 'uno' });
      await until(() => frames.at(-1) === 'uno');

      // React 19 may show both transitions in one frame.
      expect(frames.filter((frame) => frame !== 'one')).toEqual(['closed', 'uno']);
    });
  });

  describe.skipIf(Activity === undefined)('an Activity', () => {
    test('that was hidden while the store changed shows the new value, and never the old one', async () => {
      const { controller } = world();
      const Hideable = Activity as NonNullable<typeof Activity>;
      void controller.set(Post, { id: '1' }, { id: '1', title: 'old' });
      function Title(): ReactNode {
        return useQuery(Post, { id: '1' })?.title;
      }
      const page = (mode: 'visible' | 'hidden'): ReactNode => (
        <DataProvider controller={controller}>
          <Hideable mode={mode}>
            <div>
              <Title />
            </div>
          </Hideable>
        </DataProvider>
      );
      const { frames, render } = show(page('visible'), { isStrict });
      await until(() => frames.at(-1) === 'old');
      render(page('hidden'));
      await until(() => frames.at(-1) === '');
      await rest();

      void controller.set(Post, { id: '1' }, { id: '1', title: 'new' });
      render(page('visible'));
      await until(() => frames.at(-1) === 'new');

      expect(frames).toEqual(['old', '', 'new']);
    });
  });

  describe('a page that was rendered on the server', () => {
    test('hydrates without a recoverable error and without a request, and follows changes', async () => {
      const { controller, getPost, server } = world();
      void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'sent' });
      function Title(): ReactNode {
        return <b>{useSuspense(getPost, { id: '1' }).title}</b>;
      }
      const container = document.createElement('div');
      container.innerHTML = '<!--$--><b>sent</b><!--/$-->';
      document.body.append(container);
      const errors: unknown[] = [];
      const root = hydrateRoot(
        container,
        <DataProvider controller={controller}>
          <Suspense fallback="loading">
            <Title />
          </Suspense>
        </DataProvider>,
        { onRecoverableError: (error) => errors.push(error) },
      );
      onTestFinished(() => {
        root.unmount();
        container.remove();
      });
      await rest();
      void controller.set(Post, { id: '1' }, { id: '1', title: 'changed' });
      await until(() => seen(container) === 'changed');

      expect(errors).toEqual([]);
      expect(server.asked).toEqual([]);
    });
  });

  describe('5,000 readers', () => {
    test('render once when one row changes, and never when a record that they do not show changes', async () => {
      const { controller } = world();
      const size = 5000;
      for (let at = 0; at < size; at++) void controller.set(Post, { id: `${at}` }, { id: `${at}`, title: `${at};` });
      void controller.set(Post, { id: 'x' }, { id: 'x', title: 'x' });
      let renders = 0;
      const Title = memo(function Title({ id }: { id: string }): ReactNode {
        renders++;
        return useQuery(Post, { id })?.title;
      });
      const { text } = show(
        <DataProvider controller={controller}>
          {Array.from({ length: size }, (_, at) => (
            <Title key={at} id={`${at}`} />
          ))}
        </DataProvider>,
        { isStrict: false },
      );
      await until(() => text().includes('4999;'));
      await rest();

      renders = 0;
      void controller.set(Post, { id: '2500' }, { id: '2500', title: 'changed;' });
      await until(() => text().includes('changed;'));
      await rest();
      expect(renders).toBe(1);

      void controller.set(Post, { id: 'x' }, { id: 'x', title: 'y' });
      await rest();
      expect(renders).toBe(1);
    });
  });
}
