import { afterEach, describe, expect, it, vi } from 'vitest';
import { actionTypes, Entity, type Manager, type Middleware, resource, RestEndpoint, Store, Union } from 'rejoin';
import { TabsManager } from 'rejoin/tabs';
import { hydrate } from '../../src/state/hydrate/hydrate.ts';
import { platform } from '../../src/std/platform.ts';
import { arrived, FakeBrowser, openTab, type Tab, Task, TaskServer } from './browser.ts';

let open: Tab[] = [];

const TWO_TASKS = {
  format: 'rejoin',
  version: 1,
  tables: [['Task', ['1', '2'].map((id) => [id, { id, title: 'hydrated', done: false }, 0, 0, null])]],
  results: [],
};

afterEach(() => {
  for (const tab of open) tab.end();
  open = [];
});

function application(count: number, options: Parameters<typeof openTab>[2] = {}) {
  const fake = new FakeBrowser();
  const server = new TaskServer();
  const next = async (own: Parameters<typeof openTab>[2] = {}, fill?: (store: Store) => void): Promise<Tab> => {
    const store = new Store();
    fill?.(store);
    const tab = openTab(fake, server, { platform: fake.platform, timeout: 5000, ...options, ...own }, undefined, store);
    open.push(tab);
    await tab.tabs.ready;
    await arrived();
    return tab;
  };
  const start = async (): Promise<readonly Tab[]> => {
    const tabs: Tab[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one after another, as a user opens them
    for (let at = 0; at < count; at++) tabs.push(await next());
    return tabs;
  };
  return { fake, server, next, start };
}

describe('data', () => {
  it('that one tab fetches is stored in the other tabs', async () => {
    const { server, start } = application(3);
    const [one, ...others] = await start();
    await one?.controller.fetch(one.tasks.getList);
    await arrived();
    for (const other of others) expect(other.titles()).toEqual(['a', 'b']);
    expect(server.requests).toEqual(['GET /tasks']);
  });

  it('that several tabs have fetched with one endpoint is one result in each of them', async () => {
    const { start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    for (const { controller, tasks } of [one, other, one]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await controller.fetch(tasks.getList);
      await arrived();
    }
    for (const { store, tasks } of [one, other]) expect(store.request(tasks.getList.key())?.results).toHaveLength(1);
  });

  it('is stored in a new tab before its first screen, without a request', async () => {
    const { server, start, next } = application(2);
    const [one] = await start();
    await one?.controller.fetch(one.tasks.getList);
    const late = await next();
    expect(late.titles()).toEqual(['a', 'b']);
    await late.controller.fetchIfStale(late.tasks.getList);
    expect(server.requests).toEqual(['GET /tasks']);
    expect(late.events.map(({ type }) => type)).toEqual(['joined']);
  });

  it('is sent to a new tab by exactly one of the other tabs', async () => {
    const { fake, start, next } = application(3);
    await start();
    fake.sent.length = 0;
    await next();
    expect(fake.sent.filter((type) => type === 'welcome')).toHaveLength(1);
  });

  it('that a mutation changes is changed in the other tabs, with one request', async () => {
    const { server, start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    await one.controller.fetch(one.tasks.getList);
    await arrived();
    await other.controller.fetch(other.tasks.partialUpdate, { id: '1' }, { title: 'A' });
    await arrived();
    expect([one.titles(), other.titles()]).toEqual([
      ['A', 'b'],
      ['A', 'b'],
    ]);
    expect(server.requests).toEqual(['GET /tasks', 'PATCH /tasks/1']);
  });

  it('that one tab deletes is deleted in the other tabs', async () => {
    const { start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    await one.controller.fetch(one.tasks.getList);
    await arrived();
    one.store.invalidate(Task, '1');
    await arrived();
    expect(other.titles()).toEqual(['b']);
  });

  it('from a slow answer does not overwrite data that another tab has saved meanwhile', async () => {
    const { server, start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    let answer = (): void => {};
    // The server has read the tasks, and its answer has not arrived yet.
    server.gate = new Promise((resolve) => (answer = resolve));
    const slow = one.controller.fetch(one.tasks.getList);
    await arrived();
    server.gate = undefined;
    await other.controller.fetch(other.tasks.partialUpdate, { id: '1' }, { title: 'saved' });
    await arrived();
    answer();
    await slow;
    await arrived();
    expect([one.titles(), other.titles()]).toEqual([
      ['saved', 'b'],
      ['saved', 'b'],
    ]);
  });

  it('of another user, of another application and of another version is not shared', async () => {
    const { server, start, next } = application(1);
    const [one] = (await start()) as [Tab];
    await one.controller.fetch(one.tasks.getList);
    const others = [await next({ user: 'ben' }), await next({ name: 'other' }), await next({ version: 2 })];
    for (const other of others) expect(other.titles()).toBeUndefined();
    expect(server.requests).toHaveLength(1);
    expect(others.map(({ events }) => events)).toEqual([[], [], []]);
    one.store.write(Task, { id: '1', title: 'c' });
    await arrived();
    expect(one.events).toEqual([{ type: 'version', version: '2' }]);
  });

  it('that cannot be sent does not prevent the tab from sending later data', async () => {
    const { start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    const circle: Record<string, unknown> = { id: '1' };
    circle['title'] = circle;
    await one.controller.set(Task, { id: '1' }, circle).catch(() => {});
    one.store.write(Task, { id: '2', title: 'b' });
    await arrived();
    expect(other.store.row('Task', '2')).toEqual({ id: '2', title: 'b' });
  });
});

describe('requests', () => {
  it('with the same key that several tabs send at the same time are one request', async () => {
    const { server, start } = application(3);
    const tabs = await start();
    const answers = await Promise.all(tabs.map((tab) => tab.controller.fetch(tab.tasks.getList)));
    expect(server.requests).toEqual(['GET /tasks']);
    expect(answers.map((list) => list.map(({ title }) => title))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(tabs.map((tab) => tab.titles())).toEqual(answers.map(() => ['a', 'b']));
  });

  it('for different pages of a list are all sent, also while another tab fetches the list', async () => {
    const { server, start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    const fetchPage = ({ controller, tasks }: Tab, done: boolean): Promise<unknown> =>
      controller.fetch(tasks.getList.paginated('done'), { done });
    await Promise.all([one.controller.fetch(one.tasks.getList), fetchPage(one, true), fetchPage(other, false)]);
    expect([...server.requests].sort()).toEqual(['GET /tasks', 'GET /tasks?done=false', 'GET /tasks?done=true']);
  });

  it('of a tab that is closed are sent by a tab that waits for the answer', async () => {
    const { server, start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    server.gate = new Promise(() => {});
    void one.controller.fetch(one.tasks.getList).catch(() => {});
    await arrived();
    const waiting = other.controller.fetch(other.tasks.getList);
    await arrived();
    expect(server.requests).toHaveLength(1);
    server.gate = undefined;
    one.browser.close();
    expect((await waiting).map(({ title }) => title)).toEqual(['a', 'b']);
    expect(server.requests).toHaveLength(2);
  });

  it('that fail in one tab are sent again by the tab that waits for the answer', async () => {
    const { server, start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    let fail = (_error: Error): void => {};
    server.gate = new Promise((_, reject) => (fail = reject));
    const failing = one.controller.fetch(one.tasks.getList);
    await arrived();
    const waiting = other.controller.fetch(other.tasks.getList);
    await arrived();
    server.gate = undefined;
    fail(new TypeError('offline'));
    await expect(failing).rejects.toThrow('offline');
    expect(await waiting).toHaveLength(2);
  });

  it('that wait for another tab are not sent after a logout', async () => {
    const { server, start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    let answer = (): void => {};
    server.gate = new Promise((resolve) => (answer = resolve));
    void one.controller.fetch(one.tasks.getList).catch(() => {});
    await arrived();
    const waiting = other.controller.fetch(other.tasks.getList);
    waiting.catch(() => {});
    await arrived();
    await one.controller.resetEntireStore();
    await arrived();
    answer();
    await expect(waiting).rejects.toMatchObject({ code: 'request-reset' });
    expect(server.requests).toHaveLength(1);
  });

  it('of the only tab need no message and no lock', async () => {
    const { fake, server, start } = application(1);
    const [one] = (await start()) as [Tab];
    fake.sent.length = 0;
    fake.lockRequests.length = 0;
    await one.controller.fetch(one.tasks.getList);
    expect(server.requests).toEqual(['GET /tasks']);
    expect([fake.sent, fake.lockRequests]).toEqual([[], []]);
  });
});

describe('lists', () => {
  it('that are shown are fetched again after another tab creates a record without their schema', async () => {
    const { server, start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    await one.controller.fetch(one.tasks.getList, { done: false });
    await arrived();
    const shown = one.controller.view(one.tasks.getList, { done: false });
    shown.subscribe(() => {});
    // This endpoint does not know the list, so that its tab cannot know whether the record belongs to it.
    const bare = new RestEndpoint({
      urlPrefix: 'http://x',
      path: '/tasks',
      method: 'POST',
      schema: Task,
      platform: { ...platform, fetch: server.fetch },
    });
    await other.controller.fetch(bare, { title: 'c' });
    await arrived();
    expect(shown.current()).toMatchObject({ value: [{ title: 'a' }, { title: 'b' }, { title: 'c' }] });
    expect(server.requests).toEqual(['GET /tasks?done=false', 'POST /tasks', 'GET /tasks?done=false']);
  });

  it('of all tabs contain a record that one tab creates, without another request', async () => {
    const { server, start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    await one.controller.fetch(one.tasks.getList);
    await arrived();
    await other.controller.fetch(other.tasks.getList.push, { title: 'c' });
    await arrived();
    expect([one.titles(), other.titles()]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    expect(server.requests).toEqual(['GET /tasks', 'POST /tasks']);
  });
});

describe('a new tab', () => {
  async function until(isSo: () => boolean): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one turn after another
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  }

  it('that has received no data does not show a list of which it has received only changes', async () => {
    const { fake, start, next } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    await one.controller.fetch(one.tasks.getList);
    await arrived();
    fake.lockRequests.length = 0;
    const joining = next();
    // The first tab will send its data next.
    await until(() => fake.lockRequests.some((name) => name.includes('greet')));
    one.browser.close();
    await other.controller.fetch(other.tasks.getList.push, { title: 'c' });
    await arrived();
    const late = open[2] as Tab;
    expect(late.store.row('Task', '3')).toBeDefined();
    expect(late.titles()).toBeUndefined();
    await joining;
    await late.controller.fetchIfStale(late.tasks.getList);
    expect(late.titles()).toEqual(['a', 'b', 'c']);
  });

  it('has the records that were added to a list while its data was being sent', async () => {
    const { server, start, next } = application(2);
    server.tasks = Array.from({ length: 600 }, (_, at) => ({ id: String(at), title: String(at), done: false }));
    const [one, other] = (await start()) as [Tab, Tab];
    await one.controller.fetch(one.tasks.getList);
    await arrived();
    const joining = next();
    const late = open[2] as Tab;
    await until(() => late.store.row('Task', '1') !== undefined);
    expect(late.store.row('Task', '599')).toBeUndefined();
    const { getList } = other.tasks;
    other.store.write(getList.schema.push, { id: '600', title: '600', done: false }, { args: [{}] });
    await joining;
    expect(late.titles()).toEqual(Array.from({ length: 601 }, (_, at) => String(at)));
  });

  it('deletes the data that it has received when the user logs out in another tab meanwhile', async () => {
    const { start, next } = application(1);
    const [one] = (await start()) as [Tab];
    await one.controller.fetch(one.tasks.getList);
    const joining = next();
    const late = open[1] as Tab;
    await until(() => late.store.row('Task', '1') !== undefined);
    expect(late.events).toEqual([]);
    await one.controller.resetEntireStore();
    await joining;
    expect(late.store.row('Task', '1')).toBeUndefined();
    expect(late.events[0]).toEqual({ type: 'reset' });
  });

  it('after a logout keeps its data, also when another tab is opened at the same time', async () => {
    const { start, next } = application(1);
    const [one] = (await start()) as [Tab];
    await one.controller.resetEntireStore();
    const tabs = await Promise.all([next({}, (store) => hydrate(store, TWO_TASKS)), next()]);
    for (const tab of tabs) expect(tab.events.map(({ type }) => type)).toEqual(['joined']);
    expect(tabs[0].store.row('Task', '1')).toBeDefined();
  });
});

describe('an optimistic change', () => {
  /** Two tabs that show the list. The server answers when the test says so. */
  async function two() {
    const { start, next, ...others } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    await one.controller.fetch(one.tasks.getList);
    await arrived();
    const seen: (readonly string[] | undefined)[] = [];
    other.controller.view(other.tasks.getList).subscribe(() => seen.push(other.titles()));
    let answer = (_error?: Error): void => {};
    others.server.gate = new Promise((resolve, reject) => (answer = (error) => (error ? reject(error) : resolve())));
    const answers = async (error?: Error): Promise<void> => {
      others.server.gate = undefined;
      answer(error);
      await arrived();
    };
    return { one, other, seen, next, answers, ...others };
  }

  it('is shown in all tabs until the server has answered', async () => {
    const { one, seen, answers } = await two();
    one.controller.fetch(one.tasks.partialUpdate, { id: '1' }, { title: 'A' }).catch(() => {});
    await arrived();
    expect(seen).toEqual([['A', 'b']]);
    await answers();
    expect(seen).toEqual([['A', 'b']]);
  });

  it('of a mutation that fails is removed in all tabs', async () => {
    const { one, seen, server, answers } = await two();
    const { tasks } = server;
    one.controller.fetch(one.tasks.partialUpdate, { id: '1' }, { title: 'A' }).catch(() => {});
    await arrived();
    server.tasks = tasks;
    await answers(new TypeError('offline'));
    expect([seen[0], seen.at(-1)]).toEqual([
      ['A', 'b'],
      ['a', 'b'],
    ]);
  });

  it('of a create is one record in all tabs, before and after the answer', async () => {
    const { one, other, seen, answers } = await two();
    one.controller.fetch(one.tasks.getList.push, { title: 'c' }).catch(() => {});
    await arrived();
    const pks = (tab: Tab): readonly string[] | undefined =>
      tab.controller.getResponse(tab.tasks.getList).data?.map((task) => String(task.pk()));
    expect(pks(other)).toEqual(pks(one));
    await answers();
    expect(pks(other)).toEqual(['1', '2', '3']);
    for (const titles of seen) expect(titles).toEqual(['a', 'b', 'c']);
  });

  it('of a create can be edited in another tab, and the edit is sent with the pk of the server', async () => {
    const { one, other, server, answers } = await two();
    one.controller.fetch(one.tasks.getList.push, { title: 'c' }).catch(() => {});
    await arrived();
    const id = String(other.controller.getResponse(other.tasks.getList).data?.[2]?.pk());
    const edit = other.controller.fetch(other.tasks.partialUpdate, { id }, { title: 'C' });
    await arrived();
    expect([one.titles(), other.titles()]).toEqual([
      ['a', 'b', 'C'],
      ['a', 'b', 'C'],
    ]);
    await answers();
    await edit;
    await arrived();
    expect(server.requests.slice(1)).toEqual(['POST /tasks', 'PATCH /tasks/3']);
    expect([one.titles(), other.titles()]).toEqual([
      ['a', 'b', 'C'],
      ['a', 'b', 'C'],
    ]);
  });

  it('of a create that fails makes the edits of other tabs fail', async () => {
    const { one, other, answers } = await two();
    one.controller.fetch(one.tasks.getList.push, { title: 'c' }).catch(() => {});
    await arrived();
    const id = String(other.controller.getResponse(other.tasks.getList).data?.[2]?.pk());
    const edit = other.controller.fetch(other.tasks.partialUpdate, { id }, { title: 'C' });
    edit.catch(() => {});
    await answers(new TypeError('offline'));
    await expect(edit).rejects.toMatchObject({ code: 'record-never-created' });
  });

  it('is shown in a tab that is opened meanwhile', async () => {
    const { one, next, answers } = await two();
    one.controller.fetch(one.tasks.partialUpdate, { id: '1' }, { title: 'A' }).catch(() => {});
    const late = await next();
    expect(late.titles()).toEqual(['A', 'b']);
    await answers();
    expect(late.titles()).toEqual(['A', 'b']);
  });

  it('of a tab that is closed is removed, and the data is fetched again', async () => {
    const { one, seen, server, answers } = await two();
    one.controller.fetch(one.tasks.partialUpdate, { id: '1' }, { title: 'A' }).catch(() => {});
    await arrived();
    server.gate = undefined;
    one.browser.close();
    await arrived();
    expect(server.requests).toEqual(['GET /tasks', 'PATCH /tasks/1', 'GET /tasks']);
    expect(seen.at(-1)).toEqual(['A', 'b']);
    await answers();
  });

  it('is removed after a logout, also in a tab that is being opened', async () => {
    const { one, other, next, server } = await two();
    one.controller.fetch(one.tasks.getList.push, { title: 'c' }).catch(() => {});
    await arrived();
    const joining = next();
    await other.controller.resetEntireStore();
    server.gate = undefined;
    const late = await joining;
    for (const tab of [one, other, late]) await tab.controller.fetch(tab.tasks.getList); // oxlint-disable-line no-await-in-loop -- one after another
    await arrived();
    for (const tab of [one, other, late]) expect(tab.titles()).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['has another name than the listed ones', { name: 'other' }],
    ['was made from a listed one, with another path', { path: '/tasks/:id/title' }],
  ])(
    'of an endpoint that %s is shown only in its tab, and data is fetched again when that tab is closed',
    async (_what, options) => {
      const { one, other, seen, server } = await two();
      const own = one.tasks.partialUpdate.extend(options as { readonly name: string });
      one.controller.fetch(own, { id: '1' }, { title: 'A' }).catch(() => {});
      await arrived();
      expect([one.titles(), other.titles(), seen]).toEqual([['A', 'b'], ['a', 'b'], []]);
      server.gate = undefined;
      one.browser.close();
      await arrived();
      expect(other.titles()).toEqual(['A', 'b']);
    },
  );

  it('whose arguments cannot be copied is shown only in its tab', async () => {
    const { one, other, answers } = await two();
    const form = new FormData();
    form.set('title', 'A');
    one.controller.fetch(one.tasks.partialUpdate, { id: '1' }, form).catch(() => {});
    await arrived();
    expect([one.titles(), other.titles()]).toEqual([
      ['A', 'b'],
      ['a', 'b'],
    ]);
    await answers();
    expect(one.events.at(-1)?.type).not.toBe('failed');
  });
});

describe('a mutation of a union', () => {
  class Note extends Entity {
    id = '';
    title = '';
    static override key = 'Note';
  }

  /** Two tabs with the tasks of the server, as one of two classes. */
  async function unionTabs() {
    const { server, next } = application(0);
    const works = resource({
      urlPrefix: 'http://x',
      path: '/tasks/:id',
      schema: new Union({ task: Task, note: Note }, (work: object) => ('text' in work ? 'note' : 'task')),
      optimistic: true,
      searchParams: undefined as { done?: boolean } | undefined,
      platform: { ...platform, fetch: server.fetch },
    });
    const [one, other] = [await next({ endpoints: [works] }), await next({ endpoints: [works] })];
    const titles = (tab: Tab) => tab.controller.getResponse(works.getList).data?.map(({ title }) => title);
    return { server, works, one, other, titles };
  }

  it('shows its guess in all tabs until the server has answered', async () => {
    const { one, other, server, titles, works } = await unionTabs();
    await one.controller.fetch(works.getList);
    await arrived();
    let answer = (): void => {};
    server.gate = new Promise((resolve) => (answer = resolve));
    const edit = other.controller.fetch(works.partialUpdate, { id: '1' }, { title: 'A' });
    await arrived();
    expect([titles(one), titles(other)]).toEqual([
      ['A', 'b'],
      ['A', 'b'],
    ]);
    answer();
    await edit;
    await arrived();
    expect(titles(one)).toEqual(['A', 'b']);
  });

  it.each(['create', 'delete'] as const)(
    '(%s) makes lists that only another tab has be fetched again',
    async (change) => {
      const { one, other, server, works } = await unionTabs();
      await other.controller.fetch(works.get, { id: '1' });
      let answer = (): void => {};
      // The server has read the list, and its answer has not arrived yet.
      server.gate = new Promise((resolve) => (answer = resolve));
      one.controller.watch(works.getList, { done: false }, () => {});
      const read = one.controller.fetch(works.getList, { done: false });
      await arrived();
      server.gate = undefined;
      if (change === 'create') await other.controller.fetch(works.create, { title: 'c', done: false });
      else await other.controller.fetch(works.delete, { id: '1' });
      await arrived();
      answer();
      await read;
      await arrived();
      expect(server.requests.filter((request) => request === 'GET /tasks?done=false')).toHaveLength(2);
    },
  );
});

describe('data that a tab has not fetched', () => {
  it('but restored from a disk is not sent to other tabs', async () => {
    const { fake, start } = application(2);
    const [one] = (await start()) as [Tab];
    fake.sent.length = 0;
    hydrate(one.store, TWO_TASKS);
    await arrived();
    expect(fake.sent).toEqual([]);
  });

  it('but received with its page is sent to other tabs, and does not replace their data', async () => {
    const { start, next } = application(1);
    const [one] = (await start()) as [Tab];
    one.store.write(Task, { id: '1', title: 'saved' });
    const late = await next({}, (store) => hydrate(store, TWO_TASKS));
    for (const tab of [one, late]) {
      expect(tab.store.row('Task', '1')).toMatchObject({ title: 'saved' });
      expect(tab.store.row('Task', '2')).toMatchObject({ title: 'hydrated' });
    }
  });
});

/** Records the subscriptions that reach it. */
class Recorder implements Manager {
  readonly active: string[] = [];
  readonly middleware: Middleware = () => (next) => async (action) => {
    if (action.type === actionTypes.SUBSCRIBE) this.active.push(action.key);
    if (action.type === actionTypes.UNSUBSCRIBE) this.active.splice(this.active.indexOf(action.key), 1);
    return next(action);
  };
  cleanup(): void {}
}

describe('subscriptions', () => {
  async function subscribed() {
    const fake = new FakeBrowser();
    const server = new TaskServer();
    const recorders = [new Recorder(), new Recorder(), new Recorder()] as const;
    const tabs = recorders.map((recorder) =>
      openTab(fake, server, { platform: fake.platform }, [recorder]),
    ) as unknown as [Tab, Tab, Tab];
    open.push(...tabs);
    await arrived();
    for (const { controller, tasks } of tabs) void controller.subscribe(tasks.getList);
    await arrived();
    const counts = (): readonly number[] => recorders.map(({ active }) => active.length);
    return { tabs, counts };
  }

  it('are active in one tab only', async () => {
    const { counts } = await subscribed();
    expect(counts()).toEqual([1, 0, 0]);
  });

  it('become active in the next tab when the active tab is closed', async () => {
    const { tabs, counts } = await subscribed();
    tabs[0].browser.close();
    await arrived();
    expect(counts()).toEqual([1, 1, 0]);
  });

  it('become active in the next tab when the active tab unsubscribes', async () => {
    const { tabs, counts } = await subscribed();
    await tabs[0].controller.unsubscribe(tabs[0].tasks.getList);
    await arrived();
    expect(counts()).toEqual([0, 1, 0]);
  });

  it('become active in the next tab when the active tab is hidden, and in the first tab when all are hidden', async () => {
    const { tabs, counts } = await subscribed();
    for (const at of [0, 1, 2] as const) {
      tabs[at].browser.document.visibilityState = 'hidden';
      tabs[at].browser.document.dispatchEvent(new Event('visibilitychange'));
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await arrived();
      expect(counts()).toEqual(
        [
          [0, 1, 0],
          [0, 0, 1],
          [1, 0, 0],
        ][at],
      );
    }
  });

  it('of several components in one tab end when the last of them unsubscribes', async () => {
    const { tabs, counts } = await subscribed();
    const [{ controller, tasks }] = tabs;
    await controller.subscribe(tasks.getList);
    expect(counts()).toEqual([2, 0, 0]);
    await controller.unsubscribe(tasks.getList);
    await arrived();
    expect(counts()).toEqual([1, 0, 0]);
    await controller.unsubscribe(tasks.getList);
    await controller.unsubscribe(tasks.getList);
    await arrived();
    expect(counts()).toEqual([0, 1, 0]);
  });

  it('of a tab that has unsubscribed do not become active', async () => {
    const { tabs, counts } = await subscribed();
    await tabs[1].controller.unsubscribe(tabs[1].tasks.getList);
    tabs[0].browser.close();
    await arrived();
    expect(counts()).toEqual([1, 0, 1]);
  });
});

describe('a logout', () => {
  it('in one tab is a logout in all tabs', async () => {
    const { start } = application(3);
    const [one, ...others] = (await start()) as [Tab, Tab, Tab];
    await one.controller.fetch(one.tasks.getList);
    await arrived();
    await one.controller.resetEntireStore();
    await arrived();
    for (const other of others) {
      expect(other.store.stats().rows).toBe(0);
      expect(other.events.at(-1)).toEqual({ type: 'reset' });
    }
    expect(one.events.at(-1)?.type).not.toBe('reset');
  });

  it('is also a logout of a new tab that has only the data of its disk', async () => {
    const { start, next } = application(1);
    const [one] = (await start()) as [Tab];
    const joining = next();
    const late = open[1] as Tab;
    late.store.write(Task, { id: '1', title: 'of the disk' });
    await one.controller.resetEntireStore();
    await joining;
    expect(late.events[0]).toEqual({ type: 'reset' });
    expect(late.store.row('Task', '1')).toBeUndefined();
  });

  it('removes data of the old session that arrives later', async () => {
    const { server, start, next } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    await one.controller.fetch(one.tasks.getList);
    await arrived();
    await one.controller.resetEntireStore();
    // This tab has not received the message yet.
    other.store.write(Task, { id: '9', title: 'of the user before' });
    await arrived();
    expect(one.store.row('Task', '9')).toBeUndefined();
    expect(other.store.row('Task', '9')).toBeUndefined();
    await other.controller.fetch(other.tasks.getList);
    await arrived();
    const late = await next();
    for (const tab of [one, other, late]) expect(tab.titles()).toEqual(['a', 'b']);
    expect(server.requests).toHaveLength(2);
  });
});

describe('a message that this version of the library does not know', () => {
  /** Returns a tab after a message of another sender was posted on its channel. */
  async function posted(message: unknown): Promise<Tab> {
    const { fake, start } = application(1);
    const [tab] = (await start()) as [Tab];
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel is of one origin.
    fake.tab().openPort('rejoin ["app",null]').postMessage(message);
    await arrived();
    return tab;
  }

  it.each([
    null,
    5,
    {},
    { from: 'x', version: '', session: 0, message: null },
    { from: 'x', version: '', session: 0, message: { type: 'later' } },
    { from: 'x', version: '', session: -1, message: { type: 'later' } },
  ])('is ignored: %j', async (data) => {
    expect((await posted(data)).events).toEqual([]);
  });

  it.each([
    { session: 0, message: { type: 'commit' } },
    { session: -1, message: { type: 'sent' } },
    { session: -1, message: { type: 'mutation' } },
  ])('is reported by an event if it cannot be stored: %j', async (data) => {
    const tab = await posted({ from: 'x', version: '', ...data });
    expect(tab.events).toEqual([{ type: 'failed', error: expect.any(TypeError) }]);
  });
});

describe('a mutation that the server has not answered at a logout', () => {
  /** Two tabs, of which the first sends a mutation and the second logs out. The request reaches the server when the test says so. */
  async function late() {
    const { fake, server } = application(0);
    let arrive = (): void => {};
    const slow = new Promise<void>((resolve) => (arrive = resolve));
    const fetch: TaskServer['fetch'] = async (url, init) => {
      if (init.method === 'POST') await slow;
      return server.fetch(url, init);
    };
    const one = openTab(fake, { fetch }, { platform: fake.platform, timeout: 5000 });
    const other = openTab(fake, server, { platform: fake.platform, timeout: 5000 });
    open.push(one, other);
    await Promise.all([one.tabs.ready, other.tabs.ready]);
    const create = (): void => void one.controller.fetch(one.tasks.getList.push, { title: 'c' }).catch(() => {});
    const read = async (): Promise<void> => {
      other.controller.view(other.tasks.getList).subscribe(() => {});
      await other.controller.fetch(other.tasks.getList);
      expect(other.titles()).toEqual(['a', 'b']);
    };
    return { one, other, create, read, arrive };
  }

  it.each([
    ['before the logout', ['create', 'arrived', 'logout']],
    ['after the logout', ['logout', 'create']],
  ] as const)(
    'that another tab sent %s makes a tab fetch its data again when that other tab is closed',
    async (_, order) => {
      const { one, other, create, read, arrive } = await late();
      const steps = { create, arrived, logout: () => other.controller.resetEntireStore() };
      // oxlint-disable-next-line no-await-in-loop -- one step after another
      for (const step of order) await steps[step]();
      await arrived();
      await read();
      arrive();
      one.browser.close();
      await arrived();
      expect(other.titles()).toEqual(['a', 'b', 'c']);
    },
  );

  it('does not make a tab fetch again after the server has answered', async () => {
    const { one, other, create, read, arrive } = await late();
    create();
    await arrived();
    await other.controller.resetEntireStore();
    await arrived();
    await read();
    arrive();
    await arrived();
    expect(other.titles()).toEqual(['a', 'b', 'c']);
    const asked: string[] = [];
    other.store.onCommit(({ requests }) => asked.push(...requests.map(({ key }) => key)));
    one.browser.close();
    await arrived();
    expect(asked).toEqual([]);
  });
});

describe('a TabsManager', () => {
  it('throws an error without a name', () => {
    expect(() => new TabsManager({ name: '' })).toThrow('name');
  });

  it.each([0, -1, Number.NaN, '5'])('refuses the timeout %j', (timeout) => {
    expect(() => new TabsManager({ name: 'app', timeout: timeout as number })).toThrow(
      expect.objectContaining({ code: 'manager-option-invalid' }),
    );
  });

  it('waits for another tab when its timeout is longer than a timer can be', async () => {
    const { fake, next } = application(0);
    await next();
    const delays: number[] = [];
    const setTimeout = (run: () => void, milliseconds: number): unknown => {
      delays.push(milliseconds);
      return fake.platform.setTimeout(run, milliseconds);
    };
    await next({ timeout: Number.POSITIVE_INFINITY, platform: { ...fake.platform, setTimeout } });
    expect(Math.max(...delays)).toBe((2 ** 31 - 1) / 2);
  });

  it('works in one tab when the browser has no locks', async () => {
    const { server, next } = application(0);
    const tab = await next({ browser: undefined });
    expect(tab.events).toEqual([{ type: 'unsupported' }]);
    await tab.controller.fetch(tab.tasks.getList);
    expect(server.requests).toHaveLength(1);
  });

  it('shares nothing on a server, where other controllers are those of other users, also if it has locks and channels, as Node 24', async () => {
    const { fake, next } = application(0);
    vi.stubGlobal('navigator', { locks: fake.tab().locks });
    try {
      const tab = await next({ browser: undefined });
      expect(tab.events).toEqual([{ type: 'unsupported' }]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('releases its locks and ports when its controller is disposed of', async () => {
    const { fake, start } = application(2);
    const [one, other] = (await start()) as [Tab, Tab];
    await one.controller.subscribe(one.tasks.getList.extend({ pollFrequency: 100_000 }));
    await arrived();
    one.controller.dispose();
    other.controller.dispose();
    await arrived();
    expect(fake.heldLocks).toEqual([]);
  });
});
