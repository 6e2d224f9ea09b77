import { createElement as h, type ReactNode, Suspense } from 'react';
import { expect, it } from 'vitest';
import { Endpoint, Entity } from '../../src/index.ts';
import { useSuspense } from '../../src/react.ts';
import {
  awaitInitialData,
  createPersistedStore,
  createServerDataComponent,
  fromScriptJson,
  ServerSession,
  type WholeState,
} from '../../src/ssr.ts';
import { piped } from './render.ts';

class Todo extends Entity {
  id = '';
  next: Todo | undefined = undefined;
  static override key = 'Todo';
}

const getTodo = new Endpoint(
  async ({ id }: { id: string }) => {
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => void setImmediate(resolve));
    return { id };
  },
  { name: 'getTodo', schema: Todo },
);

function Chain({ id }: { readonly id: number }): ReactNode {
  const todo = useSuspense(getTodo, { id: String(id) });
  return h('b', null, todo.id, id > 1 && h(Chain, { id: id - 1 }));
}

it('a page with its state in one script has all fetched data at its end', async () => {
  const [ServerDataProvider, useReadyState, controller, store] = createPersistedStore();
  const ServerDataComponent = createServerDataComponent(useReadyState, 'mine');
  expect(controller.store).toBe(store);
  const tree = h(
    'div',
    null,
    h(ServerDataProvider, null, h(Suspense, { fallback: 'loading' }, h(Chain, { id: 3 }))),
    h(Suspense, null, h(ServerDataComponent, { nonce: 'n' })),
  );
  const html = (await piped(new ServerSession(), tree)).join('');
  const [, json = ''] =
    /<script type="application\/json" data-rejoin-state="mine" nonce="n">([^<]*)<\/script>/.exec(html) ?? [];
  const { state } = fromScriptJson(json) as WholeState;
  expect(state.tables.map(([name, rows]) => [name, rows.map(([pk]) => pk)])).toEqual([['Todo', ['3', '2', '1']]]);
});

it('a persisted store takes managers, and has a default id', async () => {
  const seen: string[] = [];
  const [, useReadyState, controller] = createPersistedStore([
    {
      middleware: () => (next) => (action) => {
        seen.push(action.type);
        return next(action);
      },
      cleanup: () => {},
    },
  ]);
  await controller.fetch(getTodo, { id: '1' });
  expect(seen).toContain('rejoin/fetch');
  const html = (await piped(new ServerSession(), h(createServerDataComponent(useReadyState)))).join('');
  expect(html).toContain('data-rejoin-state="rejoin"');
});

it('the state of a page cannot be waited for on a server', async () => {
  await expect(awaitInitialData()).rejects.toMatchObject({ code: 'browser-only' });
});
