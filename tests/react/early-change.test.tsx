import { type ReactNode, startTransition, Suspense, useEffect, useState } from 'react';
import { describe, expect, test } from 'vitest';
import { DataProvider, useSuspense } from 'rejoin/react';
import { click, rest, show, travelling, until, world } from './harness.tsx';

const ARGS = { id: '1' };

/** A page in which the effect of one component makes a change in a transition, before the effects of the next component. */
async function changedInEffect(change: (here: ReturnType<typeof world>, go: (id: string) => void) => void) {
  const here = world();
  const { controller, getPost } = here;
  void controller.setResponse(getPost, ARGS, { id: '1', title: 'one' });
  const { actions, Page } = travelling(here);
  let count = (): void => {};
  function Counting(): ReactNode {
    const [clicks, setClicks] = useState(0);
    count = () => setClicks(clicks + 1);
    return ` ${useSuspense(getPost, ARGS).title} after ${clicks}`;
  }
  function Changing(): ReactNode {
    useEffect(() => startTransition(() => change(here, actions.go)), []);
    return '';
  }
  const shown = show(
    <DataProvider controller={controller}>
      <Suspense fallback=" loading">
        <Page />
        <Changing />
        <Counting />
      </Suspense>
    </DataProvider>,
    { isStrict: false },
  );
  await until(() => here.server.asked.length > 0);
  await rest();
  click(() => count());
  await rest();
  return { ...here, ...shown };
}

describe('a change that the effect of another component makes in a transition, before a component subscribes', () => {
  test('does not replace the content by a fallback when the component is rendered for another reason', async () => {
    const { frames, server, text } = await changedInEffect(({ controller, getPost }, go) => {
      void controller.invalidate(getPost, ARGS);
      go('2');
    });
    expect(frames).toEqual([' one first one after 0', ' one first one after 1']);
    server.answer('post 1', { id: '1', title: 'two' });
    server.answer('post 2', { id: '2', title: 'second' });
    await until(() => text() === ' two second two after 1');
    expect(frames.filter((frame) => frame.includes('loading'))).toEqual([]);
  });

  test('is not shown before its transition when the component is rendered for another reason', async () => {
    const { frames, server, text } = await changedInEffect(({ controller, getPost }, go) => {
      void controller.setResponse(getPost, ARGS, { id: '1', title: 'two' });
      go('2');
    });
    expect(frames).toEqual([' one first one after 0', ' one first one after 1']);
    server.answer('post 2', { id: '2', title: 'second' });
    await until(() => text() === ' two second two after 1');
    expect(frames.length).toBe(3);
  });
});
