import { afterEach, describe, expect, it } from 'vitest';
import { actionTypes, Controller, getDefaultManagers, type Manager, type Middleware, Store } from 'rejoin';
import { TabsManager, type TabsBrowser, type TabsEvent } from 'rejoin/tabs';
import { deferred } from '../../src/std/deferred.ts';
import { stubPage } from '../persist/local-storage.ts';
import { arrived, FakeBrowser, openTab, type Tab, TaskServer, tasksFrom } from './browser.ts';

const HOUR = 3_600_000;
const open: Tab[] = [];
afterEach(() => {
  for (const tab of open.splice(0)) tab.end();
});

function scene() {
  const fake = new FakeBrowser();
  const server = new TaskServer();
  const clock = { now: Date.UTC(2026, 6) };
  const platform = { ...fake.platform, now: () => clock.now };
  const next = async (managers?: readonly Manager[]): Promise<Tab> => {
    const tab = openTab(fake, server, { platform }, managers);
    open.push(tab);
    await arrived();
    return tab;
  };
  return { clock, fake, next, server };
}

/** Waits for some seconds of the timers of the tests. */
async function seconds(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await arrived(); // oxlint-disable-line no-await-in-loop -- one turn after another
}

describe('a read', () => {
  it('that a stopped tab sends is sent by a tab that waits for it, and is not waited for again', async () => {
    const { next, server } = scene();
    const [one, other] = [await next(), await next()];
    server.gate = deferred().promise;
    one.controller.fetch(one.tasks.getList).catch(() => {});
    await arrived();
    one.browser.freeze();
    server.gate = undefined;
    await other.controller.fetch(other.tasks.getList);
    expect(other.titles()).toEqual(['a', 'b']);
    const again = other.controller.fetch(other.tasks.getList);
    await arrived();
    expect(server.requests).toHaveLength(3);
    await again;
  });

  it('of a tab that still gets messages after the browser has stopped it is sent by another tab too', async () => {
    const { next, server } = scene();
    const [one, other] = [await next(), await next()];
    server.gate = deferred().promise;
    one.controller.fetch(one.tasks.getList).catch(() => {});
    await arrived();
    one.browser.document.dispatchEvent(new Event('freeze'));
    server.gate = undefined;
    await other.controller.fetch(other.tasks.getList);
    expect(other.titles()).toEqual(['a', 'b']);
  });

  it('that takes long is waited for as long as its tab goes on', async () => {
    const { next, server } = scene();
    const [one, other] = [await next(), await next()];
    const gate = deferred();
    server.gate = gate.promise;
    const reads = [one, other].map(({ controller, tasks }) => controller.fetch(tasks.getList));
    await seconds();
    gate.resolve();
    await Promise.all(reads);
    expect(server.requests).toEqual(['GET /tasks']);
  });
});

describe('data of a tab that was stopped', () => {
  /** A tab that has read and edited, and was stopped; an hour later, another client has changed a task, and another tab has read it. */
  async function stopped(isReading = false) {
    const { clock, next, server } = scene();
    const one = await next();
    for (const title of ['x', 'y', 'z']) await one.controller.fetch(one.tasks.partialUpdate, { id: '2' }, { title }); // oxlint-disable-line no-await-in-loop
    await one.controller.fetch(one.tasks.getList);
    const gate = deferred();
    if (isReading) {
      server.gate = gate.promise;
      one.controller.fetch(one.tasks.getList).catch(() => {});
      await arrived();
    }
    one.browser.freeze();
    server.gate = undefined;
    clock.now += HOUR;
    server.tasks = [{ id: '1', title: 'new', done: false }];
    const other = await next();
    await seconds();
    await other.controller.fetch(other.tasks.getList);
    expect(other.titles()).toEqual(['new']);
    return { gate, one, other };
  }

  it('does not replace newer data of a tab that was opened meanwhile, and is replaced by it', async () => {
    const { one, other } = await stopped();
    one.browser.thaw();
    await seconds();
    expect(other.titles()).toEqual(['new']);
    expect(one.titles()).toEqual(['new']);
  });

  it('does not replace newer data if it comes with an answer that the stopped tab has waited for', async () => {
    const { gate, one, other } = await stopped(true);
    one.browser.thaw();
    gate.resolve();
    await seconds();
    expect(other.titles()).toEqual(['new']);
    expect(one.titles()).toEqual(['new']);
  });
});

describe('a page that comes back from the back/forward cache', () => {
  /** Two tabs with a list. The user has gone to another page in the first one. */
  async function left() {
    const made = scene();
    const [one, other] = [await made.next(), await made.next()];
    await one.controller.fetch(one.tasks.getList);
    await arrived();
    one.browser.leave();
    await arrived();
    return { ...made, one, other };
  }

  it('gets what has changed meanwhile, and shares its data again', async () => {
    const { one, other } = await left();
    await other.controller.fetch(other.tasks.partialUpdate, { id: '1' }, { title: 'meanwhile' });
    await arrived();
    one.browser.goBack();
    await seconds();
    expect(one.titles()).toEqual(['meanwhile', 'b']);
    await other.controller.fetch(other.tasks.partialUpdate, { id: '1' }, { title: 'later' });
    await one.controller.fetch(one.tasks.partialUpdate, { id: '2' }, { title: 'mine' });
    await seconds();
    expect([one, other].map((tab) => tab.titles())).toEqual([
      ['later', 'mine'],
      ['later', 'mine'],
    ]);
    expect(one.events.map(({ type }) => type)).not.toContain('unsupported');
  });

  it('is logged out if the user has logged out meanwhile', async () => {
    const { one, other } = await left();
    await other.controller.resetEntireStore();
    await arrived();
    one.browser.goBack();
    await seconds();
    expect(one.titles()).toBe(undefined);
    expect(one.events.map(({ type }) => type)).toContain('reset');
  });

  it('is logged out if the user has logged out on a later page of the same tab, which gets no messages any more', async () => {
    stubPage();
    const { next } = scene();
    const one = await next();
    await one.controller.fetch(one.tasks.getList);
    one.browser.leave();
    const later = await next();
    await later.controller.resetEntireStore();
    later.browser.leave();
    await arrived();
    one.browser.goBack();
    expect(one.titles()).toBe(undefined);
    expect(one.events.map(({ type }) => type)).toContain('reset');
    await seconds();
    one.browser.leave();
    const last = await next();
    await last.controller.fetch(last.tasks.getList);
    await last.controller.resetEntireStore();
    last.browser.leave();
    await arrived();
    later.browser.goBack();
    expect(later.events.map(({ type }) => type)).toEqual(['reset']);
  });

  it('gets the data of a tab that was open meanwhile, also if another page comes back at the same time', async () => {
    const { next } = scene();
    const pages = [await next(), await next()];
    for (const { controller, tasks } of pages) await controller.fetch(tasks.getList); // oxlint-disable-line no-await-in-loop -- one after another
    for (const { browser } of pages) browser.leave();
    const later = await next();
    await later.controller.fetch(later.tasks.getList);
    await later.controller.fetch(later.tasks.partialUpdate, { id: '1' }, { title: 'changed' });
    for (const { browser } of pages) browser.goBack();
    await seconds();
    expect(pages.map(({ titles }) => titles())).toEqual([
      ['changed', 'b'],
      ['changed', 'b'],
    ]);
  });

  it('is seen as open again, and asks only once', async () => {
    const { fake, one } = await left();
    one.browser.goBack();
    await seconds();
    const [hellos, held] = [fake.sent.filter((type) => type === 'hello').length, fake.heldLocks.length];
    one.browser.leave();
    one.browser.goBack();
    one.browser.page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
    await seconds();
    expect(fake.sent.filter((type) => type === 'hello')).toHaveLength(hellos + 1);
    expect(fake.heldLocks).toHaveLength(held);
  });
});

class Recorder implements Manager {
  active = 0;
  readonly middleware: Middleware = () => (next) => async (action) => {
    if (action.type === actionTypes.SUBSCRIBE) this.active++;
    if (action.type === actionTypes.UNSUBSCRIBE) this.active--;
    return next(action);
  };
  cleanup(): void {}
}

describe('a subscription', () => {
  async function hidden() {
    const { next } = scene();
    const recorders = [new Recorder(), new Recorder()] as const;
    const one = await next([recorders[0]]);
    await one.controller.subscribe(one.tasks.getList);
    one.browser.document.visibilityState = 'hidden';
    one.browser.document.dispatchEvent(new Event('visibilitychange'));
    await arrived();
    const other = await next([recorders[1]]);
    const counts = (): readonly number[] => recorders.map(({ active }) => active);
    expect(counts()).toEqual([1, 0]);
    return { one, other, counts };
  }

  it('of a hidden tab passes to a visible one that is opened later', async () => {
    const { other, counts } = await hidden();
    await other.controller.subscribe(other.tasks.getList);
    await arrived();
    expect(counts()).toEqual([0, 1]);
  });

  it('of a hidden tab passes to another tab that becomes visible', async () => {
    const { other, counts } = await hidden();
    const { document } = other.browser;
    document.visibilityState = 'hidden';
    await other.controller.subscribe(other.tasks.getList);
    await arrived();
    expect(counts()).toEqual([1, 0]);
    document.visibilityState = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    await arrived();
    expect(counts()).toEqual([0, 1]);
  });

  it('of a tab that the browser stops is free for other tabs, until that tab goes on', async () => {
    const { one, other, counts } = await hidden();
    one.browser.document.dispatchEvent(new Event('freeze'));
    await arrived();
    one.browser.freeze();
    await other.controller.subscribe(other.tasks.getList);
    await arrived();
    expect(counts()).toEqual([0, 1]);
    one.browser.document.dispatchEvent(new Event('resume'));
    await other.controller.unsubscribe(other.tasks.getList);
    await arrived();
    expect(counts()).toEqual([1, 0]);
  });
});

describe('a browser that refuses', () => {
  async function refused(change: (browser: TabsBrowser, fake: FakeBrowser) => TabsBrowser) {
    const { fake, next, server } = scene();
    await next();
    const events: TabsEvent[] = [];
    const recorder = new Recorder();
    const tasks = tasksFrom(server);
    const tabs = new TabsManager({
      name: 'app',
      browser: change(fake.tab(), fake),
      endpoints: [tasks],
      platform: fake.platform,
      onEvent: (event) => events.push(event),
    });
    const controller = new Controller({ store: new Store(), managers: [tabs, recorder, ...getDefaultManagers()] });
    await controller.subscribe(tasks.get, { id: '1' });
    await controller.ready;
    expect(await controller.fetch(tasks.getList)).toHaveLength(2);
    await controller.fetch(tasks.partialUpdate, { id: '1' }, { title: 'mine' });
    await seconds();
    expect(recorder.active).toBe(1);
    controller.dispose();
    return events;
  }
  const refuse = (): Promise<never> => Promise.reject(new DOMException('The request was denied.', 'SecurityError'));

  it('all locks lets each tab work for itself, with one event', async () => {
    const events = await refused((browser) => ({ ...browser, locks: { request: refuse, query: refuse } }));
    expect(events).toEqual([{ type: 'unsupported' }]);
  });

  it('locks of a page that it is closing lets each tab work for itself, with one event', async () => {
    const events = await refused((browser) => ({
      ...browser,
      locks: { request: refuse, query: () => browser.locks.query() },
    }));
    expect(events).toEqual([{ type: 'unsupported' }]);
  });

  it('a channel lets the tab work for itself, with one event', async () => {
    const openPort = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    expect(await refused((browser) => ({ ...browser, openPort }))).toEqual([{ type: 'unsupported' }]);
  });
});

it('a mutation that is answered after the end of its manager sends nothing over the closed channel', async () => {
  const unhandled: unknown[] = [];
  process.once('unhandledRejection', (error) => unhandled.push(error));
  const { fake, next, server } = scene();
  await next();
  const tasks = tasksFrom(server);
  const browser: TabsBrowser = { ...fake.tab(), openPort: (name) => new BroadcastChannel(name) };
  const tabs = new TabsManager({ name: 'app', browser, endpoints: [tasks], platform: fake.platform });
  const controller = new Controller({ store: new Store(), managers: [tabs, ...getDefaultManagers()] });
  await controller.ready;
  const gate = deferred();
  server.gate = gate.promise;
  const edit = controller.fetch(tasks.partialUpdate, { id: '1' }, { title: 'mine' });
  await arrived();
  tabs.cleanup();
  gate.resolve();
  await edit;
  await arrived();
  expect(unhandled).toEqual([]);
  controller.dispose();
});
