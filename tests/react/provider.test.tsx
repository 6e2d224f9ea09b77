import { memo, type ReactNode, startTransition, Suspense } from 'react';
import { expect, test } from 'vitest';
import { DataProvider, useQuery } from 'rejoin/react';
import { click, Post, rest, show, travelling, until, world } from './harness.tsx';

test('A provider that is rendered again while a transition is pending leaves readers alone that came meanwhile', async () => {
  const here = world();
  const { controller, server } = here;
  void controller.set(Post, { id: '1' }, { id: '1', title: 'oldest' });
  let renders = 0;
  const Late = memo(function Late(): ReactNode {
    renders++;
    return ` ${useQuery(Post, { id: '1' })?.title}`;
  });
  const { actions, Page } = travelling(here, Late);
  const page = (): ReactNode => (
    <DataProvider controller={controller}>
      <Suspense fallback="loading">
        <Page />
      </Suspense>
    </DataProvider>
  );
  const { frames, render } = show(page(), { isStrict: false });
  await until(() => frames.at(-1) === ' oldest first');
  await rest();
  void controller.set(Post, { id: '1' }, { id: '1', title: 'old' });
  await until(() => frames.at(-1) === ' old first');
  startTransition(() => {
    void controller.set(Post, { id: '1' }, { id: '1', title: 'new' });
    actions.go('2');
  });
  await until(() => server.asked.includes('post 2'));
  await rest();
  click(() => actions.more(true));
  await rest();
  expect(frames.at(-1)).toBe(' old first old');

  renders = 0;
  click(() => render(page()));
  await rest();
  expect(renders).toBe(0);

  server.answer('post 2', { id: '2', title: 'second' });
  await until(() => frames.at(-1) === ' new second new');
});
