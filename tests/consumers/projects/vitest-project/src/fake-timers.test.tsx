import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { act, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { DataProvider, useSuspense } from 'rejoin/react';
import { MockResolver, renderDataHook } from 'rejoin/testing';
import { todos } from './model.ts';
import { TodoLine } from './todo-line.tsx';

const response = { id: '5', title: 'Write', done: false, user: { id: '7', name: 'Ann' } };
const fixtures = [{ endpoint: todos.get, args: [{ id: '5' }], response, delay: 300 }] as const;

// Replaces all timers, including microtasks.
beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: [
        'setTimeout',
        'clearTimeout',
        'setInterval',
        'clearInterval',
        'setImmediate',
        'clearImmediate',
        'Date',
        'performance',
        'queueMicrotask',
      ],
    }),
);
afterEach(() => void vi.useRealTimers());

test('under fake timers, a hook under test waits without real time', async () => {
  const { result, waitFor } = renderDataHook(() => useSuspense(todos.get, { id: '5' }), {
    resolverFixtures: fixtures,
  });
  await waitFor(() => expect(result.current.user.name).toBe('Ann'));
});

test('under fake timers, a screen shows data that arrived after the time was advanced', async () => {
  render(
    <DataProvider>
      <MockResolver fixtures={fixtures}>
        <Suspense fallback="Loading">
          <TodoLine id="5" />
        </Suspense>
      </MockResolver>
    </DataProvider>,
  );
  expect(screen.getByText('Loading')).toBeDefined();
  await act(async () => {
    await vi.advanceTimersByTimeAsync(300);
  });
  expect(screen.getByRole('button', { name: 'Write for Ann' })).toBeDefined();
});

test('under fake timers, an answer is in the store without a tick', async () => {
  const { controller } = renderDataHook(() => null);
  await act(async () => {
    await controller.setResponse(todos.get, { id: '5' }, response);
    await controller.fetch(todos.get.extend({ fetch: async () => ({ ...response, title: 'Read' }) }), { id: '5' });
  });
  expect(controller.getResponse(todos.get, { id: '5' }).data?.title).toBe('Read');
});
