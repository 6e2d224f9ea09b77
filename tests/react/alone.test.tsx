import { type ReactNode, Suspense } from 'react';
import { expect, test } from 'vitest';
import { ControllerContext, DataProvider, useCache, useController, useDLE, useQuery, useSuspense } from 'rejoin/react';
import { Post, rest, show, until, world } from './harness.tsx';

type World = ReturnType<typeof world>;

function Title({ getPost }: Pick<World, 'getPost'>): ReactNode {
  const { title } = useSuspense(getPost, { id: '1' });
  const cached = useCache(getPost, { id: '1' })?.title;
  const { data } = useDLE(getPost, { id: '1' });
  return [title, cached, data?.title, useQuery(Post, { id: '1' })?.title].join(' ');
}

/** A page below a ControllerContext, without a DataProvider. */
const alone = (here: World): ReactNode => (
  <ControllerContext.Provider value={here.controller}>
    <Suspense fallback="loading">
      <Title {...here} />
    </Suspense>
  </ControllerContext.Provider>
);

test('hooks below a ControllerContext without a DataProvider show each change of the store', async () => {
  const here = world();
  const { text, unmount } = show(alone(here));
  await until(() => here.server.isWaiting('post 1'));
  here.server.answer('post 1', { id: '1', title: 'a' });
  await until(() => text() === 'a a a a');
  // Without a provider it is not known when a change is on the screen.
  await here.controller.set(Post, { id: '1' }, { id: '1', title: 'b' });
  await until(() => text() === 'b b b b');
  expect(here.server.asked).toEqual(['post 1']);
  unmount();
});

test('a ControllerContext inside a DataProvider replaces the controller of that provider', async () => {
  const [outer, inner] = [world(), world()];
  function Outside(): ReactNode {
    return `${useController() === outer.controller} `;
  }
  const { text } = show(
    <DataProvider controller={outer.controller}>
      <Outside />
      {alone(inner)}
    </DataProvider>,
  );
  await until(() => inner.server.isWaiting('post 1'));
  inner.server.answer('post 1', { id: '1', title: 'inner' });
  await until(() => text() === 'true inner inner inner inner');
  await outer.controller.set(Post, { id: '1' }, { id: '1', title: 'outer' });
  await rest();
  expect(text()).toBe('true inner inner inner inner');
});
