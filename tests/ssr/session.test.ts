import { EventEmitter } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as React from 'react';
import { createElement as h, type ReactNode, Suspense } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { Endpoint, Entity } from '../../src/index.ts';
import { DataProvider, useDLE, useFetch, useQuery, useSuspense } from '../../src/react.ts';
import type { PagePart } from '../../src/adapters/ssr/page-part.ts';
import { fromScriptJson, ServerSession, takeOver } from '../../src/ssr.ts';
import { foreignMarkers } from './leaks.ts';
import { randomOf } from './app.ts';
import { piped, streamed } from './render.ts';

class Todo extends Entity {
  id = '';
  title = '';
  when: unknown = undefined;
  static override key = 'Todo';
}

/** A todo whose id says how many turns its answer takes. */
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

const scripts = /<script type="application\/json" data-rejoin="rejoin"[^>]*>([^<]*)<\/script>/g;
const partsIn = (html: string): PagePart[] =>
  [...html.matchAll(scripts)].map(([, json = '']) => fromScriptJson(json) as PagePart);
const rowsIn = (parts: readonly PagePart[]): string[] =>
  parts.flatMap(({ states }) => states.flatMap(({ tables }) => tables.flatMap(([, rows]) => rows.map(([pk]) => pk))));

describe.each([
  ['renderToPipeableStream', piped],
  ['renderToReadableStream', streamed],
])('a page by %s', (_name, render) => {
  it('is sent in parts, and each part comes after the HTML of its records', async () => {
    const chunks = await render(new ServerSession(), page(new ServerSession(), slow('1')));
    expect(chunks.join('')).toContain('todo 1');
    const session = new ServerSession();
    const parts = await render(session, page(session, slow('2'), slow('40')));
    expect(parts.length).toBeGreaterThan(1);
    for (const text of ['todo 2', 'todo 40']) {
      const at = parts.findIndex((part) => part.includes(`<b>${text}</b>`));
      const before = parts.slice(0, at + 1).join('');
      expect(before.indexOf(`"${text}"`)).toBeGreaterThan(-1);
      expect(before.indexOf(`"${text}"`)).toBeLessThan(before.indexOf(`<b>${text}</b>`));
    }
  });

  it('sends each record once', async () => {
    const session = new ServerSession();
    const html = (await render(session, page(session, slow('1'), slow('1'), slow('30')))).join('');
    expect(rowsIn(partsIn(html)).toSorted()).toEqual(['1', '30']);
  });

  it('begins with data that was fetched before the rendering', async () => {
    const session = new ServerSession();
    await session.controller.fetch(getTodo, { id: '3' });
    const [first = ''] = await render(session, page(session, slow('3'), slow('30')));
    expect(first).toContain('<b>todo 3</b>');
    expect(rowsIn(partsIn(first))).toEqual(['3']);
  });

  it('sends the keys of the requests that are in flight', async () => {
    const session = new ServerSession();
    const [first = ''] = await render(session, page(session, slow('3'), slow('30')));
    expect(partsIn(first)[0]?.pending).toContain(getTodo.key({ id: '30' }));
  });

  it('says which readers were rendered before data that is known now', async () => {
    const session = new ServerSession();
    const Count = (): ReactNode => h('u', null, useQuery(Todo, { id: '1' })?.title);
    const parts = partsIn((await render(session, page(session, h(Count), slow('1'), slow('30')))).join(''));
    expect(parts.flatMap(({ early }) => early).length).toBeGreaterThan(0);
  });

  it('shows a request that has failed as loading, as the browser will, and does not send it again', async () => {
    const asked: string[] = [];
    const failing = new Endpoint(
      async (): Promise<{ id: string }> => {
        asked.push('failing');
        return Promise.reject(new Error('secret'));
      },
      { name: 'failing', schema: Todo },
    );
    function Both(): ReactNode {
      const { loading, error } = useDLE(failing);
      const { title } = useSuspense(getTodo, { id: '5' });
      return h('u', null, `${title}, ${loading ? 'loading' : String(error)}`);
    }
    const session = new ServerSession();
    const html = await render(session, page(session, h(Suspense, { fallback: null }, h(Both))));
    expect(html.join('')).toContain('<u>todo 5, loading</u>');
    expect(asked).toEqual(['failing']);
  });

  it('shows the latest record in a component that has waited with `use`', async ({ skip }) => {
    const { use } = React as { use?: <T>(promise: Promise<T>) => T };
    if (use === undefined) skip('This React has no `use`.');
    const session = new ServerSession();
    const { controller } = session;
    function Used(): ReactNode {
      const promise = useFetch(getTodo, { id: '3' });
      // The record changes between the answer and the render that React continues.
      void promise.then(() => controller.set(Todo, { id: '3' }, { id: '3', title: 'later' }));
      return h('u', null, use?.(promise).title);
    }
    const html = (await render(session, page(session, h(Suspense, { fallback: null }, h(Used))))).join('');
    expect(html).toContain('<u>later</u>');
    expect(partsIn(html).flatMap(({ early }) => early)).toEqual([]);
  });

  it('has its state after the doctype', async () => {
    const session = new ServerSession();
    const { controller, rendering } = session;
    await controller.fetch(getTodo, { id: '1' });
    const whole = h('html', null, h('body', null, h(Title, { id: '1' })));
    const html = (await render(session, h(DataProvider, { controller, rendering }, whole))).join('');
    expect(html).toMatch(/^<!DOCTYPE html><script type="application\/json"[^>]*>[^<]*<\/script><html>/);
    expect(html.endsWith('</body></html>')).toBe(true);
  });

  it('ends its session', async () => {
    const session = new ServerSession();
    await render(session, page(session, slow('1')));
    await expect(session.controller.fetch(getTodo, { id: '1' })).rejects.toMatchObject({ code: 'controller-disposed' });
    expect(session.flush()).toBe('');
  });

  it('leaves out data that cannot be sent', async () => {
    const getOdd = new Endpoint(async () => ({ id: 'odd', when: new Map() }), { name: 'odd', schema: Todo });
    const getOther = new Endpoint(async () => new Map([['a', 1]]), { name: 'other' });
    const Odd = (): ReactNode => h('b', null, String(useSuspense(getOdd).when), String(useSuspense(getOther).size));
    const session = new ServerSession();
    const html = (await render(session, page(session, h(Odd), slow('5')))).join('');
    const parts = partsIn(html);
    expect(html).toContain('[object Map]');
    expect(rowsIn(parts)).toEqual(['5']);
    const results = parts.flatMap(({ states }) => states.flatMap((state) => state.results.map(([key]) => key)));
    expect(results).toEqual(['odd []', getTodo.key({ id: '5' })]);
  });
});

describe('the state that a server sends', () => {
  it('has the data at the end, with deletions and data that never expires', async () => {
    const lasting = getTodo.extend({ dataExpiryLength: Number.POSITIVE_INFINITY });
    const session = new ServerSession({ now: () => 5 });
    const { controller } = session;
    await controller.fetch(lasting, { id: '1' });
    await controller.fetch(lasting, { id: '2' });
    await controller.invalidate(lasting, { id: '2' });
    controller.store.invalidate(Todo, '3');
    const [{ states } = { states: [] }] = partsIn(session.flush());
    expect(states).toMatchObject([
      {
        tables: [
          [
            'Todo',
            [
              ['1', { title: 'todo 1' }, 5, 5, null],
              ['2', { title: 'todo 2' }, 5, 5, null],
              ['3', null, 5, 5, null],
            ],
          ],
        ],
        results: [[lasting.key({ id: '1' }), '1', [{ id: '1' }], 5, 5, null]],
      },
    ]);
    session.dispose();
  });

  it('has no data of a record that was removed again', async () => {
    const session = new ServerSession();
    const { controller } = session;
    await controller.fetch(getTodo, { id: '1' });
    await controller.resetEntireStore();
    expect(partsIn(session.flush())).toMatchObject([{ states: [{ tables: [], results: [] }] }]);
    session.dispose();
  });
});

describe('a session', () => {
  it('sets headers by which no cache keeps the page, and its type', () => {
    expect(new ServerSession().headers).toEqual({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-store',
    });
    expect(new ServerSession({ cacheControl: 'public, max-age=60' }).headers['Cache-Control']).toBe(
      'public, max-age=60',
    );
  });

  it('sets headers that the response does not have yet', () => {
    const given: Record<string, string> = { 'Cache-Control': 'mine' };
    const set = (headersSent: boolean): void => {
      const response = Object.assign(new EventEmitter(), {
        headersSent,
        hasHeader: (name: string) => name in given,
        setHeader: (name: string, value: string) => void (given[name] = value),
        write: () => true,
        end: () => {},
        destroy: () => {},
      });
      new ServerSession().pipe({ pipe: () => {} }, response);
    };
    set(true);
    expect(given).toEqual({ 'Cache-Control': 'mine' });
    set(false);
    expect(given).toEqual({ 'Cache-Control': 'mine', 'Content-Type': 'text/html; charset=utf-8' });
  });

  it('has the nonce of the page, and an id where there are several', () => {
    expect(new ServerSession({ nonce: 'a"b', id: 'second' }).flush()).toMatch(
      /^<script type="application\/json" data-rejoin="second" data-length="\d+" nonce="a&#34;b">/,
    );
  });

  it('returns the flushed state as props too, for frameworks that need elements', async () => {
    const options = { nonce: 'a"b', id: 'second', now: () => 5 };
    const [one, other] = [new ServerSession(options), new ServerSession(options)];
    for (const { controller } of [one, other]) void controller.set(Todo, { id: '1' }, { id: '1', title: '</script>' });
    const script = h('script', other.script());
    // React escapes the quotation mark in another way.
    expect(renderToStaticMarkup(script).replace('&quot;', '&#34;')).toBe(one.flush());
    expect(other.script()).toBe(undefined);
    other.dispose();
    await expect(other.controller.fetch(getTodo, { id: '1' })).rejects.toMatchObject({ code: 'controller-disposed' });
    expect(other.script()).toBe(undefined);
  });

  it('sends one empty part if there is no data, and then nothing', () => {
    const session = new ServerSession();
    expect(partsIn(session.flush())).toMatchObject([{ states: [], early: [], pending: [] }]);
    expect(session.flush()).toBe('');
  });

  it('ends when its reader has disconnected, and aborts the requests that are in flight', async () => {
    const response = Object.assign(new EventEmitter(), { write: () => true, end: () => {}, destroy: () => {} });
    const session = new ServerSession();
    session.pipe({ pipe: () => {} }, response);
    const fetched = session.controller.fetch(getTodo, { id: '99' });
    response.emit('close');
    await expect(fetched).rejects.toMatchObject({ code: 'request-reset' });
    session.dispose();
  });

  it('ends at once if its reader had disconnected before', async () => {
    const server = createServer((_request, response) => void response.destroy());
    const response = await new Promise<ServerResponse>((resolve) => {
      server.on('request', (_request, closed: ServerResponse) => void closed.on('close', () => resolve(closed)));
      server.listen(0, () => void fetch(`http://localhost:${(server.address() as AddressInfo).port}`).catch(() => {}));
    });
    server.close();
    const session = new ServerSession();
    const fetched = session.controller.fetch(getTodo, { id: '99' });
    session.pipe({ pipe: () => {} }, response);
    await expect(fetched).rejects.toMatchObject({ code: 'request-reset' });
  });

  it('forwards the signals that the reader is slow or has failed', () => {
    const written: number[] = [];
    const calls: unknown[] = [];
    const response = Object.assign(new EventEmitter(), {
      writableNeedDrain: true,
      write: (bytes: Uint8Array) => written.push(bytes.length) > 0,
      end: () => calls.push('end'),
      destroy: (error: unknown) => calls.push(error),
      flush: () => calls.push('flush'),
    });
    let to: Record<string, (...args: unknown[]) => unknown> = {};
    new ServerSession().pipe({ pipe: (woven: never) => void (to = woven) }, response);
    const onDrain = vi.fn<() => void>();
    expect(to['on']?.('drain', onDrain)).toBe(to);
    expect(to['write']?.('<p>')).toBe(false);
    expect(written).toEqual([]);
    to['flush']?.();
    to['flush']?.();
    expect(written).toHaveLength(1);
    response.emit('drain');
    expect(onDrain).toHaveBeenCalledOnce();
    to['end']?.();
    to['destroy']?.('gone');
    expect(calls).toEqual(['flush', 'flush', 'end', 'gone']);
  });

  it('stops rendering a page when the browser has disconnected', async () => {
    let cancelled: unknown;
    const session = new ServerSession();
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array([60])),
      cancel: (reason) => void (cancelled = reason),
    });
    await session.inject(stream).cancel('away');
    expect(cancelled).toBe('away');
    expect(session.flush()).toBe('');
  });

  it('fails when the page fails', async () => {
    const session = new ServerSession();
    const stream = new ReadableStream<Uint8Array>({
      pull: () => {
        throw new Error('no page');
      },
    });
    await expect(session.inject(stream).getReader().read()).rejects.toThrow('no page');
    expect(session.flush()).toBe('');
  });
});

describe('one user per session', () => {
  // Row R16 of the scoreboard tests all hundred users.
  it('thirty users with ten pages each at the same time see no data of each other', async () => {
    const { pages, wrong } = await foreignMarkers(30, 10, randomOf(7));
    expect(pages).toBe(300);
    expect(wrong).toEqual([]);
  });

  it('a session that was made outside of a request is refused for the second page', async () => {
    const session = new ServerSession();
    const empty = (): ReadableStream<Uint8Array> => new ReadableStream({ start: (controller) => controller.close() });
    session.inject(empty());
    const second = expect.objectContaining({ code: 'session-used' }) as Error;
    expect(() => session.inject(empty())).toThrow(second);
    const over = new ServerSession();
    over.dispose();
    const response = Object.assign(new EventEmitter(), { write: () => true, end: () => {}, destroy: () => {} });
    expect(() => over.pipe({ pipe: () => {} }, response)).toThrow(second);
  });

  it('a provider without a controller, which all users would share, is refused on a server', async () => {
    await expect(piped(new ServerSession(), h(DataProvider, null, 'x'))).rejects.toMatchObject({
      code: 'server-controller-missing',
    });
  });

  it('the controller of a browser cannot be made on a server', () => {
    expect(() => takeOver()).toThrow(expect.objectContaining({ code: 'browser-only' }));
  });
});

describe('a page that has ended', () => {
  it('leaves no timer and no request', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
    const before = timers();
    const session = new ServerSession();
    const Loading = (): ReactNode => h('b', null, String(useDLE(getTodo, { id: '50' }).loading));
    await piped(session, page(session, slow('1'), h(Loading)));
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
