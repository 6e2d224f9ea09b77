/** R15: known problems of stores that are read while React renders in slices, and random combinations of them. */
import { memo, type ReactNode, startTransition, StrictMode, Suspense, useDeferredValue, useState } from 'react';
import * as React from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, test } from 'vitest';
import { Controller, Endpoint, Entity, Query, type Readable, Store } from 'rejoin';
import { DataProvider, useDLE, useQuery, useSuspense } from 'rejoin/react';
import { click, rest, Server, show, blockThread, turn, until } from './harness.tsx';
import { random } from './random.ts';

export interface Amount {
  readonly runs: number;
  readonly cycles: number;
}

const Activity = (React as { Activity?: React.ComponentType<{ mode: 'visible' | 'hidden'; children: ReactNode }> })
  .Activity;

class Count extends Entity {
  id = '';
  value = 0;
  static override key = 'Count';
}

const READERS = 20;

function counting() {
  const controller = new Controller();
  let value = 0;
  const set = (next: number): void => {
    value = next;
    void controller.set(Count, { id: '1' }, { id: '1', value: next });
  };
  set(0);
  const useCount = (): number => useQuery(Count, { id: '1' })?.value ?? -1;
  return { controller, set, increment: () => set(value + 1), useCount, now: () => value };
}

/** Whether every frame shows one number only. */
const isWhole = (frame: string): boolean => new Set(frame.split(' ').filter((part) => part !== '')).size <= 1;

type How = 'a transition' | 'a deferred value';

function wellKnown(how: How): void {
  function scene() {
    const count = counting();
    const { useCount } = count;
    const actions = { open: (_isOpen: boolean): void => {}, setText: (_text: string): void => {} };
    const useShown = how === 'a transition' ? useCount : (): number => useDeferredValue(useCount());
    const Reader = memo(function Reader(): ReactNode {
      const shown = useShown();
      blockThread(2);
      return ` ${shown}`;
    });
    function Page({ isOpenFirst }: { isOpenFirst: boolean }): ReactNode {
      const [isOpen, open] = useState(isOpenFirst);
      actions.open = open;
      const shown = useShown();
      return isOpen ? [` ${shown}`, ...Array.from({ length: READERS }, (_, at) => <Reader key={at} />)] : null;
    }
    const change = (run: () => void): void => (how === 'a transition' ? startTransition(run) : run());
    const mount = (isOpenFirst: boolean) =>
      show(
        <DataProvider controller={count.controller}>
          <Page isOpenFirst={isOpenFirst} />
        </DataProvider>,
        { isStrict: false },
      );
    return { ...count, actions, change, mount };
  }

  test(`${how}: no tearing during and after an update`, async () => {
    const { change, increment, mount, now } = scene();
    const { frames, text } = mount(true);
    await until(() => text() !== '');
    await rest();
    for (let at = 0; at < 5; at++) {
      change(increment);
      await turn();
    }
    await until(() => text().endsWith(` ${now()}`));
    await rest();
    expect(text()).toBe(` ${now()}`.repeat(READERS + 1));
    if (how === 'a transition') expect(frames.filter((frame) => !isWhole(frame))).toEqual([]);
    // Each reader defers its value on its own, so that only the last frame has to be consistent.
    else expect(frames.at(-1)).toBe(` ${now()}`.repeat(READERS + 1));
  });

  test(`${how}: no tearing during and after a mount`, async () => {
    const { actions, increment, mount, now } = scene();
    const { frames, text } = mount(false);
    await rest(5);
    startTransition(() => actions.open(true));
    for (let at = 0; at < 5; at++) {
      await turn();
      increment();
    }
    await until(() => text().endsWith(` ${now()}`));
    await rest();
    expect(text()).toBe(` ${now()}`.repeat(READERS + 1));
    if (how === 'a transition') expect(frames.filter((frame) => !isWhole(frame))).toEqual([]);
  });
}

export function concurrentTable({ runs, cycles }: Amount): void {
  describe('known problems of concurrent rendering, with', () => {
    wellKnown('a transition');
    wellKnown('a deferred value');

    test('a transition: an urgent update interrupts it and does not wait', async () => {
      const { controller, increment, useCount } = counting();
      const actions = { type: (_text: string): void => {} };
      let renders = 0;
      const Reader = memo(function Reader(): ReactNode {
        renders++;
        blockThread(6);
        return ` ${useCount()}`;
      });
      function Page(): ReactNode {
        const [text, setText] = useState('');
        actions.type = setText;
        return [`[${text}]`, ...Array.from({ length: READERS }, (_, at) => <Reader key={at} />)];
      }
      const { frames, text } = show(
        <DataProvider controller={controller}>
          <Page />
        </DataProvider>,
        { isStrict: false },
      );
      await until(() => text() !== '');
      await rest();
      renders = 0;
      startTransition(increment);
      await until(() => renders > 2);
      expect(renders).toBeLessThan(READERS);
      click(() => actions.type('a'));
      await until(() => text().endsWith(' 1'));
      expect(frames).toEqual([`[]${' 0'.repeat(READERS)}`, `[a]${' 0'.repeat(READERS)}`, `[a]${' 1'.repeat(READERS)}`]);
    });
  });

  describe('random screens', () => {
    test(`with interleaved writes never show two states at once, in ${runs} runs`, { timeout: 300_000 }, async () => {
      let frames = 0;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (let seed = 1; seed <= runs; seed++) frames += await interleave(seed);
      // Histories without changes would prove nothing.
      expect(frames).toBeGreaterThan(runs * 4);
    });
  });

  describe('subscriptions', () => {
    test(
      `are all ended after ${cycles} mounts in StrictMode that suspend, hide and show`,
      { timeout: 600_000 },
      async () => {
        const store = new Counted();
        const controller = new Controller({ store });
        const server = new Server();
        server.respond = (name) => ({ id: name, value: 1 });
        const getCount = new Endpoint(({ id }: { id: string }) => server.ask(id), {
          name: 'getCount',
          schema: Count,
          dataExpiryLength: 0,
        });
        const before = controller.store.stats();
        function Reader({ id }: { id: string }): ReactNode {
          useDLE(getCount, { id: `${id}-more` });
          useQuery(Count, { id });
          return useSuspense(getCount, { id }).value;
        }
        const Hideable = Activity ?? (({ children }: { children: ReactNode }) => children);
        const container = document.createElement('div');
        for (let at = 0; at < cycles; at++) {
          const root = createRoot(container);
          const page = (mode: 'visible' | 'hidden'): ReactNode => (
            <StrictMode>
              <DataProvider controller={controller}>
                <Hideable mode={mode}>
                  <Suspense fallback="…">
                    <Reader id={`${at % 10}`} />
                  </Suspense>
                </Hideable>
              </DataProvider>
            </StrictMode>
          );
          root.render(page('visible'));
          // oxlint-disable no-await-in-loop -- one after the other
          await rest(at % 4);
          if (at % 3 === 0) {
            root.render(page('hidden'));
            await rest(at % 2);
            root.render(page('visible'));
            await rest(at % 3);
          }
          root.unmount();
          // oxlint-enable no-await-in-loop
        }
        // Components that suspended and were never mounted are given up after a while.
        await until(
          () => store.subscriptions === 0 && [...controller.shown()].length === 0,
          () => store.subscriptions,
        );
        expect(before.rows).toBe(0);
        expect(store.most).toBeGreaterThan(0);
      },
    );
  });
}

/** A store that counts its subscribers. */
class Counted extends Store {
  subscriptions = 0;
  most = 0;

  override readonly query = ((...args: Parameters<Store['query']>) =>
    this.#counted(super.query(...args))) as Store['query'];
  override readonly resultView = ((...args: Parameters<Store['resultView']>) =>
    this.#counted(super.resultView(...args))) as Store['resultView'];

  #counted(readable: Readable): Readable {
    return {
      current: readable.current,
      subscribe: (onChange) => {
        this.most = Math.max(this.most, ++this.subscriptions);
        const stop = readable.subscribe(onChange);
        return () => {
          this.subscriptions--;
          stop();
        };
      },
    };
  }
}

const IDS = ['a', 'b', 'c'];
/** All rows as one text: a reader that shows several rows at once. */
const everything = new Query({ a: Count, b: Count, c: Count }, (counts: { a?: Count; b?: Count; c?: Count }) => [
  counts.a,
  counts.b,
  counts.c,
]);

/** Plays one random screen, and returns the number of its frames. */
async function interleave(seed: number): Promise<number> {
  const { below, pick, isLucky } = random(seed);
  const controller = new Controller();
  const server = new Server();
  const getCount = new Endpoint(({ id }: { id: string }) => server.ask(id), { name: 'getCount', schema: Count });
  const values = { a: 0, b: 0, c: 0 } as Record<string, number>;
  const write = (id: string): void =>
    void controller.set(Count, { id }, { id, value: (values[id] = (values[id] ?? 0) + 1) });
  for (const id of IDS) write(id);
  const actions: { go(page: number): void; count(readers: number): void } = { go: () => {}, count: () => {} };
  const slow = below(3);
  function One({ id }: { id: string }): ReactNode {
    blockThread(slow / 2);
    return ` ${id}${useQuery(Count, { id })?.value}`;
  }
  function All(): ReactNode {
    const counts = useQuery(everything, { id: '' });
    return counts?.map((count) => (count ? ` ${count.id}${count.value}` : '')).join('');
  }
  function Away({ page }: { page: number }): ReactNode {
    const post = useSuspense(getCount, page === 0 ? null : { id: `page${page}` });
    return post === undefined ? '' : ` ${post.id}:${post.value}`;
  }
  function Page(): ReactNode {
    const [page, go] = useState(0);
    const [readers, count] = useState(2);
    Object.assign(actions, { go, count });
    return (
      <>
        <Away page={page} />
        {Array.from({ length: readers }, (_, at) => (
          <One key={at} id={IDS[at % 3] as string} />
        ))}
        <All />
      </>
    );
  }
  const shown = show(
    <DataProvider controller={controller}>
      <Suspense fallback="">
        <Page />
      </Suspense>
    </DataProvider>,
    { isStrict: isLucky(0.3) },
  );
  await until(() => shown.text() !== '');
  let page = 0;
  let readers = 2;
  const steps = [
    () => write(pick(IDS)),
    () => startTransition(() => write(pick(IDS))),
    () => startTransition(() => (write(pick(IDS)), actions.go(++page))),
    () => actions.count((readers = 1 + below(8))),
    () => startTransition(() => actions.count((readers = 1 + below(8)))),
    () => controller.batch(() => IDS.forEach(write)),
    () => startTransition(() => controller.batch(() => IDS.forEach(write))),
  ];
  for (let at = 0; at < 8; at++) {
    pick(steps)();
    // oxlint-disable-next-line no-await-in-loop -- steps follow each other
    if (isLucky(0.7)) await rest(below(3));
    if (page > 0 && isLucky(0.3)) server.respond = (id) => ({ id, value: 1 });
  }
  server.respond = (id) => ({ id, value: 1 });
  for (const name of new Set(server.asked)) if (server.isWaiting(name)) server.answer(name, { id: name, value: 1 });
  const last = (): boolean => IDS.every((id) => !new RegExp(` ${id}(?!${values[id]}\\b)\\d`).test(shown.text()));
  await until(
    () => last() && (page === 0 || shown.text().includes(`page${page}`)),
    () => `seed ${seed}: ${shown.text()}`,
  );
  await rest(3);
  void readers;
  for (const frame of shown.frames) {
    const said = new Map<string, string>();
    for (const [, id = '', value = ''] of frame.matchAll(/ ([abc])(\d+)/g)) {
      expect(said.get(id) ?? value, `seed ${seed}: ${shown.frames.join(' | ')}`).toBe(value);
      said.set(id, value);
    }
  }
  const { length } = shown.frames;
  shown.unmount();
  controller.dispose();
  return length;
}
