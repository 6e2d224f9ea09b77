import { describe, expect, test } from 'vitest';
import { Controller, Endpoint, type EndpointOptions } from 'rejoin';
import { Demands } from '../../src/control/view/demands.ts';
import { type EndpointView, responseView } from '../../src/control/view/endpoint-view.ts';
import { RequestView } from '../../src/control/view/request-view.ts';
import { Post } from '../model.ts';
import { Server, turn } from './harness.tsx';

/** Timers that run when they are told to. */
class Clock {
  time = 1000;
  readonly timers = new Map<number, () => void>();
  #last = 0;
  readonly setTimeout = (run: () => void): number => {
    this.timers.set(++this.#last, run);
    return this.#last;
  };
  readonly clearTimeout = (timer: unknown): void => void this.timers.delete(timer as number);
  run(): void {
    const timers = [...this.timers.values()];
    this.timers.clear();
    for (const timer of timers) timer();
  }
}

function given(options: Partial<EndpointOptions> = {}) {
  const clock = new Clock();
  const server = new Server();
  const controller = new Controller({ now: () => clock.time });
  const requests = new Demands(controller, clock);
  const getPost = new Endpoint(({ id }: { id: string }) => server.ask(id), {
    name: 'getPost',
    schema: Post,
    ...options,
  });
  const view = (): RequestView => new RequestView(controller, requests, getPost, [{ id: '1' }]);
  return { clock, server, controller, requests, getPost, view };
}

const one = { id: '1', title: 'one' };

describe('a request that readers wait for', () => {
  test('is one request and one promise, however often it is asked for', async () => {
    const { server, view } = given();
    const promise = view().ask();
    expect(view().ask()).toBe(promise);
    server.answer('1', one);
    await promise;
    expect(view().current()).toMatchObject({ status: 'fresh', value: one });
    expect(server.asked).toEqual(['1']);
  });

  test('makes nothing of what has landed before it is done: of a large answer that takes a while', async () => {
    const { controller, getPost, requests, server } = given();
    let reads = 0;
    let tell: () => void = () => {};
    const view: EndpointView = {
      ...responseView(controller, getPost, [{ id: '1' }]),
      current: () => (reads++, { status: 'fresh', value: one }),
      subscribe: (onChange) => {
        tell = onChange;
        return () => {};
      },
    };
    const args = [{ id: '1' }];
    const promise = requests.ask({ endpoint: getPost, args, key: getPost.key({ id: '1' }), view, wasThere: false });
    const atCommits: number[] = [];
    controller.store.onCommit(() => {
      tell();
      atCommits.push(reads);
    });
    server.answer('1', one);
    await promise;
    expect(atCommits[0]).toBe(0);
    expect(reads).toBe(1);
    expect(controller.get(Post, { id: '1' })?.title).toBe('one');
  });

  test('never rejects', async () => {
    const { server, view } = given();
    const promise = view().ask();
    server.fail('1', new Error('no'));
    await expect(promise).resolves.toBe(undefined);
    expect(view().current()).toMatchObject({ status: 'failed' });
  });

  test('keeps what it waits for, and lets it go when no reader has come for it', async () => {
    const { clock, controller, server, view } = given();
    const promise = view().ask();
    expect(controller.isShown('getPost [{"id":"1"}]')).toBe(true);
    server.answer('1', one);
    await promise;
    expect(controller.isShown('getPost [{"id":"1"}]')).toBe(true);
    clock.run();
    expect(controller.isShown('getPost [{"id":"1"}]')).toBe(false);
    expect(clock.timers.size).toBe(0);
  });

  test('is not let go while another one is waited for', async () => {
    const { clock, controller, requests, getPost, server, view } = given();
    const promise = view().ask();
    server.answer('1', one);
    await promise;
    const other = new RequestView(controller, requests, getPost, [{ id: '2' }]).ask();
    clock.run();
    expect(controller.isShown('getPost [{"id":"1"}]')).toBe(true);
    server.answer('2', { id: '2' });
    await other;
    clock.run();
    expect(controller.isShown('getPost [{"id":"1"}]')).toBe(false);
  });

  test.each([0, -1000])(
    'that is answered with what is stale at once is not sent again by readers that waited (%d)',
    async (dataExpiryLength) => {
      const { clock, server, view } = given({ dataExpiryLength });
      const promise = view().ask();
      server.answer('1', one);
      await promise;
      clock.time += 10;
      const [first, second] = [view(), view()];
      first.shown();
      second.shown();
      expect(server.asked).toHaveLength(1);
      await Promise.resolve();
      view().shown();
      expect(server.asked).toHaveLength(2);
    },
  );

  test('and answered with what is stale at once is sent again by readers that come later', async () => {
    const { clock, server, view } = given({ dataExpiryLength: 0 });
    const promise = view().ask();
    server.answer('1', one);
    await promise;
    for (let visit = 1; visit <= 5; visit++) {
      view().shown();
      await Promise.resolve();
      expect(server.asked).toHaveLength(visit);
      if (visit > 1) server.answer('1', one);
      await turn();
      clock.time += 10;
    }
  });

  test('by one that is on the screen, and is not shown again for it, does not keep others from asking', async () => {
    const { clock, server, view } = given({ dataExpiryLength: 0 });
    const onScreen = view();
    const promise = onScreen.ask();
    onScreen.shown();
    server.answer('1', one);
    await promise;
    clock.time += 10;
    view().shown();
    expect(server.asked).toHaveLength(2);
  });

  test('by one that suspends beside one that is on the screen is not sent again by the former', async () => {
    const { clock, server, view } = given({ dataExpiryLength: 0 });
    view().shown();
    const promise = view().ask();
    view().shown();
    server.answer('1', one);
    await promise;
    clock.time += 10;
    view().shown();
    expect(server.asked).toHaveLength(1);
  });

  test('because what is on the screen was expired, is sent again by readers that come later', async () => {
    const { clock, controller, getPost, server, view } = given({ dataExpiryLength: 0 });
    void controller.setResponse(getPost.extend({ dataExpiryLength: 1000 }), { id: '1' }, one);
    const stop = view().subscribe(() => {});
    void controller.expireAll(getPost);
    expect(server.asked).toHaveLength(1);
    server.answer('1', one);
    await turn();
    stop();
    clock.time += 10;
    view().shown();
    expect(server.asked).toHaveLength(2);
  });

  test('shows what was answered also where it is nothing as soon as it is stale', async () => {
    const { clock, server, view } = given({ dataExpiryLength: 0, invalidIfStale: true });
    const promise = view().ask();
    clock.time += 10;
    server.answer('1', one);
    await promise;
    clock.time += 10;
    expect(view().current()).toMatchObject({ value: one });
    clock.run();
    expect(view().current()).toEqual({ status: 'missing' });
  });

  test('that was answered with nothing is asked for again once something changes', async () => {
    const { controller, server, getPost, view } = given();
    const promise = view().ask();
    server.answer('1', one);
    await promise;
    void controller.invalidate(getPost, { id: '1' });
    expect(view().current()).toEqual({ status: 'missing' });
    const again = view().ask();
    expect(server.asked).toHaveLength(2);
    server.answer('1', one);
    await again;
    expect(view().current()).toMatchObject({ status: 'fresh' });
  });

  test('whose answer is deleted at once fails, until something else is known', async () => {
    const { controller, server, view } = given();
    controller.store.invalidate(Post, '1');
    const promise = view().ask();
    server.fail('1', new DOMException('away', 'AbortError'));
    await promise;
    expect(view().current()).toMatchObject({ status: 'failed' });
    void controller.set(Post, { id: '1' }, one);
    expect(view().current()).toMatchObject({ value: one });
  });

  test('counts an error for as long as it is kept, or until it is dismissed', async () => {
    const { clock, requests, server, view } = given();
    const promise = view().ask();
    const error = new Error('no');
    server.fail('1', error);
    await promise;
    clock.run();
    expect(view().current()).toEqual({ status: 'failed', error });
    requests.retry();
    expect(view().current()).toEqual({ status: 'missing' });
    const again = view().ask();
    server.fail('1', new Error('still'));
    await again;
    clock.run();
    expect(view().current()).toMatchObject({ status: 'failed' });
    clock.time += 1001;
    expect(view().current()).toEqual({ status: 'missing' });
  });
});

describe('an answer that another one changes before it is shown', () => {
  test('has been asked for all the same', async () => {
    const { clock, controller, server, view } = given({ dataExpiryLength: 0 });
    const promise = view().ask();
    server.answer('1', one);
    await promise;
    clock.time += 5;
    void controller.set(Post, { id: '1' }, { id: '1', title: 'two' });
    view().shown();
    expect(server.asked).toHaveLength(1);
    expect(view().current()).toMatchObject({ value: { title: 'two' } });
  });
});

describe('an error that is not kept', () => {
  test('is shown to readers that have waited, and to no other', async () => {
    const { clock, server, view } = given({ errorExpiryLength: 0 });
    const promise = view().ask();
    server.fail('1', new Error('no'));
    await promise;
    clock.time += 10;
    expect(view().current()).toMatchObject({ status: 'failed' });
    clock.run();
    expect(view().current()).toEqual({ status: 'missing' });
  });

  test('of whatever kind is an error', async () => {
    const { server, view } = given();
    const promise = view().ask();
    server.fail('1', undefined as unknown as Error);
    await promise;
    expect(view().current().status).toBe('failed');
  });
});

describe('an answer that was made stale while it was under way', () => {
  test('is asked for again by the reader that shows it', async () => {
    const { clock, controller, getPost, server, view } = given();
    const promise = view().ask();
    server.answer('1', one);
    await promise;
    clock.time += 10;
    void controller.expireAll(getPost);
    view().shown();
    expect(server.asked).toHaveLength(2);
  });
});

describe('a view that asks', () => {
  test('asks for what is expired while it is observed, and only then', async () => {
    const { controller, getPost, server, view } = given();
    void controller.setResponse(getPost, { id: '1' }, one);
    const shown = view();
    const stop = shown.subscribe(() => {});
    void controller.set(Post, { id: '1' }, { id: '1', title: 'two' });
    expect(server.asked).toEqual([]);
    void controller.expireAll(getPost);
    expect(server.asked).toEqual(['1']);
    server.answer('1', one);
    await shown.ask();
    stop();
    void controller.expireAll(getPost);
    expect(server.asked).toEqual(['1']);
  });
});

describe('a view that does not ask', () => {
  test('gives the stored data beside the error of the latest request', () => {
    const { controller, getPost } = given();
    const view = responseView(controller, getPost, [{ id: '1' }]);
    const error = new Error('no');
    void controller.setError(getPost, { id: '1' }, error);
    expect(view.current()).toEqual({ status: 'failed', error, data: undefined });
    void controller.setResponse(getPost, { id: '1' }, one);
    void controller.setError(getPost, { id: '1' }, error);
    const answer = view.current();
    expect(answer).toMatchObject({ status: 'failed', error, data: one });
    expect(view.current()).toBe(answer);
    void controller.set(Post, { id: '1' }, { ...one, title: 'two' });
    expect(view.current()).toMatchObject({ status: 'failed', error, data: { title: 'two' } });
  });
});
