import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Clock, rest, Switch } from '../../../tests/streams/clock.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Controller } from '../controller/controller.ts';
import { PollingSubscription } from './polling-subscription.ts';
import { SubscriptionManager } from './subscription-manager.ts';
import { restore } from '../../state/store/restore.ts';

function polling() {
  const clock = new Clock();
  const presence = new Switch();
  clock.chance = 0;
  class Polling extends PollingSubscription {
    constructor(...[subscribed, controller]: ConstructorParameters<typeof PollingSubscription>) {
      super(subscribed, controller, { platform: clock, presence });
    }
  }
  const state = { calls: 0, answer: async (): Promise<unknown> => state.calls };
  const managers = [new SubscriptionManager(Polling)];
  const controller = new Controller({ managers, now: () => clock.time });
  const fetch = (): Promise<unknown> => {
    state.calls++;
    return state.answer();
  };
  const price = new Endpoint(fetch, { name: 'price', pollFrequency: 1000 });
  return { clock, presence, controller, state, price, fast: price.extend({ pollFrequency: 100 }) };
}

describe('a subscription', () => {
  it('fetches at once if there is no answer, then at its interval, until it has no subscriber', async () => {
    const { clock, presence, controller, state, price } = polling();
    await controller.subscribe(price);
    await clock.pass(0);
    expect(state.calls).toBe(1);
    await clock.pass(999);
    expect(state.calls).toBe(1);
    await clock.pass(2001);
    expect(state.calls).toBe(4);
    expect(controller.getResponse(price)).toMatchObject({ data: 4, expiresAt: 3500 });
    await controller.unsubscribe(price);
    await clock.pass(10_000);
    expect(state.calls).toBe(4);
    expect([clock.timers.size, presence.listeners.size]).toEqual([0, 0]);
  });

  it('polls with the endpoint of the latest reader that has the same schema, such as one with a new token', async () => {
    const { clock, controller, price } = polling();
    const tokens: string[] = [];
    const withToken = (token: string, other = {}) =>
      price.extend({ fetch: async () => void tokens.push(token), ...other, pollFrequency: 1000 });
    await controller.subscribe(withToken('old'));
    await clock.pass(0);
    const stops = [withToken('new'), withToken('other', { schema: [] })].map((endpoint) =>
      controller.view(endpoint).subscribe(() => {}),
    );
    await clock.pass(1000);
    stops.pop()?.();
    await clock.pass(2000);
    stops.pop()?.();
    await clock.pass(1000);
    expect(tokens).toEqual(['old', 'old', 'new', 'new', 'old']);
    controller.dispose();
  });

  it('polls at the shortest interval of its subscribers', async () => {
    const { clock, controller, state, price, fast } = polling();
    await controller.subscribe(price);
    await controller.subscribe(fast);
    await controller.subscribe(fast);
    await clock.pass(1000);
    expect(state.calls).toBe(11);
    await controller.unsubscribe(fast);
    await clock.pass(100);
    expect(state.calls).toBe(12);
    await controller.unsubscribe(fast);
    await clock.pass(1000);
    expect(state.calls).toBe(13);
  });

  it('without an interval or a stream is a warning in development', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    const { clock, controller, state } = polling();
    const still = new Endpoint(async () => 1, { name: 'still' });
    await controller.subscribe(still);
    await controller.subscribe(still);
    await clock.pass(100_000);
    expect(state.calls).toBe(0);
    expect(log.mock.calls.flat().map(String)).toEqual([expect.stringContaining('Give its endpoint a pollFrequency')]);
  });

  it('never has two polls at once', async () => {
    const { clock, controller, state, price } = polling();
    let answer = (): void => {};
    state.answer = () => new Promise((resolve) => void (answer = () => resolve(1)));
    await controller.subscribe(price);
    await clock.pass(5000);
    await controller.subscribe(price);
    expect(state.calls).toBe(1);
    answer();
    await rest();
    await clock.pass(1000);
    expect(state.calls).toBe(2);
    controller.dispose();
    await rest();
    expect(clock.timers.size).toBe(0);
  });

  it('continues after an error, which does not hide the stored data', async () => {
    const { clock, controller, state, price } = polling();
    await controller.subscribe(price);
    await clock.pass(0);
    state.answer = () => Promise.reject(new Error('down'));
    await clock.pass(1000);
    expect(state.calls).toBe(2);
    expect(controller.getError(price)).toBeUndefined();
    expect(controller.getResponse(price).data).toBe(1);
    await clock.pass(1000);
    expect(state.calls).toBe(3);
  });

  it('pauses while the page is hidden, and polls when it is shown again', async () => {
    const { clock, presence, controller, state, price } = polling();
    await controller.subscribe(price);
    presence.turn(false);
    await clock.pass(5000);
    expect(state.calls).toBe(0);
    presence.turn(true);
    await clock.pass(0);
    expect(state.calls).toBe(1);
  });

  it('limits the time of a timer, and continues after the clock was set back', async () => {
    const { clock, controller, state, price } = polling();
    await controller.fetch(price);
    await controller.subscribe(price.extend({ pollFrequency: 2 ** 31 }));
    expect([...clock.timers.values()]).toMatchObject([{ at: 2 ** 31 - 1 }]);
    await clock.pass(2 ** 31 - 1);
    expect(state.calls).toBe(1);
    await clock.pass(1);
    expect(state.calls).toBe(2);
    const never = new Endpoint(async () => 1, { name: 'never', pollFrequency: Infinity });
    const timers = clock.timers.size;
    await controller.subscribe(never);
    expect(clock.timers.size).toBe(timers);
  });

  it.each([0, -1, Number.NaN])('refuses to poll every %s ms', async (pollFrequency) => {
    const { controller, price } = polling();
    await expect(controller.subscribe(price.extend({ pollFrequency }))).rejects.toMatchObject({
      code: 'poll-frequency-invalid',
    });
  });

  it('of an endpoint without an interval does nothing', async () => {
    const { clock, controller, price } = polling();
    const still = price.extend({ pollFrequency: undefined });
    await controller.subscribe(still);
    expect(clock.timers.size).toBe(0);
    await controller.unsubscribe(still);
    await controller.unsubscribe(still);
    await controller.subscribe(price);
    await controller.unsubscribe(price.extend({ pollFrequency: 7 }));
    expect(clock.timers.size).toBe(1);
  });

  it('polls endpoints without extend(), too', async () => {
    const { clock, controller, state } = polling();
    const fetch = async (): Promise<number> => ++state.calls;
    const plain = Object.assign(fetch, { key: () => 'plain', testKey: () => false, pollFrequency: 10 });
    await controller.subscribe(plain);
    await clock.pass(0);
    expect(controller.getResponse(plain).data).toBe(1);
  });

  it('polls one interval after the latest answer, also if another request of the same key brought it', async () => {
    const { clock, controller, state, price } = polling();
    await controller.fetch(price);
    await clock.pass(400);
    await controller.subscribe(price);
    await clock.pass(599);
    expect(state.calls).toBe(1);
    await clock.pass(1);
    expect(state.calls).toBe(2);
    await clock.pass(900);
    await controller.fetch(price);
    await clock.pass(999);
    expect(state.calls).toBe(3);
    await clock.pass(1);
    expect(state.calls).toBe(4);
  });

  it('fetches an answer that is older than its interval at once', async () => {
    const { clock, controller, state, price } = polling();
    clock.chance = 1;
    await controller.fetch(price);
    await clock.pass(5000);
    await controller.subscribe(price);
    await clock.pass(0);
    expect(state.calls).toBe(2);
  });

  it('polls at once for a new subscriber with a shorter interval, unless the page was hidden just now', async () => {
    const { clock, presence, controller, state, price, fast } = polling();
    clock.chance = 1;
    await controller.subscribe(price);
    presence.turn(false);
    presence.turn(true);
    await clock.pass(500);
    await controller.subscribe(fast);
    await clock.pass(0);
    expect(state.calls).toBe(1);
  });

  it('sends no request while it waits for an answer', async () => {
    const { clock, presence, controller, state, price, fast } = polling();
    const asked: string[] = [];
    const recording = new Controller({
      managers: [
        { middleware: () => (next) => (action) => (asked.push(action.type), next(action)), cleanup: () => {} },
      ],
      now: clock.now,
    });
    state.answer = () => new Promise(() => {});
    const subscription = new PollingSubscription({ endpoint: price, args: [], key: price.key() }, recording, {
      platform: clock,
      presence,
    });
    await clock.pass(1000);
    subscription.add(fast.pollFrequency);
    presence.turn(true);
    await clock.pass(10_000);
    expect(asked).toEqual(['rejoin/fetch']);
    subscription.cleanup();
    controller.dispose();
  });

  it('waits one interval after an error too', async () => {
    const { clock, controller, state, price } = polling();
    await controller.fetch(price);
    await clock.pass(1000);
    await controller.subscribe(price);
    state.answer = () => Promise.reject(new Error('down'));
    await clock.pass(0);
    expect(state.calls).toBe(2);
    await clock.pass(999);
    expect(state.calls).toBe(2);
    await clock.pass(1);
    expect(state.calls).toBe(3);
  });

  it.each([-3_600_000, 3_600_000])('continues when the clock is set by %i ms', async (by) => {
    const { clock, controller, state, price } = polling();
    await controller.subscribe(price);
    await clock.pass(1500);
    expect(state.calls).toBe(2);
    clock.time += by;
    await clock.pass(2000);
    expect(state.calls).toBeGreaterThanOrEqual(3);
    const { calls } = state;
    await clock.pass(10_000);
    expect(state.calls - calls).toBe(10);
  });

  it('does not compare the time of a server with its own time', async () => {
    const { clock, controller, state, price } = polling();
    const stamp = { issue: 0, fetchedAt: 9e9, date: 9e9, expiresAt: 9e9 };
    restore(controller.store.writer, [], [['price []', { schema: undefined, stored: 1, args: [], stamp }]]);
    await controller.subscribe(price);
    await clock.pass(1000);
    expect(state.calls).toBe(1);
  });

  it('polls after a random time of up to a second, or up to its interval, when the page is shown again', async () => {
    const { clock, presence, controller, state, price, fast } = polling();
    clock.chance = 0.5;
    await controller.subscribe(price);
    presence.turn(false);
    await clock.pass(2000);
    presence.turn(true);
    await clock.pass(499);
    expect(state.calls).toBe(0);
    await clock.pass(1);
    expect(state.calls).toBe(1);
    await controller.subscribe(fast);
    presence.turn(false);
    await clock.pass(2000);
    presence.turn(true);
    await clock.pass(50);
    expect(state.calls).toBe(2);
    // A poll that is not due yet is sent at its time.
    presence.turn(false);
    presence.turn(true);
    await clock.pass(100);
    expect(state.calls).toBe(3);
  });

  it('of a disposed controller does not start', async () => {
    const { clock, presence, controller, price } = polling();
    controller.dispose();
    await controller.subscribe(price);
    expect([clock.timers.size, presence.listeners.size]).toEqual([0, 0]);
    await controller.unsubscribe(price);
  });

  it.each(['before', 'after'])(
    'is made for another controller of its manager, %s the first one is disposed of',
    async (order) => {
      const { clock, presence, price, state } = polling();
      class Polling extends PollingSubscription {
        constructor(...[subscribed, controller]: ConstructorParameters<typeof PollingSubscription>) {
          super(subscribed, controller, { platform: clock, presence });
        }
      }
      const manager = new SubscriptionManager(Polling);
      const first = new Controller({ managers: [manager], now: clock.now });
      await first.subscribe(price);
      if (order === 'after') first.dispose();
      const second = new Controller({ managers: [manager], now: clock.now });
      await second.subscribe(price);
      if (order === 'before') first.dispose();
      await clock.pass(0);
      expect(state.calls).toBe(1);
      expect(second.getResponse(price).data).toBe(1);
      second.dispose();
    },
  );

  it('continues after a reset, and answers of earlier requests are not stored', async () => {
    const { clock, controller, state, price } = polling();
    let answer = (): void => {};
    state.answer = () => new Promise((resolve) => void (answer = () => resolve('old')));
    await controller.subscribe(price);
    await clock.pass(1000);
    await controller.resetEntireStore();
    answer();
    await rest();
    expect(controller.getResponse(price).data).toBeUndefined();
    state.answer = async () => 'new';
    await clock.pass(1000);
    expect(controller.getResponse(price).data).toBe('new');
  });
});
