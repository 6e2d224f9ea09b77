import * as React from 'react';
import { type ReactNode, useState } from 'react';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Controller, Endpoint, Invalidate, getDefaultManagers } from 'rejoin';
import {
  AsyncBoundary,
  DataProvider,
  type ErrorFallbackProps,
  useDLE,
  useFetch,
  useInfinite,
  useLive,
  useSuspense,
} from 'rejoin/react';
import { Post, rest, Server, show, until } from './harness.tsx';

const use = (React as { use?: <Value>(promise: Promise<Value>) => Value }).use;

/** A page that shows a post with one hook, and a server that records its requests. `known`: the title of the post that another answer had. */
function page(showPost: (getPost: GetPost) => string, known?: string) {
  const clock = { time: 1_000_000 };
  const server = new Server();
  let version = 0;
  server.respond = (name) => (name === 'delete 1' ? undefined : { id: '1', title: `title ${++version}` });
  const controller = new Controller({ managers: getDefaultManagers(), now: () => clock.time });
  onTestFinished(() => controller.dispose());
  if (known !== undefined) void controller.set(Post, ARGS, { ...ARGS, title: known });
  const getPost: GetPost = getPostFrom(server);
  const remove = new Endpoint((record: { id: string }) => server.ask(`delete ${record.id}`), {
    name: 'remove',
    schema: new Invalidate(Post),
    sideEffect: true,
    getOptimisticResponse: (snap, { id }) => ({ id }),
  });
  let again = (): void => {};
  let reset = (): void => {};
  let leave = (): void => {};
  function View(): ReactNode {
    const [, render] = useState({});
    again = () => render({});
    return showPost(getPost);
  }
  function Failed({ error, resetErrorBoundary }: ErrorFallbackProps): ReactNode {
    reset = resetErrorBoundary;
    return `failed: ${(error as { code?: string }).code}`;
  }
  function Session(): ReactNode {
    const [isOver, end] = useState(false);
    leave = () => end(true);
    return isOver ? 'logged out' : <View />;
  }
  const { text } = show(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="loading" errorComponent={Failed}>
        <Session />
      </AsyncBoundary>
    </DataProvider>,
  );
  const events = { again: () => again(), reset: () => reset(), leave: () => leave() };
  return { clock, server, controller, getPost, remove, text, ...events };
}

function getPostFrom(server: Server) {
  return new Endpoint(({ id }: { id: string }) => server.ask(`post ${id}`), { name: 'getPost', schema: Post });
}
type GetPost = ReturnType<typeof getPostFrom>;

const ARGS = { id: '1' };
const HOOKS: Record<string, (getPost: GetPost) => string> = {
  useSuspense: (getPost) => useSuspense(getPost, ARGS).title,
  useLive: (getPost) => useLive(getPost, ARGS).title,
  useInfinite: (getPost) =>
    useInfinite(getPost, ARGS, { next: () => undefined })
      .pages.map((post) => post.title)
      .join(''),
  ...(use && { 'use(useFetch())': (getPost) => use(useFetch(getPost, ARGS)).title }),
  useDLE: (getPost) => {
    const { data, loading, error } = useDLE(getPost, ARGS);
    return error ? `failed: ${(error as { code?: string }).code}` : loading ? 'loading' : (data?.title ?? 'nothing');
  },
};

describe.each(Object.entries(HOOKS))('%s', (hook, showPost) => {
  test.each<[string, (controller: Controller, getPost: GetPost) => Promise<void>]>([
    ['an invalidate', (controller, getPost) => controller.invalidate(getPost, ARGS)],
    ['invalidateAll', (controller) => controller.invalidateAll({ testKey: () => true })],
    ['resetEntireStore', (controller) => controller.resetEntireStore()],
  ])('sends one more request after %s', async (cause, change) => {
    const { controller, getPost, server, text } = page(showPost);
    await until(() => text() === 'title 1');
    await rest();
    await change(controller, getPost);
    await until(() => text() === 'title 2');
    await rest();
    expect(server.asked).toEqual(['post 1', 'post 1']);
  });

  test.each<[string, (controller: Controller) => Promise<void>]>([
    ['expireAll', (controller) => controller.expireAll({ testKey: () => true })],
    ['invalidateAll', (controller) => controller.invalidateAll({ testKey: () => true })],
  ])('sends a request after %s if its data came with another answer', async (_cause, change) => {
    const { controller, server, text } = page(showPost, 'known');
    await until(() => text() === 'known');
    await rest();
    expect(server.asked).toEqual([]);
    await change(controller);
    await until(() => text() === 'title 1');
    await rest();
    expect(server.asked).toEqual(['post 1']);
  });

  test.each<[string, 'before' | 'after']>([
    ['before the store is reset', 'before'],
    ['after the store is reset', 'after'],
  ])('sends no request when it is unmounted %s, in the same turn', async (_when, order) => {
    const { controller, leave, server, text } = page(showPost);
    await until(() => text() === 'title 1');
    await rest();
    if (order === 'before') leave();
    const over = controller.resetEntireStore();
    if (order === 'after') leave();
    await over;
    await until(() => text() === 'logged out');
    await rest();
    expect(server.asked).toEqual(['post 1']);
  });

  test('sends no request after a deletion, and has the error record-deleted', async () => {
    const { controller, remove, server, text, again } = page(showPost);
    await until(() => text() === 'title 1');
    await rest();
    await controller.setResponse(remove, ARGS, ARGS);
    await until(() => text() === 'failed: record-deleted');
    again();
    await rest();
    expect(text()).toBe('failed: record-deleted');
    expect(server.asked).toEqual(['post 1']);
  });

  test('sends no request during an optimistic deletion, and shows the record again when the deletion fails', async () => {
    const { controller, remove, server, text } = page(showPost);
    await until(() => text() === 'title 1');
    await rest();
    const removed = controller.fetch(remove, ARGS).catch((error: unknown) => error);
    await until(() => text() === 'loading');
    server.fail('delete 1', Object.assign(new Error('refused'), { status: 403 }));
    await removed;
    await until(() => text() === 'title 1');
    const removedAgain = controller.fetch(remove, ARGS);
    await until(() => text() === 'loading');
    server.answer('delete 1', { id: '1' });
    await removedAgain;
    await until(() => text() === 'failed: record-deleted');
    expect(server.asked).toEqual(['post 1', 'delete 1', 'delete 1']);
  });

  test('fetches a deleted record again after it is invalidated and the boundary is reset', async () => {
    const { controller, getPost, remove, server, text, reset } = page(showPost);
    await until(() => text() === 'title 1');
    await rest();
    await controller.setResponse(remove, ARGS, ARGS);
    await until(() => text() === 'failed: record-deleted');
    await controller.invalidate(getPost, ARGS);
    reset();
    await until(() => text() === 'title 2');
    expect(server.asked).toEqual(['post 1', 'post 1']);
  });
});

test('useDLE returns the same error when it renders again after an hour, and sends no request', async () => {
  const { clock, controller, server, text, again } = page(HOOKS['useDLE'] as (getPost: GetPost) => string);
  await until(() => text() === 'title 1');
  server.respond = () => Object.assign(new Error('refused'), { code: 'refused' });
  await controller.invalidateAll({ testKey: () => true });
  await until(() => text() === 'failed: refused');
  await rest();
  clock.time += 3_600_000;
  again();
  await rest();
  expect(text()).toBe('failed: refused');
  expect(server.asked).toEqual(['post 1', 'post 1']);
});

describe('a component that is rendered with another endpoint of the same key', () => {
  const versionOf = (post: { readonly title: string } | undefined): string => post?.title ?? 'loading';
  test.each<[hook: string, show: (getPost: GetPost) => string]>([
    ['useSuspense', (getPost) => versionOf(useSuspense(getPost, { id: '1' }))],
    ['useDLE', (getPost) => versionOf(useDLE(getPost, { id: '1' }).data)],
    ['useInfinite', (getPost) => versionOf(useInfinite(getPost, { id: '1' }, { next: () => undefined }).pages[0])],
  ])('sends its next request with that endpoint, such as one with a new token (%s)', async (_hook, showPost) => {
    const state = { token: 'old' };
    const { server, controller, text, again } = page((getPost) => {
      const { token } = state;
      return showPost(getPost.extend({ fetch: () => server.ask(token) as Promise<{ id: string; title: string }> }));
    });
    await until(() => text() === 'title 1');
    state.token = 'new';
    again();
    await rest();
    await controller.expireAll({ testKey: () => true });
    await until(() => text() === 'title 2');
    expect(server.asked).toEqual(['old', 'new']);
  });
});
