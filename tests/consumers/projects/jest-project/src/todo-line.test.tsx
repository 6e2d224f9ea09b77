import { expect, test } from '@jest/globals';
import { configure, fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { DataProvider, useSuspense } from 'rejoin/react';
import { MockResolver, renderDataHook } from 'rejoin/testing';
import { todos } from './model.ts';
import { TodoLine } from './todo-line.tsx';

configure({ asyncUtilTimeout: 20_000 });

const response = { id: '5', title: 'Write', done: false, user: { id: '7', name: 'Ann' } };

test('a line shows its todo and the name of the user, and a click finishes the todo', async () => {
  render(
    <DataProvider>
      <MockResolver
        fixtures={[
          { endpoint: todos.get, args: [{ id: '5' }], response },
          { endpoint: todos.partialUpdate, response: ({ id }, body) => ({ id, ...body }) },
        ]}
      >
        <Suspense fallback="Loading">
          <TodoLine id="5" />
        </Suspense>
      </MockResolver>
    </DataProvider>,
  );
  const line = await screen.findByRole('button', { name: 'Write for Ann', pressed: false });
  fireEvent.click(line);
  expect(await screen.findByRole('button', { name: 'Write for Ann', pressed: true })).toBe(line);
});

test('a hook returns the joined record', () => {
  const { result } = renderDataHook(() => useSuspense(todos.get, { id: '5' }), {
    initialFixtures: [{ endpoint: todos.get, args: [{ id: '5' }], response }],
  });
  expect(result.current.user.name).toBe('Ann');
});
