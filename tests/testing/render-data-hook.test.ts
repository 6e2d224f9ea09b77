// @vitest-environment happy-dom
import { createContext, createElement, type ReactNode, useContext, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Controller, Endpoint } from '../../src/index.ts';
import { DataProvider, useCache, useController, useDLE, useLive, useQuery, useSuspense } from '../../src/react.ts';
import { act, cleanup, makeRenderDataHook, renderDataHook, type TestedProviderProps } from '../../src/testing.ts';
import { count, getTodo, sent, Todo, TodoResource } from './model.ts';

const five = { endpoint: getTodo, args: [{ id: '5' }], response: { id: '5', title: 'five' } } as const;
const six = { endpoint: getTodo, args: [{ id: '6' }], response: { id: '6', title: 'six' } } as const;

beforeEach(() => void (sent.length = 0));
afterEach(() => cleanup());

describe('renderDataHook', () => {
  it('renders a hook whose request a fixture answers', async () => {
    const { result, waitForNextUpdate } = renderDataHook(() => useSuspense(getTodo, { id: '5' }), {
      resolverFixtures: [five],
    });
    expect(result.current).toBeUndefined();
    await waitForNextUpdate();
    expect(result.current).toBeInstanceOf(Todo);
    expect(result.current.title).toBe('five');
    expect(result.error).toBeUndefined();
    expect(sent).toEqual([]);
  });

  it('with initial fixtures has the answer in the first render', () => {
    const { result } = renderDataHook(() => useSuspense(getTodo, { id: '5' }), { initialFixtures: [five] });
    expect(result.current.title).toBe('five');
    expect(sent).toEqual([]);
  });

  it('with an initial fixture of a function has its answer in the first render, beside other fixtures', () => {
    const { result, controller } = renderDataHook(() => useSuspense(count, 'a'), {
      initialFixtures: [{ endpoint: count, args: ['a'], response: { count: 1 } }],
      resolverFixtures: [five],
    });
    expect(result.current).toEqual({ count: 1 });
    expect(controller.getResponse(count, 'a').data).toBe(result.current);
    expect([...controller.shown()].every(({ key }) => count.testKey(key))).toBe(true);
    expect(sent).toEqual([]);
  });

  it('with an initial error has the error in the first render', () => {
    // The error expires after a second, which a slow machine may need for the render.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const error = new Error('no');
    const { result } = renderDataHook(() => useSuspense(getTodo, { id: '5' }), {
      initialFixtures: [{ ...five, response: error, error: true }],
    });
    expect(result.error).toBe(error);
  });

  it('has the error that a hook throws, until the hook returns again', async () => {
    const error = Object.assign(new Error('no'), { status: 404 });
    const { result, waitFor, rerender } = renderDataHook(({ id }) => useSuspense(getTodo, { id }), {
      initialProps: { id: '5' },
      resolverFixtures: [{ ...five, response: error, error: true }, six],
    });
    await waitFor(() => expect(result.error).toBe(error));
    rerender({ id: '6' });
    await waitFor(() => expect(result.error).toBeUndefined());
    expect(result.current.title).toBe('six');
  });

  it('renders again with other props', async () => {
    const { result, rerender, waitFor } = renderDataHook(({ id }) => useDLE(getTodo, { id }), {
      initialProps: { id: '5' },
      resolverFixtures: [five, six],
    });
    expect(result.current).toMatchObject({ loading: true });
    await waitFor(() => expect(result.current.data?.title).toBe('five'));
    rerender({ id: '6' });
    await waitFor(() => expect(result.current.data?.title).toBe('six'));
    rerender();
    expect(result.current.data?.title).toBe('five');
  });

  it('returns the controller of the hook', async () => {
    const { result, controller, waitFor } = renderDataHook(
      () => ({ controller: useController(), todo: useQuery(Todo, { id: '5' }) }),
      { resolverFixtures: [five] },
    );
    expect(controller).toBe(result.current.controller);
    await act(async () => controller.fetch(getTodo, { id: '5' }));
    await waitFor(() => expect(result.current.todo?.title).toBe('five'));
    act(() => void controller.set(Todo, { id: '5' }, { id: '5', title: 'edited' }));
    expect(result.current.todo?.title).toBe('edited');
  });

  it('creates a new store each time', async () => {
    const options = { resolverFixtures: [five] };
    const one = renderDataHook(() => useSuspense(getTodo, { id: '5' }), options);
    await one.waitForNextUpdate();
    const other = renderDataHook(() => useCache(getTodo, { id: '5' }), options);
    expect(other.result.current).toBeUndefined();
  });

  it('sends requests without a fixture', async () => {
    const { result, waitFor } = renderDataHook(() => useSuspense(getTodo, { id: '7' }), { resolverFixtures: [five] });
    await waitFor(() => expect(result.error?.message).toContain('/todos/7 was sent'));
    expect(sent).toEqual(['GET http://api.test/todos/7']);
  });

  it('answers mutations, and shows their optimistic update before that', async () => {
    const { result, controller, allSettled } = renderDataHook(() => useSuspense(getTodo, { id: '5' }), {
      initialFixtures: [five],
      resolverFixtures: [
        {
          endpoint: TodoResource.partialUpdate,
          response: ({ id }: { id: string }, body: object) => ({ id, ...body, done: true }),
        },
      ],
    });
    act(() => void controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'guessed' }));
    expect(result.current).toMatchObject({ title: 'guessed', done: false });
    await allSettled();
    expect(result.current).toMatchObject({ title: 'guessed', done: true });
  });

  it('awaits requests that follow from the answers of others', async () => {
    const { result, allSettled } = renderDataHook(
      () => {
        const first = useDLE(getTodo, { id: '5' }).data;
        const second = useDLE(getTodo, first === undefined ? null : { id: '6' }).data;
        return useDLE(count, second === undefined ? null : second.title).data?.count;
      },
      { resolverFixtures: [five, { ...six, delay: 5 }, { endpoint: count, args: ['six'], response: { count: 6 } }] },
    );
    await allSettled();
    expect(result.current).toBe(6);
  });

  it('interceptors share their state across renders', async () => {
    const increment = new Endpoint(async (): Promise<{ count: number }> => ({ count: -1 }), {
      name: 'increment',
      sideEffect: true,
    });
    const { controller, rerender } = renderDataHook(() => useController(), {
      getInitialInterceptorData: () => ({ count: 0 }),
      resolverFixtures: [
        {
          endpoint: increment,
          response(this: { count: number }) {
            return { count: ++this.count };
          },
        },
      ],
    });
    expect(await controller.fetch(increment)).toEqual({ count: 1 });
    rerender();
    expect(await controller.fetch(increment)).toEqual({ count: 2 });
  });

  it('renders a wrapper inside the provider', () => {
    const Word = createContext('none');
    const seen: unknown[] = [];
    const Wrapper = ({ children }: { children: ReactNode }): ReactNode => {
      seen.push(useController());
      return createElement(Word.Provider, { value: 'wrapped' }, children);
    };
    const { result, controller } = renderDataHook(() => useContext(Word), { wrapper: Wrapper });
    expect(result.current).toBe('wrapped');
    expect(seen[0]).toBe(controller);
  });

  it('passes the props of the hook to the wrapper', () => {
    const Word = createContext('none');
    const Wrapper = ({ word, children }: { word: string; children: ReactNode }): ReactNode =>
      createElement(Word.Provider, { value: word }, children);
    const { result, rerender } = renderDataHook((props: { word: string }) => [props.word, useContext(Word)], {
      initialProps: { word: 'first' },
      wrapper: Wrapper,
    });
    expect(result.current).toEqual(['first', 'first']);
    rerender({ word: 'second' });
    expect(result.current).toEqual(['second', 'second']);
  });

  it('returns nothing from unmount', () => {
    expect(renderDataHook(() => 1, {}).unmount()).toBeUndefined();
  });

  it('keeps the state of the hook while it renders again', () => {
    const { result, rerender } = renderDataHook(() => useState(() => ({}))[0], {});
    const first = result.current;
    rerender();
    expect(result.current).toBe(first);
  });

  it('after unmount the hook does not render', async () => {
    let renders = 0;
    const { unmount, controller } = renderDataHook(() => {
      renders++;
      return useQuery(Todo, { id: '5' });
    });
    unmount();
    const before = renders;
    await act(async () => controller.set(Todo, { id: '5' }, { id: '5' }));
    expect(renders).toBe(before);
  });

  it('cleanup ends requests in flight', async () => {
    const never = new Endpoint(async (): Promise<object> => new Promise(() => {}), { name: 'never' });
    const { controller, cleanup: end } = renderDataHook(() => useController());
    const fetched = controller.fetch(never);
    fetched.catch(() => {});
    end();
    end();
    await expect(fetched).rejects.toMatchObject({ code: 'request-reset' });
    await expect(controller.fetch(never)).rejects.toMatchObject({ code: 'controller-disposed' });
  });

  it('a poll is answered by the fixtures too', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('jest', vi);
    try {
      let asked = 0;
      const polled = count.extend({ pollFrequency: 60_000 });
      const { result, waitFor, unmount } = renderDataHook(() => useLive(polled, 'a'), {
        resolverFixtures: [{ endpoint: count, response: () => ({ count: ++asked }) }],
      });
      await waitFor(() => expect(result.current.count).toBe(3), { interval: 60_000, timeout: 20_000 });
      unmount();
      expect(sent).toEqual([]);
    } finally {
      vi.unstubAllGlobals();
      vi.useRealTimers();
    }
  });
});

describe('waiting', () => {
  it('waitFor rejects with the last error after its timeout', async () => {
    const { waitFor } = renderDataHook(() => 1);
    await expect(waitFor(() => expect(1).toBe(2), { timeout: 20, interval: 5 })).rejects.toThrow('expected 1 to be 2');
  });

  it('waitFor waits while its function returns false', async () => {
    const { waitFor } = renderDataHook(() => 1);
    let asked = 0;
    await waitFor(() => ++asked > 2, { interval: 1 });
    expect(asked).toBe(3);
    await expect(waitFor(() => false, { timeout: 5, interval: 1 })).rejects.toThrow('returned false until the timeout');
  });

  it('waitFor waits for asynchronous checks', async () => {
    const { waitFor } = renderDataHook(() => 1);
    let asked = 0;
    await waitFor(async () => ++asked > 1, { interval: 1 });
    expect(asked).toBe(2);
  });

  it('waits in real time while a test has replaced the timers', async () => {
    vi.useFakeTimers();
    try {
      const { result, waitFor } = renderDataHook(() => useSuspense(getTodo, { id: '5' }), {
        resolverFixtures: [{ ...five, delay: 5000 }],
      });
      await act(async () => vi.advanceTimersByTimeAsync(5000));
      await waitFor(() => expect(result.current.title).toBe('five'));
    } finally {
      vi.useRealTimers();
    }
  });

  it('advances the fake timers of Jest', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('jest', vi);
    try {
      const { result, waitFor } = renderDataHook(() => useSuspense(getTodo, { id: '5' }), {
        resolverFixtures: [{ ...five, delay: 300_000 }],
      });
      await waitFor(() => expect(result.current.title).toBe('five'), { interval: 100_000 });
    } finally {
      vi.unstubAllGlobals();
      vi.useRealTimers();
    }
  });

  it('waitForNextUpdate fails where nothing is rendered', async () => {
    const { waitForNextUpdate } = renderDataHook(() => 1);
    await expect(waitForNextUpdate({ timeout: 20 })).rejects.toThrow('returned false until the timeout');
  });

  it('renders awaited changes outside of an act() without a warning, also if another library has set IS_REACT_ACT_ENVIRONMENT', async () => {
    const world = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    world.IS_REACT_ACT_ENVIRONMENT = true;
    try {
      const { result, controller } = renderDataHook(() => useCache(getTodo, { id: '5' }), { resolverFixtures: [five] });
      await controller.fetch(getTodo, { id: '5' });
      expect(result.current?.title).toBe('five');
      await controller.setResponse(getTodo, { id: '5' }, { id: '5', title: 'six' });
      expect(result.current?.title).toBe('six');
      expect(errors).not.toHaveBeenCalled();
    } finally {
      delete world.IS_REACT_ACT_ENVIRONMENT;
      errors.mockRestore();
    }
  });

  it('restores the environment', async () => {
    const world = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
    expect('IS_REACT_ACT_ENVIRONMENT' in world).toBe(false);
    world.IS_REACT_ACT_ENVIRONMENT = true;
    const { waitFor } = renderDataHook(() => 1);
    await waitFor(() => {
      expect(world.IS_REACT_ACT_ENVIRONMENT).toBe(false);
    });
    expect(world.IS_REACT_ACT_ENVIRONMENT).toBe(true);
    delete world.IS_REACT_ACT_ENVIRONMENT;
    expect(() =>
      act(() => {
        throw new Error('mine');
      }),
    ).toThrow('mine');
    await expect(act(async () => Promise.reject(new Error('later')))).rejects.toThrow('later');
    expect(await act(async () => 'value')).toBe('value');
    expect('IS_REACT_ACT_ENVIRONMENT' in world).toBe(false);
  });
});

describe('cleaning up', () => {
  it('is left to a global afterEach, where there is one', async () => {
    const registered: (() => void)[] = [];
    vi.resetModules();
    vi.stubGlobal('afterEach', (run: () => void) => registered.push(run));
    try {
      const fresh = await import('../../src/testing.ts');
      expect(registered).toEqual([fresh.cleanup]);
    } finally {
      vi.unstubAllGlobals();
      vi.resetModules();
    }
  });

  it('ends every hook that is rendered', async () => {
    const one = renderDataHook(() => useController());
    const other = renderDataHook(() => useController());
    cleanup();
    for (const { controller } of [one, other])
      await expect(controller.fetch(count, 'a')).rejects.toMatchObject({ code: 'controller-disposed' });
  });
});

it('two waits that overlap leave the environment of React as it was', async () => {
  const world = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  world.IS_REACT_ACT_ENVIRONMENT = true;
  const { result, waitFor } = renderDataHook(() => useDLE(getTodo, { id: '5' }).data?.title, {
    resolverFixtures: [{ ...five, delay: 5 }],
  });
  let checks = 0;
  await Promise.all([waitFor(() => result.current === 'five'), waitFor(() => ++checks > 3, { interval: 1 })]);
  expect(world.IS_REACT_ACT_ENVIRONMENT).toBe(true);
  delete world.IS_REACT_ACT_ENVIRONMENT;
});

describe('cleanup', () => {
  it('is not needed for a hook whose provider throws', async () => {
    const controllers: Controller[] = [];
    const Provider = ({ controller }: TestedProviderProps): never => {
      controllers.push(controller);
      throw new Error('no provider');
    };
    expect(() => makeRenderDataHook(Provider)(() => null)).toThrow('no provider');
    await expect(controllers[0]?.fetch(count, 'a')).rejects.toMatchObject({ code: 'controller-disposed' });
  });
});

describe('makeRenderDataHook', () => {
  it('renders in a provider of your own', async () => {
    const seen: string[] = [];
    const Provider = (props: TestedProviderProps): ReactNode => {
      seen.push('mine');
      return createElement(DataProvider, props);
    };
    const { result } = makeRenderDataHook(Provider)(() => useSuspense(getTodo, { id: '5' }), {
      initialFixtures: [five],
    });
    expect(result.current.title).toBe('five');
    expect(seen).toContain('mine');
  });

  it('ends and awaits all hooks that it has rendered, and no others', async () => {
    const render = makeRenderDataHook(DataProvider);
    const asked = [five, six].map((fixture) => ({ ...fixture, delay: 1 }));
    const hook = ({ id }: { id: string }): unknown => useDLE(getTodo, { id }).data?.title;
    const [one, two] = ['5', '6'].map((id) => render(hook, { initialProps: { id }, resolverFixtures: asked }));
    const other = renderDataHook(hook, { initialProps: { id: '5' }, resolverFixtures: asked });
    expect([one?.result.current, two?.result.current]).toEqual([undefined, undefined]);
    await render.allSettled();
    expect([one?.result.current, two?.result.current]).toEqual(['five', 'six']);

    render.cleanup();
    for (const ended of [one, two])
      await expect(ended?.controller.fetch(count, 'a')).rejects.toMatchObject({ code: 'controller-disposed' });
    await renderDataHook.allSettled();
    expect(other.result.current).toBe('five');
    renderDataHook.cleanup();
    await expect(other.controller.fetch(count, 'a')).rejects.toMatchObject({ code: 'controller-disposed' });
  });
});
