import { memo, type ReactNode, startTransition, Suspense, useState } from 'react';
import { describe, expect, test } from 'vitest';
import { Endpoint, from } from 'rejoin';
import { DataProvider, useMutation, useQuery } from 'rejoin/react';
import { click, inProvider, Post, rest, show, travelling, until, world } from './harness.tsx';

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

  test('has the objects of the store for the records that the commit does not change, whatever else changes meanwhile', async () => {
    const here = scene();
    const { actions, Page } = travelling(here);
    const { controller, server } = here;
    const rows = new Map<string, Post>();
    const counts = new Map<string, number>();
    const Row = memo(function Row({ post }: { readonly post: Post }): ReactNode {
      counts.set(post.id, (counts.get(post.id) ?? 0) + 1);
      rows.set(post.id, post);
      return ` ${post.id}:${post.title}`;
    });
    function List(): ReactNode {
      return useQuery(every)?.map((post) => <Row key={post.id} post={post} />);
    }
    const { text } = show(
      inProvider(
        controller,
        <>
          <Page />
          <List />
        </>,
      ),
      { isStrict: false },
    );
    await until(() => text().includes('3:post 3'));
    await rest();
    const third = rows.get('3');
    startTransition(() => {
      void controller.set(Post, { id: '1' }, { id: '1', title: 'later' });
      actions.go('9');
    });
    await until(() => server.isWaiting('post 9'));
    await rest();
    void controller.set(Post, { id: '2' }, { id: '2', title: 'now' });
    await until(() => text().includes('2:now'));
    expect(text()).toContain('1:post 1');
    expect(rows.get('3')).toBe(third);
    server.answer('post 9', { id: '9', title: 'nine' });
    await until(() => text().includes('1:later'));
    await rest();
    expect([...rows.values()].map((post) => controller.get(Post, { id: post.id }) === post)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(counts.get('3')).toBe(1);
  });
});
