import * as React from 'react';
import { type ReactNode, startTransition } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Controller } from 'rejoin';
import { DataProvider, useQuery } from 'rejoin/react';
import { Post, rest, show, until } from '../react/harness.tsx';

const ViewTransition = (React as { ViewTransition?: React.ComponentType<{ children: ReactNode }> }).ViewTransition;

describe.skipIf(ViewTransition === undefined)('a view transition', () => {
  test.each([true, false])('is begun for a record that changes in a transition: %s', async (isInTransition) => {
    const controller = new Controller();
    onTestFinished(() => controller.dispose());
    const begun = vi.spyOn(document, 'startViewTransition');
    onTestFinished(() => begun.mockRestore());
    void controller.set(Post, { id: '1' }, { id: '1', title: 'old' });
    const Animated = ViewTransition as NonNullable<typeof ViewTransition>;
    function Title(): ReactNode {
      return <p>{useQuery(Post, { id: '1' })?.title}</p>;
    }
    const { frames } = show(
      <DataProvider controller={controller}>
        <Animated>
          <Title />
        </Animated>
      </DataProvider>,
    );
    await until(() => frames.at(-1) === 'old');
    await rest();

    const change = (): void => void controller.set(Post, { id: '1' }, { id: '1', title: 'new' });
    if (isInTransition) startTransition(change);
    else change();
    await until(() => frames.at(-1) === 'new');
    await rest();

    expect(frames).toEqual(['old', 'new']);
    expect(begun).toHaveBeenCalledTimes(isInTransition ? 1 : 0);
  });
});
