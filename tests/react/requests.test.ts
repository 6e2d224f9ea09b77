import { describe, expect, test } from 'vitest';
import { Controller, Endpoint, type EndpointOptions } from 'rejoin';
import { Demands, retryFailed } from '../../src/control/view/demands.ts';
import { type EndpointView, responseView } from '../../src/control/view/endpoint-view.ts';
import { RequestView } from '../../src/control/view/request-view.ts';
import { Post } from '../model.ts';
import { Server, turn } from './harness.tsx';

/** Timers that run only when the test calls `run`. */
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
  test('is one request with one promise for all of them', async () => {
    const { server, view } = given();
    const promise = view().fetchMissing();
    expect(view().fetchMissing()).toBe(promise);
    server.answer('1', one);
    await promise;
    expect(view().current()).toMatchObject({ status: 'fresh', value: one });
    expect(server.asked).toEqual(['1']);
  });

  test('does not read its view before its answer is completely stored', async () => {
    const { controller, getPost, requests, server } = given();
    let reads = 0;
    let notify: () => void = () => {};
    const view: EndpointView = {
      ...responseView(controller, getPost, [{ id: '1' }]),
      current: () => (reads++, { status: 'fresh', value: one }),
      subscribe: (onChange) => {
        notify = onChange;
        return () => {};
      },
    };
    const args = [{ id: '1' }];
    const promise = requests.fetch({ endpoint: getPost, args, key: getPost.key({ id: '1' }), view, hadValue: false });
    const atCommits: number[] = [];
    controller.store.onCommit(() => {
      notify();
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
    const promise = view().fetchMissing();
    server.fail('1', new Error('no'));
    await expect(promise).resolves.toBe(undefined);
    expect(view().current()).toMatchObject({ status: 'failed' });
  });

  test('keeps its answer, and releases it when no reader was mounted in time', async () => {
    const { clock, controller, server, view } = given();
    const promise = view().fetchMissing();
    expect(controller.isShown('getPost [{"id":"1"}]')).toBe(true);
    server.answer('1', one);
    await promise;
    expect(controller.isShown('getPost [{"id":"1"}]')).toBe(true);
    clock.run();
    expect(controller.isShown('getPost [{"id":"1"}]')).toBe(false);
    expect(clock.timers.size).toBe(0);
  });

  test('is not released while readers wait for another request', async () => {
    const { clock, controller, requests, getPost, server, view } = given();
    const promise = view().fetchMissing();
    server.answer('1', one);
    await promise;
    const other = new RequestView(controller, requests, getPost, [{ id: '2' }]).fetchMissing();
    clock.run();
    expect(controller.isShown('getPost [{"id":"1"}]')).toBe(true);
    server.answer('2', { id: '2' });
    await other;
    clock.run();
    expect(controller.isShown('getPost [{"id":"1"}]')).toBe(false);
  });

  test.each([0, -1000])(
    'is not sent again by the readers that waited when its answer is stale at once (%d)',
    async (dataExpiryLength) => {
      const { clock, server, view } = given({ dataExpiryLength });
      const promise = view().fetchMissing();
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

  test('is sent again by readers that are mounted later when its answer is stale at once', async () => {
    const { clock, server, view } = given({ dataExpiryLength: 0 });
    const promise = view().fetchMissing();
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

  test('is sent again by another reader when the reader that waited is on the screen and did not render again', async () => {
    const { clock, server, view } = given({ dataExpiryLength: 0 });
    const onScreen = view();
    const promise = onScreen.fetchMissing();
    onScreen.shown();
    server.answer('1', one);
    await promise;
    clock.time += 10;
    view().shown();
    expect(server.asked).toHaveLength(2);
  });

  test('is not sent again by a reader that suspends beside a mounted reader', async () => {
    const { clock, server, view } = given({ dataExpiryLength: 0 });
    view().shown();
    const promise = view().fetchMissing();
    view().shown();
    server.answer('1', one);
    await promise;
    clock.time += 10;
    view().shown();
    expect(server.asked).toHaveLength(1);
  });

  test('is sent again by later readers when it was sent because its data on the screen had expired', async () => {
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

  test('shows its answer once also when the answer is invalid at once', async () => {
    const { clock, server, view } = given({ dataExpiryLength: 0, invalidIfStale: true });
    const promise = view().fetchMissing();
    clock.time += 10;
    server.answer('1', one);
    await promise;
    clock.time += 10;
    expect(view().current()).toMatchObject({ value: one });
    clock.run();
    expect(view().current()).toEqual({ status: 'missing' });
  });

  test('is sent again after its answer is invalidated', async () => {
    const { controller, server, getPost, view } = given();
    const promise = view().fetchMissing();
    server.answer('1', one);
    await promise;
    void controller.invalidate(getPost, { id: '1' });
    expect(view().current()).toEqual({ status: 'missing' });
    const again = view().fetchMissing();
    expect(server.asked).toHaveLength(2);
    server.answer('1', one);
    await again;
    expect(view().current()).toMatchObject({ status: 'fresh' });
  });

  test('that is aborted fails until its record is stored', async () => {
    const { controller, server, view } = given();
    controller.store.invalidate(Post, '1');
    const promise = view().fetchMissing();
    server.fail('1', new DOMException('away', 'AbortError'));
    await promise;
    expect(view().current()).toMatchObject({ status: 'failed' });
    void controller.set(Post, { id: '1' }, one);
    expect(view().current()).toMatchObject({ value: one });
  });

  test('has an error until the error expires or is dismissed', async () => {
    const { clock, server, view } = given();
    const promise = view().fetchMissing();
    const error = new Error('no');
    server.fail('1', error);
    await promise;
    clock.run();
    expect(view().current()).toEqual({ status: 'failed', error });
    retryFailed();
    expect(view().current()).toEqual({ status: 'missing' });
    const again = view().fetchMissing();
    server.fail('1', new Error('still'));
    await again;
    clock.run();
    expect(view().current()).toMatchObject({ status: 'failed' });
    clock.time += 1001;
    expect(view().current()).toEqual({ status: 'missing' });
  });
});

describe('an answer that another change replaces before it is shown', () => {
  test('is not fetched again', async () => {
    const { clock, controller, server, view } = given({ dataExpiryLength: 0 });
    const promise = view().fetchMissing();
    server.answer('1', one);
    await promise;
    clock.time += 5;
    void controller.set(Post, { id: '1' }, { id: '1', title: 'two' });
    view().shown();
    expect(server.asked).toHaveLength(1);
    expect(view().current()).toMatchObject({ value: { title: 'two' } });
  });
});

describe('an error that expires at once', () => {
  test('is shown only to the readers that waited', async () => {
    const { clock, server, view } = given({ errorExpiryLength: 0 });
    const promise = view().fetchMissing();
    server.fail('1', new Error('no'));
    await promise;
    clock.time += 10;
    expect(view().current()).toMatchObject({ status: 'failed' });
    clock.run();
    expect(view().current()).toEqual({ status: 'missing' });
  });

  test('is a failure also when the request rejects with undefined', async () => {
    const { server, view } = given();
    const promise = view().fetchMissing();
    server.fail('1', undefined as unknown as Error);
    await promise;
    expect(view().current().status).toBe('failed');
  });
});

describe('an answer that expires before it is shown', () => {
  test('is fetched again by the reader that shows it', async () => {
    const { clock, controller, getPost, server, view } = given();
    const promise = view().fetchMissing();
    server.answer('1', one);
    await promise;
    clock.time += 10;
    void controller.expireAll(getPost);
    view().shown();
    expect(server.asked).toHaveLength(2);
  });
});

describe('a view that sends requests', () => {
  test('fetches expired data only while it has subscribers', async () => {
    const { controller, getPost, server, view } = given();
    void controller.setResponse(getPost, { id: '1' }, one);
    const shown = view();
    const stop = shown.subscribe(() => {});
    void controller.set(Post, { id: '1' }, { id: '1', title: 'two' });
    expect(server.asked).toEqual([]);
    void controller.expireAll(getPost);
    expect(server.asked).toEqual(['1']);
    server.answer('1', one);
    await shown.fetchMissing();
    stop();
    void controller.expireAll(getPost);
    expect(server.asked).toEqual(['1']);
  });
});

describe('a view that sends no requests', () => {
  test('returns the stored data beside the error of the latest request', () => {
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
