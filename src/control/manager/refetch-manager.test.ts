import { describe, expect, it } from 'vitest';
import { Strict } from '../../../tests/model.ts';
import { Clock, rest } from '../../../tests/streams/clock.ts';
import { uncaught } from '../../../tests/uncaught.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Controller } from '../controller/controller.ts';
import { RefetchManager, type RefetchManagerOptions } from './refetch-manager.ts';

class FakePage extends EventTarget {
  readonly document: EventTarget & { visibilityState: string } = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
  });
  readonly navigator = { onLine: true };
  /** How many listeners there are. */
  listeners = 0;

  constructor() {
    super();
    for (const target of [this, this.document]) {
      const add = target.addEventListener.bind(target);
      const remove = target.removeEventListener.bind(target);
      const held = new Set<unknown>();
      target.addEventListener = (...args: Parameters<typeof add>) => {
        held.add(args[0]);
        this.listeners++;
        add(...args);
      };
      target.removeEventListener = (...args: Parameters<typeof remove>) => {
        if (held.delete(args[0])) this.listeners--;
        remove(...args);
      };
    }
  }
  hide(): void {
    this.document.visibilityState = 'hidden';
    this.document.dispatchEvent(new Event('visibilitychange'));
  }
  /** As browsers do it: several events for one reason. */
  comeBack(): void {
    this.document.visibilityState = 'visible';
    this.document.dispatchEvent(new Event('visibilitychange'));
    this.dispatchEvent(new Event('focus'));
  }
  reconnect(): void {
    this.navigator.onLine = true;
    this.dispatchEvent(new Event('online'));
  }
}

function world(options: RefetchManagerOptions = {}) {
  const [page, clock] = [new FakePage(), new Clock()];
  clock.chance = 0;
  clock.time = 1_000_000;
  const state = { calls: [] as string[], open: 0, most: 0, answer: (): Promise<unknown> => Promise.resolve(1) };
  const get = new Endpoint(
    async (name: string) => {
      state.calls.push(name);
      state.most = Math.max(state.most, ++state.open);
      try {
        return await state.answer();
      } finally {
        state.open--;
      }
    },
    { name: 'get', dataExpiryLength: 1000 },
  );
  const manager = new RefetchManager({ page, platform: clock, ...options });
  const controller = new Controller({ managers: [manager], now: clock.now });
  const show = async (...names: string[]): Promise<() => void> => {
    const stops = names.map((name) => controller.watch(get, name, () => {}));
    await Promise.all(names.map((name) => controller.fetch(get, name)));
    state.calls.length = 0;
    state.most = 0;
    return () => {
      for (const stop of stops) stop();
    };
  };
  return { page, clock, state, get, manager, controller, show };
}

describe('a page that becomes visible again', () => {
  it('fetches stale answers that are shown, once for all reasons in one tick', async () => {
    const { page, clock, state, show } = world();
    await show('a', 'b');
    await clock.pass(1001);
    page.hide();
    page.comeBack();
    page.reconnect();
    expect(state.calls).toEqual([]);
    await clock.pass(0);
    expect(state.calls).toEqual(['a', 'b']);
  });

  it('does not fetch fresh answers, nor answers without a reader', async () => {
    const { page, clock, state, controller, get, show } = world();
    await controller.fetch(get, 'unseen');
    const stop = await show('gone');
    await clock.pass(1001);
    stop();
    await show('fresh');
    page.comeBack();
    await clock.pass(0);
    expect(state.calls).toEqual([]);
  });

  it('fetches an answer as a reader calls it that is still there', async () => {
    const { page, clock, state, controller, get, show } = world();
    await show('a');
    const ending = new AbortController();
    const cancelled = get.extend({
      name: 'get',
      signal: ending.signal,
      fetch: async (_name: string): Promise<unknown> => ending.signal.throwIfAborted(),
    });
    controller.watch(cancelled, 'a', () => {})();
    ending.abort();
    expect(Array.from(controller.shown(), ({ endpoint }) => endpoint)[0]).toBe(get);
    await clock.pass(1001);
    page.comeBack();
    await clock.pass(0);
    expect(state.calls).toEqual(['a']);
  });

  it('fetches subscribed answers once, as long as they have a subscription', async () => {
    const { page, clock, state, controller, get, show } = world({ interval: 1 });
    await show('both');
    for (const name of ['both', 'both', 'only']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await controller.subscribe(get, name);
    }
    await clock.pass(1001);
    page.comeBack();
    await clock.pass(0);
    expect(state.calls).toEqual(['both', 'only']);
    await controller.unsubscribe(get, 'only');
    await controller.unsubscribe(get, 'both');
    await clock.pass(1001);
    page.comeBack();
    await clock.pass(0);
    expect(state.calls).toEqual(['both', 'only', 'both']);
  });

  it('counts an answer from the future as stale, because the clock was set back', async () => {
    const { page, clock, state, show } = world();
    await show('a');
    clock.time -= 3_600_000;
    page.comeBack();
    await clock.pass(5000);
    expect(state.calls).toEqual(['a']);
  });

  it('never repeats a mutation, nor a request that the options exclude', async () => {
    const { page, clock, state, controller, get, show } = world({ only: ({ args }) => args[0] !== 'b' });
    await show('a', 'b');
    const vote = get.extend({ name: 'vote', sideEffect: true });
    controller.watch(vote, 'c', () => {});
    await clock.pass(1001);
    page.comeBack();
    await clock.pass(0);
    expect(state.calls).toEqual(['a']);
  });

  it('fetches at most once per interval, and once more at the end of the interval', async () => {
    const { page, clock, state, controller, get } = world({ interval: 5000 });
    const always = get.extend({ dataExpiryLength: 0 });
    controller.watch(always, 'a', () => {});
    for (let time = 0; time < 10; time++) {
      page.comeBack();
      // oxlint-disable-next-line no-await-in-loop
      await clock.pass(100);
    }
    expect(state.calls).toHaveLength(1);
    await clock.pass(4000);
    expect(state.calls).toHaveLength(2);
    await clock.pass(100_000);
    expect(state.calls).toHaveLength(2);
  });

  it('waits for a random time before it fetches', async () => {
    const { page, clock, state, show } = world({ jitter: 1000 });
    await show('a');
    await clock.pass(1001);
    clock.chance = 0.5;
    page.comeBack();
    await clock.pass(499);
    expect(state.calls).toEqual([]);
    await clock.pass(1);
    expect(state.calls).toEqual(['a']);
  });

  it('sends a limited number of requests at once, and none twice', async () => {
    const { page, clock, state, show } = world({ atOnce: 3 });
    const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
    await show(...names);
    await clock.pass(1001);
    page.comeBack();
    await clock.pass(0);
    await rest();
    await rest();
    expect([state.calls.length, state.most]).toEqual([20, 3]);
    expect(new Set(state.calls).size).toBe(20);
  });

  it('continues after a failed request', async () => {
    const { page, clock, state, controller, get, show } = world({ atOnce: 1 });
    await show('a', 'b');
    await clock.pass(1001);
    state.answer = () => Promise.reject(new Error('down'));
    page.comeBack();
    await clock.pass(0);
    await rest();
    expect(state.calls).toEqual(['a', 'b']);
    expect(controller.getError(get, 'a')).toMatchObject({ message: 'down' });
  });

  it('sends no request that was sent meanwhile, and none after a reset', async () => {
    const { page, clock, state, controller, get, show } = world({ atOnce: 1 });
    await show('a', 'b', 'c');
    await clock.pass(1001);
    let answer = (): void => {};
    state.answer = () => new Promise((resolve) => void (answer = () => resolve(1)));
    page.comeBack();
    await clock.pass(0);
    expect(state.calls).toEqual(['a']);
    await controller.setResponse(get, 'b', 2);
    answer();
    await rest();
    expect(state.calls).toEqual(['a', 'c']);
    const stopped = world({ atOnce: 1 });
    await stopped.show('a', 'b');
    await stopped.clock.pass(1001);
    stopped.state.answer = () => new Promise(() => {});
    stopped.page.comeBack();
    await stopped.clock.pass(0);
    await stopped.controller.resetEntireStore();
    await rest();
    expect(stopped.state.calls).toEqual(['a']);
  });
});

describe('a page that is hidden, or without a network', () => {
  it('fetches nothing, even if it was visible and online for a moment', async () => {
    const { page, clock, state, show } = world({ jitter: 1000 });
    await show('a');
    await clock.pass(1001);
    page.navigator.onLine = false;
    page.comeBack();
    expect(clock.timers.size).toBe(0);
    clock.chance = 0.5;
    page.reconnect();
    page.hide();
    await clock.pass(1000);
    expect(state.calls).toEqual([]);
    page.comeBack();
    await clock.pass(1000);
    expect(state.calls).toEqual(['a']);
  });

  it.each([
    [{ onFocus: false }, []],
    [{ onReconnect: false }, ['a']],
  ] as const)('counts as a reason only what %j leaves', async (options, expected) => {
    const { page, clock, state, show } = world(options);
    await show('a');
    await clock.pass(1001);
    page.comeBack();
    await clock.pass(0);
    expect(state.calls).toEqual(expected);
    await clock.pass(6000);
    page.reconnect();
    await clock.pass(0);
    expect(state.calls).toEqual(['a']);
  });

  it('also fetches the others if a shown record cannot be built', async () => {
    const { page, clock, state, controller, show } = world();
    const getStrict = new Endpoint(async () => ({ id: '1', isBad: true }), { name: 'getStrict', schema: Strict });
    controller.watch(getStrict, () => {});
    await controller.setResponse(getStrict, { id: '1', isBad: true });
    await show('a');
    await clock.pass(60_001);
    page.comeBack();
    await clock.pass(0);
    expect(state.calls).toEqual(['a']);
  });

  it('sends only requests of the controller that has replaced another one', async () => {
    const { page, clock, state, get, manager, controller: former } = world();
    await former.subscribe(get, 'a');
    await former.subscribe(get, 'b');
    const present = new Controller({ managers: [manager], now: clock.now });
    await present.subscribe(get, 'b');
    await former.unsubscribe(get, 'b');
    page.comeBack();
    await clock.pass(0);
    expect(state.calls).toEqual(['b']);
    for (const controller of [former, present]) controller.dispose();
    expect(page.listeners).toBe(0);
  });

  it('leaves no timer and no listener behind', async () => {
    const { page, clock, controller, show } = world();
    await show('a');
    await clock.pass(1001);
    expect(page.listeners).toBe(3);
    page.comeBack();
    controller.dispose();
    expect([clock.timers.size, page.listeners]).toEqual([0, 0]);
    controller.dispose();
  });

  it.each([{ atOnce: 0 }, { atOnce: Number.NaN }, { interval: -1 }])('refuses %j', (options) => {
    expect(() => new RefetchManager(options)).toThrow(expect.objectContaining({ code: 'manager-option-invalid' }));
  });

  it('works without a page', () => {
    const controller = new Controller({ managers: [new RefetchManager()] });
    controller.dispose();
    const other = new Controller({ managers: [new RefetchManager({ page: {} })] });
    expect(() => other.dispose()).not.toThrow();
  });
});

it('an error in `only` is reported, and the other requests are sent', async () => {
  const errors = uncaught();
  const { page, clock, state, show } = world({
    only: ({ args }) => {
      if (args[0] === 'a') throw new RangeError('only');
      return true;
    },
  });
  await show('a', 'b');
  await clock.pass(1001);
  page.comeBack();
  await clock.pass(0);
  expect(state.calls).toEqual(['b']);
  expect(errors).toMatchObject([{ message: 'only' }]);
});
