import { describe, expect, it } from 'vitest';
import { uncaught } from '../../../tests/uncaught.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Controller } from '../controller/controller.ts';
import type { Manager } from '../controller/manager.ts';
import { getDefaultManagers } from './default-managers.ts';
import { DevToolsManager } from './devtools-manager.ts';
import { LogoutManager } from './logout-manager.ts';
import { NetworkManager } from '../controller/network-manager.ts';
import { PollingSubscription, type Subscribed, type Subscription } from './polling-subscription.ts';
import { SubscriptionManager } from './subscription-manager.ts';

describe('LogoutManager', () => {
  const failing = new Endpoint(
    (status: number): Promise<never> => Promise.reject(Object.assign(new Error('no'), { status })),
    { name: 'failing' },
  );
  const other = new Endpoint(async () => 1, { name: 'other' });

  it('resets the store when a response has the status 401', async () => {
    const controller = new Controller({ managers: [new LogoutManager()] });
    await controller.fetch(other);
    await expect(controller.fetch(failing, 500)).rejects.toThrow('no');
    expect(controller.getResponse(other).data).toBe(1);
    await expect(controller.fetch(failing, 401)).rejects.toMatchObject({ status: 401 });
    expect(controller.store.stats().results).toBe(0);
    expect(controller.getError(failing, 401)).toBeUndefined();
    controller.dispose();
  });

  it('logs out once, however many requests fail before the user is logged out, also those of the logout itself', async () => {
    let calls = 0;
    const manager = new LogoutManager({
      handleLogout: async (controller) => {
        calls++;
        await expect(controller.fetch(failing.extend({ name: 'logout' }), 401)).rejects.toMatchObject({ status: 401 });
        await controller.resetEntireStore();
      },
    });
    const controller = new Controller({ managers: [manager] });
    const fetchAll = (): Promise<unknown> =>
      Promise.allSettled([1, 2, 3].map((at) => controller.fetch(failing.extend({ name: `failing${at}` }), 401)));
    await fetchAll();
    expect(calls).toBe(1);
    await fetchAll();
    expect(calls).toBe(2);
    controller.dispose();
  });

  it('calls `handleLogout` when `shouldLogout` returns true', async () => {
    let calls = 0;
    const manager = new LogoutManager({ handleLogout: () => calls++, shouldLogout: () => true });
    const controller = new Controller({ managers: [manager] });
    await expect(controller.fetch(failing, 500)).rejects.toThrow('no');
    expect(calls).toBe(1);
  });
});

describe('NetworkManager', () => {
  it('sets the expiry of answers and errors when the endpoint does not set it', async () => {
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
    const [fallback] = getDefaultManagers({ networkManager: null, subscriptionManager: null });
    expect(fallback).toBeInstanceOf(NetworkManager);
    const devTools = new DevToolsManager();
    expect(getDefaultManagers({ devToolsManager: devTools, networkManager: network })[0]).toBe(devTools);
    expect(getDefaultManagers({ devToolsManager: null })).toHaveLength(2);
    expect(getDefaultManagers({ networkManager: {}, subscriptionManager: subscriptions })[1]).toBe(subscriptions);
    expect(getDefaultManagers({ subscriptionManager: PollingSubscription })).toHaveLength(2);
  });
});

describe('SubscriptionManager', () => {
  it('creates a subscription for the first subscriber of a request, and adds each further one to it', async () => {
    const log: string[] = [];
    class Logged implements Subscription {
      readonly #key: string;
      constructor({ key, endpoint }: Subscribed) {
        this.#key = key;
        log.push(`${key} new ${endpoint.pollFrequency}`);
      }
      add(frequency: number | undefined): void {
        log.push(`${this.#key} add ${frequency}`);
      }
      remove(frequency: number | undefined): boolean {
        log.push(`${this.#key} remove ${frequency}`);
        return true;
      }
      cleanup(): void {
        log.push(`${this.#key} cleanup`);
      }
    }
    const controller = new Controller({ managers: [new SubscriptionManager(Logged)] });
    const price = new Endpoint(async (id: number) => id, { name: 'price', pollFrequency: 1000 });
    await controller.subscribe(price, 1);
    await controller.subscribe(price.extend({ pollFrequency: 100 }), 1);
    await controller.subscribe(price, 2);
    await controller.unsubscribe(price, 1);
    await controller.subscribe(price, 1);
    controller.dispose();
    expect(log).toEqual([
      'price [1] new 1000',
      'price [1] add 100',
      'price [2] new 1000',
      'price [1] remove 1000',
      'price [1] new 1000',
      'price [2] cleanup',
      'price [1] cleanup',
    ]);
  });
});

it('a manager of two controllers is not cleaned up before the later controller is disposed of', async () => {
  const cleanups: string[] = [];
  const manager: Manager = { middleware: () => (next) => next, cleanup: () => void cleanups.push('cleanup') };
  const former = new Controller({ managers: [manager] });
  const present = new Controller({ managers: [manager] });
  former.dispose();
  expect(cleanups).toEqual([]);
  present.dispose();
  expect(cleanups).toEqual(['cleanup']);
});

describe('the managers of a controller', () => {
  /** A manager that notes what is called. */
  const noting = (log: string[], name: string, fails?: 'init' | 'cleanup'): Manager => {
    const call = (what: 'init' | 'cleanup'): void => {
      log.push(`${what} ${name}`);
      if (fails === what) throw new RangeError(what);
    };
    return { middleware: () => (next) => next, init: () => call('init'), cleanup: () => call('cleanup') };
  };

  it('are all stopped if one of them throws, which is reported', async () => {
    const errors = uncaught();
    const log: string[] = [];
    const controller = new Controller({ managers: [noting(log, 'a', 'cleanup'), noting(log, 'b')] });
    controller.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['init a', 'init b', 'cleanup a', 'cleanup b']);
    expect(errors).toMatchObject([{ message: 'cleanup' }]);
  });

  it('are stopped if one of them cannot start, because the caller gets no controller to dispose of', () => {
    const log: string[] = [];
    const managers = [noting(log, 'a'), noting(log, 'b', 'init'), noting(log, 'c')];
    expect(() => new Controller({ managers })).toThrow('init');
    expect(log).toEqual(['init a', 'init b', 'cleanup a', 'cleanup b']);
  });
});
