import { type ReactNode, startTransition, Suspense, useState } from 'react';
import { describe, expect, test } from 'vitest';
import { Endpoint, from } from 'rejoin';
import { DataProvider, useMutation, useQuery } from 'rejoin/react';
import { click, Post, rest, show, travelling, until, world } from './harness.tsx';

const every = from(Post);
const open = from(Post)
  .where({ title: { not: 'done' } })
  .orderBy('id');

function scene() {
  const here = world();
  for (const id of ['1', '2', '3']) void here.controller.set(Post, { id }, { id, title: `post ${id}` });
  return here;
}

describe('A list in a component that renders while a commit is pending', () => {
  test.each([false, true])('has the same objects in each render of a mutation, StrictMode: %s', async (isStrict) => {
    const { controller, server } = scene();
    const save = new Endpoint((args: { id: string }, _body: object) => server.ask(`save ${args.id}`), {
      name: 'save',
      schema: Post,
      sideEffect: true,
      getOptimisticResponse: (_snap: unknown, { id }: { id: string }, body: object) => ({ id, ...body }),
    });
    const lists: (readonly Post[] | undefined)[] = [];
    const given: ReturnType<typeof useMutation<typeof save>>[] = [];
    function List(): ReactNode {
      const call = useMutation(save);
      given.push(call);
      // The answer changes this list, and not the other one.
      useQuery(every);
      lists.push(useQuery(open));
      return `pending: ${call.isPending}`;
    }
    const page = (
      <DataProvider controller={controller}>
        <List />
      </DataProvider>
    );
    const { text } = show(page, { isStrict });
    await until(() => text() === 'pending: false');
    await rest();
    const first = lists.length;
    const before = lists.at(-1);
    const call = given.at(-1)?.mutate({ id: '1' }, { title: 'done' });
    await until(() => text() === 'pending: true');
    const after = controller.get(open);
    server.answer('save 1', { id: '1', title: 'done', votes: 1 });
    await call;
    await until(() => text() === 'pending: false');
    expect(after).toEqual(before?.slice(1));
    expect(after?.[0]).toBe(before?.[1]);
    expect(lists.at(-1)).toBe(after);
    for (const list of lists.slice(first)) expect(list === before || list === after).toBe(true);
  });

  test('keeps its objects in an urgent render during a transition', async () => {
    const here = scene();
    const { actions, Page } = travelling(here);
    const lists: (readonly Post[] | undefined)[] = [];
    let again = (): void => {};
    function List(): ReactNode {
      const [times, setTimes] = useState(0);
      again = () => setTimes(times + 1);
      lists.push(useQuery(every));
      return ` times ${times}`;
    }
    const { text } = show(
      <DataProvider controller={here.controller}>
        <Suspense fallback="loading">
          <Page />
          <List />
        </Suspense>
      </DataProvider>,
    );
    await until(() => text().endsWith('times 0'));
    await rest();
    const before = lists.at(-1);
    startTransition(() => {
      void here.controller.set(Post, { id: '1' }, { id: '1', title: 'later' });
      actions.go('9');
    });
    await until(() => here.server.isWaiting('post 9'));
    lists.length = 0;
    click(() => again());
    await until(() => text().endsWith('times 1'));
    expect(lists.length).toBeGreaterThan(0);
    for (const list of lists) expect(list).toBe(before);
    here.server.answer('post 9', { id: '9', title: 'post 9' });
    await until(() => text().startsWith(' later'));
    expect(lists.at(-1)).toBe(here.controller.get(every));
  });
});
