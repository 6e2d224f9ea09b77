// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Controller, dehydrate, Endpoint, type SnapshotInterface, Store } from '../../src/index.ts';
import type { BrowserLog } from '../../src/adapters/ssr/browser-log.ts';
import type { PagePart } from '../../src/adapters/ssr/page-part.ts';
import { asHtml, stateScript } from '../../src/adapters/ssr/state-script.ts';
import type { LiveView } from '../../src/control/view/answer.ts';
import { queryView } from '../../src/control/view/query-view.ts';
import { awaitInitialData, getInitialData, takeOver, toScriptJson } from '../../src/ssr.ts';
import { Todo } from '../model.ts';

const asked: string[] = [];
const getTodo = new Endpoint(
  async ({ id }: { id: string }) => {
    asked.push(id);
    return { id, title: 'from the network' };
  },
  { name: 'getTodo', schema: Todo },
);

const mutate = new Endpoint(async ({ id }: { id: string }) => ({ id, title: 'renamed' }), {
  name: 'rename',
  schema: Todo,
  sideEffect: true,
});

/** The state of a store in which these requests have been answered. */
function stateOf(titles: Readonly<Record<string, string>>, at = 1000) {
  const store = new Store({ now: () => at });
  for (const [id, title] of Object.entries(titles))
    store.write(Todo, { id, title }, { args: [{ id }], resultKey: getTodo.key({ id }), expiresAt: at + 60_000 });
  return dehydrate(store);
}

const part = (more: Partial<PagePart> = {}): PagePart => ({ now: 1000, states: [], early: [], pending: [], ...more });

let isLoading = false;
beforeEach(() => {
  document.body.innerHTML = '';
  asked.length = 0;
  isLoading = true;
  Object.defineProperty(document, 'readyState', {
    configurable: true,
    get: () => (isLoading ? 'loading' : 'complete'),
  });
});
afterEach(() => arriveEnd());

function arrive(given: unknown, id = 'rejoin'): void {
  document.body.insertAdjacentHTML('beforeend', asHtml(stateScript(toScriptJson(given), id)));
}

function arriveEnd(): void {
  isLoading = false;
  document.dispatchEvent(new Event('DOMContentLoaded'));
}

/** Takes over a page. Returns the controller, and the first answers of the readers of that page. */
function takenOver(): { readonly controller: Controller; readonly rendering: BrowserLog } {
  const { controller, rendering } = takeOver();
  return { controller, rendering: rendering as BrowserLog };
}

const turn = async (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1));

describe('a browser that takes a page over', () => {
  it('has at once the data that has arrived, and later data when it arrives', async () => {
    arrive(part({ states: [stateOf({ '1': 'first' })] }));
    const { controller, whenComplete } = takeOver();
    expect(controller.get(Todo, { id: '1' })?.title).toBe('first');
    arrive(part({ states: [stateOf({ '2': 'second' })] }));
    await turn();
    expect(controller.get(Todo, { id: '2' })?.title).toBe('second');
    arrive(part({ states: [stateOf({ '3': 'third' })] }));
    arriveEnd();
    await whenComplete;
    expect(controller.get(Todo, { id: '3' })?.title).toBe('third');
    arrive(part({ states: [stateOf({ '4': 'too late' })] }));
    await turn();
    expect(controller.get(Todo, { id: '4' })).toBeUndefined();
  });

  it('removes the elements that it has read from the page, and keeps the states of other applications', () => {
    arrive(part());
    arrive(part({ states: [stateOf({ '1': 'other' })] }), 'other');
    expect(takeOver().controller.get(Todo, { id: '1' })).toBeUndefined();
    expect(document.querySelectorAll('script[data-rejoin="rejoin"]')).toHaveLength(0);
    expect(takeOver({ id: 'other' }).controller.get(Todo, { id: '1' })?.title).toBe('other');
    expect(document.querySelectorAll('script')).toHaveLength(0);
  });

  it('waits for the end of an element that has arrived in part', async () => {
    arrive(part({ states: [stateOf({ '1': 'whole' })] }));
    const script = document.querySelector('script');
    const text = script?.textContent ?? '';
    if (script !== null) script.textContent = text.slice(0, 40);
    const { controller } = takeOver();
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
    script?.append(text.slice(40));
    await turn();
    expect(controller.get(Todo, { id: '1' })?.title).toBe('whole');
  });

  it('a later part replaces an earlier one, and no data that was written in the browser', async () => {
    arrive(part({ states: [stateOf({ '1': 'early', '2': 'early' })] }));
    const { controller } = takeOver();
    await controller.set(Todo, { id: '2' }, { id: '2', title: 'mine' });
    arrive(part({ states: [stateOf({ '1': 'late', '2': 'late' })] }));
    await turn();
    expect(controller.get(Todo, { id: '1' })?.title).toBe('late');
    expect(controller.get(Todo, { id: '2' })?.title).toBe('mine');
  });

  it('data that was fresh on the server is fresh, also when the clock of the browser differs', async () => {
    arrive(part({ states: [stateOf({ '1': 'fresh' })] }));
    const { controller } = takeOver({ now: () => 99_000_000 });
    expect(controller.getResponse(getTodo, { id: '1' })).toMatchObject({ expiryStatus: 3, expiresAt: 99_060_000 });
    expect(controller.fetchIfStale(getTodo, { id: '1' })).toBe(controller.get(Todo, { id: '1' }));
    expect(asked).toEqual([]);
  });

  it('data that never expires does not expire in the browser either', () => {
    const tables = [['Todo', [['1', { id: '1' }, 1, 1, null]]]] as const;
    arrive(part({ states: [{ ...stateOf({}), tables }] }));
    const { controller } = takeOver();
    expect([...controller.store.rows()][0]?.stamp.expiresAt).toBe(Number.POSITIVE_INFINITY);
  });

  it('does not send a request that is in flight on the server, and gets its answer from the page', async () => {
    arrive(part({ pending: [getTodo.key({ id: '1' })] }));
    const { controller } = takeOver({ now: () => 1000 });
    const settled = vi.fn<(value: unknown) => void>();
    void controller.fetch(getTodo, { id: '1' }).then(settled);
    await turn();
    arrive(part({ pending: [getTodo.key({ id: '1' })] }));
    await turn();
    expect(settled).not.toHaveBeenCalled();
    arrive(part({ states: [stateOf({ '1': 'from the page' })] }));
    await turn();
    await turn();
    expect(settled).toHaveBeenCalledWith(controller.get(Todo, { id: '1' }));
    expect(asked).toEqual([]);
  });

  it.each([
    ['the page ends without it', () => arriveEnd()],
    ['the server has failed to get it', () => arrive(part())],
    ['the data is stale', () => arrive(part({ states: [stateOf({ '1': 'old' }, -99_000)] }))],
  ])('sends a request that was in flight on the server if %s', async (_what, happen) => {
    arrive(part({ pending: [getTodo.key({ id: '1' })] }));
    const { controller } = takeOver({ now: () => 1000 });
    const fetched = controller.fetch(getTodo, { id: '1' });
    await turn();
    happen();
    expect((await fetched).title).toBe('from the network');
    expect(asked).toEqual(['1']);
  });

  it.each([
    ['has sent a mutation', (controller: Controller) => void controller.fetch(mutate, { id: '9' })],
    ['has refreshed data', (controller: Controller) => void controller.expireAll(getTodo)],
  ])(
    'data that arrives after the browser %s is stale, because the server may have read it before',
    async (_what, act) => {
      arrive(part({ states: [stateOf({ '1': 'before' })] }));
      const { controller } = takeOver({ now: () => 1000 });
      arrive(part({ states: [stateOf({ '2': 'also before' })] }));
      await turn();
      expect(controller.getResponse(getTodo, { id: '2' }).expiresAt).toBe(61_000);
      act(controller);
      arrive(part({ states: [stateOf({ '3': 'after' })] }));
      await turn();
      expect(controller.getResponse(getTodo, { id: '3' })).toMatchObject({ data: { title: 'after' }, expiresAt: 999 });
    },
  );

  it('takes no more data from the page after a reset, because it may be of another user', async () => {
    arrive(part({ pending: [getTodo.key({ id: '1' })] }));
    const { controller } = takeOver({ now: () => 1000 });
    const fetched = controller.fetch(getTodo, { id: '1' });
    await turn();
    await controller.resetEntireStore();
    expect((await fetched).title).toBe('from the network');
    arrive(
      part({
        states: [stateOf({ '1': 'of the former user', '2': 'of the former user' })],
        pending: [getTodo.key({ id: '3' })],
      }),
    );
    await turn();
    expect(controller.get(Todo, { id: '1' })?.title).toBe('from the network');
    expect(controller.get(Todo, { id: '2' })).toBeUndefined();
    expect((await controller.fetch(getTodo, { id: '3' })).title).toBe('from the network');
    expect(asked).toEqual(['1', '3']);
  });

  it('ends the waiting requests when it is disposed of', async () => {
    arrive(part({ pending: [getTodo.key({ id: '1' })] }));
    const { controller } = takeOver();
    const fetched = controller.fetch(getTodo, { id: '1' });
    await turn();
    controller.dispose();
    await Promise.allSettled([fetched]);
    expect(asked.length).toBeLessThan(2);
  });

  it.each([
    ['is none', 'text'],
    ['has no clock', { ...part(), now: '1' }],
    ['has no states', { ...part(), states: undefined }],
    ['has a state that is none', part({ states: [{ format: 'other' } as never] })],
  ])('ignores a part that %s, and reads the next one', (_what, given) => {
    arrive(given);
    arrive(part({ states: [stateOf({ '1': 'next' })] }));
    const errors: unknown[] = [];
    const { controller } = takeOver({ onError: (error) => errors.push(error) });
    expect(errors).toMatchObject([{ code: 'state-invalid' }]);
    expect(controller.get(Todo, { id: '1' })?.title).toBe('next');
  });

  it('reports a part that cannot be read', async () => {
    const thrown: unknown[] = [];
    vi.stubGlobal('queueMicrotask', (run: () => void) => {
      try {
        run();
      } catch (error) {
        thrown.push(error);
      }
    });
    document.body.insertAdjacentHTML('beforeend', asHtml(stateScript('{', 'rejoin')));
    takeOver();
    vi.unstubAllGlobals();
    expect(thrown).toMatchObject([{ code: 'state-invalid' }]);
  });

  it('refuses a state that was not written by a server', () => {
    arrive(part({ states: [{ ...stateOf({}), format: 'other' } as never] }));
    const errors: unknown[] = [];
    takeOver({ onError: (error) => errors.push(error) });
    expect(errors).toMatchObject([{ code: 'hydrate-invalid' }]);
  });
});

describe('what a reader shows first', () => {
  it('is the data that the server had shown, until all data of the server has arrived', async () => {
    arrive(
      part({
        states: [stateOf({ '1': 'early' }), stateOf({ '1': 'late' })],
        early: [
          ['a', 1],
          ['b', 0],
        ],
      }),
    );
    const { controller, rendering } = takenOver();
    const view = queryView(controller.store, Todo, [{ id: '1' }]);
    expect(rendering.first('a', view, false)).toMatchObject({ value: { title: 'early' } });
    expect(rendering.first('b', view, false)).toEqual({ status: 'missing' });
    expect(rendering.first('c', view, false)).toMatchObject({ value: { title: 'late' } });
    // A later part says that the server has rendered it once more.
    arrive(part({ states: [stateOf({ '1': 'latest' })], early: [['a', 0]] }));
    await turn();
    expect(rendering.first('a', view, false)).toMatchObject({ value: { title: 'late' } });
    expect(rendering.first('c', view, false)).toMatchObject({ value: { title: 'latest' } });
  });

  it('does not contain data that was written in the browser', async () => {
    arrive(part({ states: [stateOf({ '1': 'sent' })] }));
    const { controller, rendering } = takenOver();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'written here' });
    const view = queryView(controller.store, Todo, [{ id: '1' }]);
    expect(view.current()).toMatchObject({ value: { title: 'written here' } });
    expect(rendering.first('a', view, false)).toMatchObject({ value: { title: 'sent' } });
    expect(rendering.first('a', view, false)).toMatchObject({ value: { title: 'sent' } });
  });

  it('does not contain a guess of the browser that was confirmed, where the record came with the page in the meantime', async () => {
    const { controller, rendering } = takenOver();
    let answer = (_title: string): void => {};
    const rename = new Endpoint(
      async ({ id }: { id: string }) => new Promise<object>((resolve) => (answer = (title) => resolve({ id, title }))),
      {
        name: 'rename',
        schema: Todo,
        sideEffect: true,
        getOptimisticResponse: (snap: SnapshotInterface, { id }: { id: string }) => {
          if (snap.get(Todo, { id }) === undefined) throw snap.abort;
          return { id, title: 'guess' };
        },
      },
    );
    const renamed = controller.fetch(rename, { id: '1' });
    arrive(part({ states: [stateOf({ '1': 'sent' })] }));
    await turn();
    answer('guess');
    await renamed;
    const view = controller.view(getTodo, { id: '1' }) as LiveView;
    expect(view.current()).toMatchObject({ value: { title: 'guess' } });
    expect(rendering.first('a', view, true)).toMatchObject({ value: { title: 'sent' } });
  });

  it('is the answer of the server where the browser has another one of the same request', async () => {
    const getCount = new Endpoint(async () => ({ count: 2 }), { name: 'getCount' });
    const { controller, rendering } = takenOver();
    await controller.fetch(getCount);
    const store = new Store({ now: () => 1000 });
    store.write(undefined, { count: 1 }, { args: [], resultKey: getCount.key(), expiresAt: 61_000 });
    arrive(part({ states: [dehydrate(store)] }));
    await turn();
    const view = controller.view(getCount) as LiveView;
    expect(view.current()).toMatchObject({ value: { count: 2 } });
    expect(rendering.first('a', view, true)).toMatchObject({ value: { count: 1 } });
  });

  it('is the answer of the browser for a reader that suspends, where the server could not send its data', async () => {
    const { controller, rendering } = takenOver();
    await controller.fetch(getTodo, { id: '1' });
    const view = controller.view(getTodo, { id: '1' }) as LiveView;
    expect(rendering.first('a', view, true)).toMatchObject({ value: { title: 'from the network' } });
    expect(rendering.first('b', view, false)).toEqual({ status: 'missing' });
  });

  it('is the current state after very many commits', async () => {
    const { controller, rendering } = takenOver();
    for (let at = 0; at < 2100; at++) controller.store.write(Todo, { id: '1', title: `${at}` });
    arrive(part({ states: [stateOf({ '2': 'sent' })] }));
    await turn();
    expect(rendering.first('a', queryView(controller.store, Todo, [{ id: '1' }]), false)).toMatchObject({
      value: { title: '2099' },
    });
  });

  it('is the error of a request where the server has rendered none, and otherwise what the server has rendered', async () => {
    const { controller, rendering } = takenOver();
    await controller.setError(getTodo, { id: '1' }, new Error('no'));
    const view = controller.view(getTodo, { id: '1' });
    expect(rendering.first('a', view as never, true)).toMatchObject({ status: 'failed' });
    expect(rendering.first('b', view as never, false)).toEqual({ status: 'missing' });
  });
});

describe('a state in one piece', () => {
  function put(id = 'rejoin'): void {
    document.body.innerHTML = `<script type="application/json" data-rejoin-state="${id}">${toScriptJson({ now: 1000, state: stateOf({ '1': 'whole' }) })}</script>`;
  }

  it('fills a controller', () => {
    put();
    const controller = new Controller({ now: () => 5000 });
    getInitialData()(controller);
    expect(controller.get(Todo, { id: '1' })?.title).toBe('whole');
    expect(controller.getResponse(getTodo, { id: '1' }).expiresAt).toBe(65_000);
  });

  it('is read when the end of the page has arrived', async () => {
    const filled = awaitInitialData('mine');
    put('mine');
    arriveEnd();
    const controller = new Controller();
    (await filled)(controller);
    expect(controller.get(Todo, { id: '1' })?.title).toBe('whole');
    expect(await awaitInitialData('mine')).toBeTypeOf('function');
  });

  it('that is missing is a typed error', () => {
    expect(() => getInitialData()).toThrow(expect.objectContaining({ code: 'state-invalid' }));
  });
});
