import { createElement as h, type ReactNode, Suspense } from 'react';
import { describe, expect, it } from 'vitest';
import { Endpoint, Entity } from '../../src/index.ts';
import { DataProvider, useDLE, useQuery, useSuspense } from '../../src/react.ts';
import { fromScriptJson, ServerSession } from '../../src/ssr.ts';
import { piped, streamed } from './render.ts';

class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}

const getTodo = new Endpoint(
  async ({ id }: { id: string }) => {
    for (let turn = 0; turn < Number(id); turn++) await new Promise((resolve) => void setImmediate(resolve));
    return { id, title: `todo ${id}` };
  },
  { name: 'getTodo', schema: Todo },
);

function Title({ id }: { readonly id: string }): ReactNode {
  return h('b', null, useSuspense(getTodo, { id }).title);
}

function page(session: ServerSession, ...children: ReactNode[]): ReactNode {
  const { controller, rendering } = session;
  return h(DataProvider, { controller, rendering }, h('main', null, ...children));
}

const slow = (id: string): ReactNode => h(Suspense, { fallback: h('i', null, 'loading'), key: id }, h(Title, { id }));

function partsIn(html: string): unknown[] {
  return [...html.matchAll(/<script type="application\/json" data-rejoin="rejoin"[^>]*>([^<]*)<\/script>/g)].map(
    ([, json = '']) => fromScriptJson(json),
  );
}

describe.each([
  ['renderToPipeableStream', piped],
  ['renderToReadableStream', streamed],
])('%s', (_name, render) => {
  it('streams', async () => {
    const session = new ServerSession();
    const chunks = await render(session, page(session, slow('1'), slow('5')));
    console.log(chunks);
    console.log(JSON.stringify(partsIn(chunks.join('')), undefined, 1));
    expect(chunks.length).toBeGreaterThan(1);
  });
});
void useDLE;
void useQuery;
