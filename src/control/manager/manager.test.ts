import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Entity } from '../../define/schema/entity.ts';
import { resource } from '../../define/rest/resource.ts';
import { Controller } from '../controller/controller.ts';
import { getDefaultManagers } from './default-managers.ts';
import { LogoutManager } from './logout-manager.ts';
import { NetworkManager } from './network-manager.ts';
import { PollingSubscription } from './polling-subscription.ts';
import { type Presence, presenceOf } from './presence.ts';
import { SubscriptionManager } from './subscription-manager.ts';

/** Time that passes when it is told to. */
class Clock {
  time = 0;
  readonly timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  /** How long the latest timer was to wait. */
  asked = 0;
  #last = 0;

  readonly setTimeout = (run: () => void, milliseconds: number): number => {
    this.asked = milliseconds;
    this.timers.set(++this.#last, { at: this.time + milliseconds, run });
    return this.#last;
  };

  readonly clearTimeout = (timer: unknown): void => void this.timers.delete(timer as number);

  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      const due = [...this.timers].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at)[0];
      if (due === undefined) break;
      this.time = Math.max(this.time, due[1].at);
      this.timers.delete(due[0]);
      due[1].run();
      // oxlint-disable-next-line no-await-in-loop -- what the timer set going has to come to rest
      await rest();
    }
    this.time = end;
  }
}

async function rest(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

class World implements Presence {
  isThere = true;
  readonly listeners = new Set<() => void>();
  isPresent(): boolean {
    return this.isThere;
  }
  subscribe(onChange: () => void): () => void {
    this.listeners.add(onChange);
    return () => void this.listeners.delete(onChange);
  }
  turn(isThere: boolean): void {
    this.isThere = isThere;
    for (const listener of this.listeners) listener();
  }
}

function polling() {
  const clock = new Clock();
  const presence = new World();
  class Polling extends PollingSubscription {
    constructor(...[subscribed, controller]: ConstructorParameters<typeof PollingSubscription>) {
      super(subscribed, controller, { clock, presence });
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
  it('polls at its interval, the first time one interval later, until nobody is left', async () => {
    const { clock, presence, controller, state, price } = polling();
    await controller.subscribe(price);
    await clock.pass(999);
    expect(state.calls).toBe(0);
    await clock.pass(2001);
    expect(state.calls).toBe(3);
    expect(controller.getResponse(price)).toMatchObject({ data: 3, expiresAt: 3500 });
    await controller.unsubscribe(price);
    await clock.pass(10_000);
    expect(state.calls).toBe(3);
    expect([clock.timers.size, presence.listeners.size]).toEqual([0, 0]);
  });

  it('polls as often as the most eager of those who are left', async () => {
    const { clock, controller, state, price, fast } = polling();
    await controller.subscribe(price);
    await controller.subscribe(fast);
    await controller.subscribe(fast);
    await clock.pass(1000);
    expect(state.calls).toBe(10);
    await controller.unsubscribe(fast);
    await clock.pass(100);
    expect(state.calls).toBe(11);
    await controller.unsubscribe(fast);
    await clock.pass(1000);
    expect(state.calls).toBe(12);
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

  it('goes on after an error, which does not hide what there is', async () => {
    const { clock, controller, state, price } = polling();
    await controller.subscribe(price);
    await clock.pass(1000);
    state.answer = () => Promise.reject(new Error('down'));
    await clock.pass(1000);
    expect(state.calls).toBe(2);
    expect(controller.getError(price)).toBeUndefined();
    expect(controller.getResponse(price).data).toBe(1);
    await clock.pass(1000);
    expect(state.calls).toBe(3);
  });

  it('stands while nobody is present, and catches up afterwards', async () => {
    const { clock, presence, controller, state, price } = polling();
    await controller.subscribe(price);
    presence.turn(false);
    await clock.pass(5000);
    expect(state.calls).toBe(0);
    presence.turn(true);
    await clock.pass(0);
    expect(state.calls).toBe(1);
  });

  it('knows how long a timer can wait, and that a clock can be set back', async () => {
    const { clock, controller, state, price } = polling();
    await controller.subscribe(price.extend({ pollFrequency: 2 ** 31 }));
    expect(clock.asked).toBe(2 ** 31 - 1);
    await clock.pass(2 ** 31 - 1);
    expect(state.calls).toBe(0);
    await clock.pass(1);
    expect(state.calls).toBe(1);
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

  it('of what has no interval does nothing', async () => {
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

  it('polls endpoints that cannot be extended as they are', async () => {
    const { clock, controller, state } = polling();
    const fetch = async (): Promise<number> => ++state.calls;
    const plain = Object.assign(fetch, { key: () => 'plain', testKey: () => false, pollFrequency: 10 });
    await controller.subscribe(plain);
    await clock.pass(10);
    expect(controller.getResponse(plain).data).toBe(1);
  });
});

describe('presence', () => {
  it('is always where there is no page', () => {
    const presence = presenceOf({});
    expect(presence.isPresent()).toBe(true);
    presence.subscribe(() => {})();
    expect(new PollingSubscription({ endpoint: polling().price, args: [], key: '' }, new Controller())).toBeDefined();
  });

  it('ends with visibility and with the network', () => {
    const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    const page = Object.assign(new EventTarget(), { document, navigator: { onLine: true } });
    const presence = presenceOf(page);
    let calls = 0;
    const stop = presence.subscribe(() => calls++);
    expect(presence.isPresent()).toBe(true);
    document.visibilityState = 'hidden';
    expect(presence.isPresent()).toBe(false);
    document.visibilityState = 'visible';
    page.navigator.onLine = false;
    expect(presence.isPresent()).toBe(false);
    for (const type of ['online', 'offline']) page.dispatchEvent(new Event(type));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(calls).toBe(3);
    stop();
    page.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(calls).toBe(3);
  });
});

describe('LogoutManager', () => {
  const failing = new Endpoint(
    (status: number): Promise<never> => Promise.reject(Object.assign(new Error('no'), { status })),
    { name: 'failing' },
  );
  const other = new Endpoint(async () => 1, { name: 'other' });

  it('forgets everything when a response says that the session is over', async () => {
    const controller = new Controller({ managers: [new LogoutManager()] });
    await controller.fetch(other);
    await expect(controller.fetch(failing, 500)).rejects.toThrow('no');
    expect(controller.getResponse(other).data).toBe(1);
    await expect(controller.fetch(failing, 401)).rejects.toMatchObject({ status: 401 });
    expect(controller.store.stats().results).toBe(0);
    expect(controller.getError(failing, 401)).toBeUndefined();
    controller.dispose();
  });

  it('does what it is told to, when it is told to', async () => {
    let calls = 0;
    const manager = new LogoutManager({ handleLogout: () => calls++, shouldLogout: () => true });
    const controller = new Controller({ managers: [manager] });
    await expect(controller.fetch(failing, 500)).rejects.toThrow('no');
    expect(calls).toBe(1);
  });
});

describe('NetworkManager', () => {
  it('says how long answers and errors are kept where the endpoint does not', async () => {
    const network = new NetworkManager({ dataExpiryLength: 5, errorExpiryLength: 7 });
    const controller = new Controller({ managers: [network], now: () => 100 });
    const quick = new Endpoint(async (ok: boolean) => (ok ? 1 : Promise.reject(new Error('no'))), { name: 'quick' });
    void controller.fetch(quick, true);
    await network.allSettled();
    expect(controller.getResponse(quick, true).expiresAt).toBe(105);
    await expect(controller.fetch(quick, false)).rejects.toThrow('no');
    expect(controller.getResponse(quick, false).expiresAt).toBe(107);
  });

  it('is one of the default managers', () => {
    const network = new NetworkManager();
    const subscriptions = new SubscriptionManager();
    expect(getDefaultManagers()).toMatchObject([expect.any(NetworkManager), expect.any(SubscriptionManager)]);
    expect(getDefaultManagers({ networkManager: network, subscriptionManager: null })).toEqual([network]);
    expect(getDefaultManagers({ networkManager: {}, subscriptionManager: subscriptions })[1]).toBe(subscriptions);
    expect(getDefaultManagers({ subscriptionManager: PollingSubscription })).toHaveLength(2);
  });
});

test('a resource of a real server is read, changed and deleted', async () => {
  class Todo extends Entity {
    id = '';
    title = '';
    static override key = 'Todo';
  }
  const rows = new Map([['1', { id: '1', title: 'a' }]]);
  const server = createServer((request, response) => {
    const id = request.url?.split('/')[2];
    let body = '';
    request.on('data', (part: Buffer) => void (body += part.toString()));
    request.on('end', () => {
      if (request.method === 'PATCH') rows.set('1', { id: '1', ...(JSON.parse(body) as { title: string }) });
      const found = id === undefined ? [...rows.values()] : rows.get(id);
      if (request.method === 'DELETE') rows.clear();
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? {}));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const urlPrefix = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const TodoResource = resource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true });
  const controller = new Controller({ managers: getDefaultManagers() });
  const todos = await controller.fetch(TodoResource.getList);
  expect(todos).toMatchObject([{ id: '1', title: 'a' }]);
  const patched = controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'b' });
  expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'b' });
  await patched;
  expect(await controller.fetch(TodoResource.get, { id: '1' })).toBe(controller.get(Todo, { id: '1' }));
  await controller.fetch(TodoResource.delete, { id: '1' });
  expect(controller.getResponse(TodoResource.getList).data).toEqual([]);
  await expect(controller.fetch(TodoResource.get, { id: '1' })).rejects.toMatchObject({ status: 404 });
  controller.dispose();
});
