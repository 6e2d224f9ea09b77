import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { OutboxOptions } from 'rejoin/outbox';
import { memoryStorage, type TextStorage } from 'rejoin/persist';
import { deferred } from '../../src/std/deferred.ts';
import type { Platform } from '../../src/std/platform.ts';
import { type OfflineTab, openTab } from '../offline/app.ts';
import { TaskServer } from '../offline/server.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { Todo } from '../model.ts';
import { type App, ignore, kill as end, pksOf, settle, start } from './app.ts';
import { Server } from './server.ts';

interface Tab extends App {
  readonly page: ReturnType<FakeBrowser['tab']>;
  /** Stops the tab, as browsers do in the background: it keeps its locks, and runs nothing. */
  readonly freeze: () => void;
  /** Ends the tab at any moment. Messages and writes of the tab do not arrive any more. */
  readonly kill: () => void;
}

/** Runs a function for which the events of a page are global. */
function inPage<Value>(page: EventTarget, run: () => Value): Value {
  Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page) });
  try {
    return run();
  } finally {
    Reflect.deleteProperty(globalThis, 'addEventListener');
  }
}

/** A browser with a server and a disk that its tabs share. */
function browser() {
  const server = new Server();
  const disk = memoryStorage();
  /** `read`: the promise for which the next read of the disk waits before it returns its result; `write` and `request`: those for which the next write and request wait. `isStopped`: whether timers do not run. `reads`: how often the disk was read. */
  const slow = {
    read: Promise.resolve(),
    write: Promise.resolve(),
    request: Promise.resolve(),
    isStopped: false,
    reads: 0,
  };
  const fake = new FakeBrowser();
  const open = async (options: Partial<OutboxOptions> = {}): Promise<Tab> => {
    const tab = fake.tab();
    let isDead = false;
    const never = new Promise<never>(() => {});
    const alive = <Value>(run: () => Promise<Value>): Promise<Value> => (isDead ? never : run());
    const connection = new Server();
    const { platform } = server;
    const fetch: Platform['fetch'] = async (url, init) => {
      const { request } = slow;
      slow.request = Promise.resolve();
      await request;
      return alive(() => platform.fetch(url, init));
    };
    const setTimeout: Platform['setTimeout'] = (run, milliseconds) =>
      slow.isStopped ? undefined : platform.setTimeout(run, milliseconds);
    Object.assign(connection, { platform: { ...platform, fetch, setTimeout } });
    const storage = {
      open: async (name: string) => {
        const opened = await disk.open(name);
        return {
          ...opened,
          read: async () => {
            slow.reads++;
            const content = await opened.read();
            const { read } = slow;
            slow.read = Promise.resolve();
            await read;
            return content;
          },
          write: async (changes: ReadonlyMap<string, string | undefined>) => {
            const { write } = slow;
            slow.write = Promise.resolve();
            await write;
            return alive(() => opened.write(changes));
          },
        };
      },
    };
    const app = await inPage(tab.page, () => start({ server: connection, storage, browser: tab, ...options }));
    const kill = (): void => {
      isDead = true;
      tab.close();
      end(app);
    };
    onTestFinished(kill);
    const freeze = (): void => {
      isDead = true;
      tab.freeze();
    };
    return { ...app, freeze, kill, page: tab };
  };
  return { disk, fake, open, server, slow };
}

/** Two tabs. The first one has changed the title of a record to `a`, and is offline. */
async function withUnsentEdit() {
  const { fake, open, server } = browser();
  const [first, second] = [await open(), await open()];
  const { id } = await first.controller.fetch(first.todos.create, { title: 'new' });
  server.isOnline = false;
  first.controller.fetch(first.todos.partialUpdate, { id }, { title: 'a' }).catch(ignore);
  await first.outbox.flush();
  await settle(5);
  return { fake, server, first, second, id };
}

/** A tab with an edit that is saved, and cannot be sent yet. */
async function withSavedEdit() {
  const { open, server } = browser();
  const first = await open();
  server.isOnline = false;
  first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
  await first.outbox.flush();
  return { first, open, server };
}

/** A tab with a waiting edit, and the other end of its channel. */
async function withPort() {
  const { fake, open, server } = browser();
  const owner = await open();
  server.isOnline = false;
  owner.controller.fetch(owner.todos.create, { title: 'a' }).catch(ignore);
  await settle();
  return { owner, port: fake.tab().openPort('rejoin app outbox') };
}

/** Two tabs. The first one, which is offline, has an edit, and is in the back/forward cache. */
async function withLeftEdit() {
  const app = await withEdit();
  app.first.page.leave();
  await settle();
  return app;
}

/** Two tabs. The first one, which is offline, has an edit. */
async function withEdit() {
  const { disk, open, server, slow } = browser();
  const [first, second] = [await open(), await open()];
  server.isOnline = false;
  const answer = first.controller.fetch(first.todos.create, { title: 'a' });
  answer.catch(ignore);
  await first.outbox.flush();
  await settle(5);
  return { answer, disk, first, second, open, server, slow };
}

const titles = (server: Server): string[] => server.effects.map(({ body }) => String(body['title']));

describe('a page that comes back from the back/forward cache, whose locks the browser has released', () => {
  test('does not send an edit again that another tab has sent meanwhile', async () => {
    const { answer, first, second, server } = await withLeftEdit();
    server.isOnline = true;
    second.outbox.retry();
    await settle();
    expect(titles(server)).toEqual(['a']);
    const before = server.requests.length;
    first.page.goBack();
    first.outbox.retry();
    await settle();
    expect(server.requests).toHaveLength(before);
    expect(first.outbox.entries()).toEqual([]);
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('does not send an edit again, also if it was about to save it when it was left', async () => {
    const { disk, first, second, server, slow } = await withEdit();
    const held = deferred();
    Object.assign(slow, { write: held.promise, isStopped: true });
    first.controller.fetch(first.todos.create, { title: 'b' }).catch(ignore);
    await settle(5);
    // The new try of the first edit is saved after the second edit.
    first.outbox.retry();
    await settle(5);
    first.page.leave();
    await settle();
    server.isOnline = true;
    second.outbox.retry();
    await settle();
    expect(titles(server)).toEqual(['a']);
    first.page.goBack();
    held.resolve();
    await settle();
    first.outbox.retry();
    await settle();
    expect(titles(server)).toEqual(['a', 'b']);
    expect(server.requests.map(({ body }) => body['title'])).toEqual(['a', 'b']);
    const { entries } = await (await disk.open('rejoin app outbox')).read();
    expect([...entries].filter(([key]) => key.startsWith('entry '))).toEqual([]);
  });

  test('does not bring back an edit that another tab has sent, if its own request fails before the page knows that it is back', async () => {
    const { disk, first, second, server, slow } = await withEdit();
    const held = deferred();
    slow.isStopped = true;
    await settle();
    slow.request = held.promise;
    first.outbox.retry();
    await settle();
    expect(first.outbox.entries()).toMatchObject([{ state: 'sending' }]);
    first.page.leave();
    await settle();
    server.isOnline = true;
    second.outbox.retry();
    await settle();
    expect(titles(server)).toEqual(['a']);
    server.isOnline = false;
    held.resolve();
    await settle();
    expect(second.outbox.entries()).toEqual([]);
    const before = server.requests.length;
    server.isOnline = true;
    first.page.goBack();
    await settle();
    expect(server.requests).toHaveLength(before);
    for (const { outbox } of [first, second]) expect(outbox.entries()).toEqual([]);
    const { entries } = await (await disk.open('rejoin app outbox')).read();
    expect([...entries].filter(([key]) => key.startsWith('entry '))).toEqual([]);
  });

  test('sends an edit after the storage has noted that it is sent, also if the page was left in the middle of that', async () => {
    const { open, server, slow } = browser();
    // Without locks, it does not write everything before it goes on.
    const first = await open({ browser: {} as OutboxOptions['browser'] });
    server.isOnline = false;
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    const [made, left, back] = [deferred(), deferred(), deferred()];
    await settle();
    server.isOnline = true;
    Object.assign(slow, { write: made.promise, isStopped: true });
    for (const title of ['b', 'c']) {
      first.controller.fetch(first.todos.create, { title }).catch(ignore);
      await settle(5);
    }
    slow.write = left.promise;
    made.resolve();
    await settle(5);
    // The storage still writes the third edit. After that, it would note that the second one is sent.
    expect(first.outbox.entries()).toMatchObject([{ state: 'sending' }, { state: 'waiting' }]);
    first.page.leave();
    left.resolve();
    await settle();
    slow.write = back.promise;
    first.page.goBack();
    await settle();
    expect(titles(server)).toEqual(['a']);
    back.resolve();
    await settle();
    expect(titles(server)).toEqual(['a', 'b', 'c']);
  });

  test('saves an edit that is made while it is left', async () => {
    const { first, second } = await withEdit();
    first.page.leave();
    first.controller.fetch(first.todos.create, { title: 'b' }).catch(ignore);
    expect(await first.outbox.flush()).toBe(true);
    await settle();
    expect(second.outbox.entries().map(({ args: [body] }) => body)).toEqual([{ title: 'a' }, { title: 'b' }]);
  });

  test('leaves an edit to the tab that has taken it over, and shows it as an edit of that tab', async () => {
    const { first, second, server } = await withLeftEdit();
    first.page.goBack();
    first.outbox.retry();
    await settle();
    expect(second.outbox.entries()).toMatchObject([{ isElsewhere: false }]);
    expect(first.outbox.entries()).toMatchObject([{ isElsewhere: true, args: [{ title: 'a' }] }]);
    server.isOnline = true;
    second.outbox.retry();
    await settle();
    expect(titles(server)).toEqual(['a']);
    expect(first.outbox.entries()).toEqual([]);
  });

  test('keeps its later edits, also if another tab is opened', async () => {
    const { first, second, open, server } = await withLeftEdit();
    first.page.goBack();
    await settle();
    first.controller.fetch(first.todos.create, { title: 'b' }).catch(ignore);
    await first.outbox.flush();
    const third = await open();
    await settle();
    expect([second, third].map(({ outbox }) => outbox.entries().map(({ isElsewhere }) => isElsewhere))).toEqual([
      [false, true],
      [true, true],
    ]);
    first.kill();
    server.isOnline = true;
    for (const { outbox } of [second, third]) outbox.retry();
    await settle();
    expect(titles(server).toSorted()).toEqual(['a', 'b']);
  });

  test('sends an edit that no other tab has taken over', async () => {
    const { open, server } = browser();
    const only = await open();
    server.isOnline = false;
    const answer = only.controller.fetch(only.todos.create, { title: 'a' });
    await only.outbox.flush();
    await settle(5);
    only.page.leave();
    server.isOnline = true;
    only.outbox.retry();
    await settle();
    expect(titles(server)).toEqual([]);
    only.page.goBack();
    await answer;
    expect(titles(server)).toEqual(['a']);
  });
});

describe('tabs of two versions of an application', () => {
  test('send an edit from the one that knows its endpoint, if the other has taken it over', async () => {
    const { first, open, server } = await withSavedEdit();
    first.kill();
    const other = await open({ endpoints: [] });
    await settle();
    expect(other.outbox.entries()).toMatchObject([{ state: 'stopped', error: { code: 'outbox-endpoint-unknown' } }]);
    const third = await open();
    await settle();
    expect(third.outbox.entries()).toMatchObject([{ isElsewhere: false, state: 'waiting' }]);
    expect(other.outbox.entries()).toMatchObject([{ isElsewhere: true, args: [{ title: 'a' }] }]);
    server.isOnline = true;
    await settle();
    expect(titles(server)).toEqual(['a']);
    expect([third, other].map(({ outbox }) => outbox.entries())).toEqual([[], []]);
  });

  test('send it from one that is open already, and the edits that wait for it after it', async () => {
    const { open, server } = browser();
    const other = await open({ endpoints: [] });
    const [first, last] = [await open(), await open()];
    server.isOnline = false;
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    const [pk = ''] = pksOf(first.store, Todo);
    first.controller.fetch(first.todos.update, { id: pk }, { title: 'b' }).catch(ignore);
    await first.outbox.flush();
    first.kill();
    await settle();
    server.isOnline = true;
    last.outbox.retry();
    await settle();
    expect(titles(server)).toEqual(['a', 'b']);
    expect([last, other].map(({ outbox }) => outbox.entries())).toEqual([[], []]);
  });

  test('leave an edit that none of them knows to a decision of the user, and send it after the next start that knows it', async () => {
    const { first, open, server } = await withSavedEdit();
    first.kill();
    const others = [await open({ endpoints: [] }), await open({ endpoints: [] })];
    await settle();
    for (const { outbox } of others) expect(outbox.entries()).toMatchObject([{ state: 'stopped' }]);
    for (const { kill } of others) kill();
    server.isOnline = true;
    const next = await open();
    await settle();
    expect(titles(server)).toEqual(['a']);
    expect(next.outbox.entries()).toEqual([]);
  });
});

describe('several tabs', () => {
  test('show the edits of another open tab, and do not send them', async () => {
    const { first, open, server } = await withSavedEdit();
    const second = await open();
    expect(second.outbox.entries()).toHaveLength(1);
    server.isOnline = true;
    await settle();
    expect(first.outbox.entries()).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('send the edits of a killed tab once, from the next tab that starts', async () => {
    const { first, open, server } = await withSavedEdit();
    first.kill();
    const [second, third] = await Promise.all([open(), open()]);
    expect(second.outbox.entries().map(({ id }) => id)).toEqual(third.outbox.entries().map(({ id }) => id));
    server.isOnline = true;
    await settle();
    expect(server.requests).toHaveLength(1);
    expect(server.effects).toHaveLength(1);
  });

  test('send the edits of a killed tab from another open tab, as soon as it has ended', async () => {
    const { open, server } = browser();
    const [first, second] = [await open(), await open()];
    const third = await open();
    server.isOnline = false;
    third.controller.fetch(third.todos.create, { title: 'a' }).catch(ignore);
    await third.outbox.flush();
    third.kill();
    server.isOnline = true;
    await settle(200);
    expect([first.outbox.entries(), second.outbox.entries(), titles(server)]).toEqual([[], [], ['a']]);
    expect(server.requests).toHaveLength(1);
  });

  test('send an edit after those of a killed tab that were made earlier, also if the others had not read them yet', async () => {
    const { open, server, slow } = browser();
    let time = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => ++time);
    onTestFinished(() => void vi.restoreAllMocks());
    const [first, second] = [await open(), await open()];
    const { id } = await first.controller.fetch(first.todos.create, { title: 'new' });
    await settle();
    server.isOnline = false;
    slow.read = new Promise(() => {});
    for (const [{ controller, todos }, title] of [
      [first, 'a'],
      [second, 'b'],
    ] as const) {
      controller.fetch(todos.partialUpdate, { id }, { title }).catch(ignore);
    }
    await Promise.all([first.outbox.flush(), second.outbox.flush()]);
    for (const { kill } of [first, second]) kill();
    slow.read = Promise.resolve();
    await open();
    server.isOnline = true;
    await settle(200);
    expect(titles(server)).toEqual(['new', 'a', 'b']);
  });

  test('edit one record after another, and one tab takes the edits over: they are sent in the order in which they were made', async () => {
    const { open, server } = browser();
    const tabs = [await open(), await open()] as const;
    const { id } = await tabs[0].controller.fetch(tabs[0].todos.create, { title: 'new' });
    server.isOnline = false;
    for (const [at, title] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      const { controller, todos } = tabs[at % 3 === 0 ? 0 : 1];
      controller.fetch(todos.partialUpdate, { id }, { title }).catch(ignore);
      await settle(); // oxlint-disable-line no-await-in-loop -- one after another
    }
    for (const { kill } of tabs) kill();
    await open();
    server.isOnline = true;
    await settle(200);
    expect(titles(server)).toEqual(['new', 'a', 'b', 'c', 'd', 'e']);
  });

  test('send the edits of one record in the order in which they were made, while all tabs are open', async () => {
    const { open, server } = browser();
    const [first, second] = [await open(), await open()];
    const { id } = await first.controller.fetch(first.todos.create, { title: 'new' });
    server.trouble = ({ body }) => (body['title'] === 'a' && server.requests.length < 3 ? 503 : undefined);
    first.controller.fetch(first.todos.partialUpdate, { id }, { title: 'a' }).catch(ignore);
    await first.outbox.flush();
    await settle(5);
    await second.controller.fetch(second.todos.partialUpdate, { id }, { title: 'b' });
    expect(titles(server)).toEqual(['new', 'a', 'b']);
  });

  test('send an edit of a record after those of a tab that was killed meanwhile', async () => {
    const { first, second, id, server } = await withUnsentEdit();
    first.kill();
    server.isOnline = true;
    await second.controller.fetch(second.todos.partialUpdate, { id }, { title: 'b' });
    expect(titles(server)).toEqual(['new', 'a', 'b']);
  });

  test('send an edit without waiting for ever for a tab that the browser has stopped', async () => {
    const { first, second, id, server } = await withUnsentEdit();
    first.freeze();
    server.isOnline = true;
    await second.controller.fetch(second.todos.partialUpdate, { id }, { title: 'b' });
    expect(titles(server)).toEqual(['new', 'b']);
  });

  test('send an edit without waiting for a tab that the browser has stopped while it took over edits', async () => {
    const { fake, first, second, id, server } = await withUnsentEdit();
    // A third tab was stopped while it had the lock.
    void fake.tab().locks.request('rejoin app outbox ', {}, () => deferred().promise);
    first.freeze();
    server.isOnline = true;
    await second.controller.fetch(second.todos.partialUpdate, { id }, { title: 'b' });
    expect(titles(server)).toEqual(['new', 'b']);
  });

  test('send an edit without waiting for a tab that still gets messages after the browser has stopped it', async () => {
    const document = new EventTarget();
    onTestFinished(() => void vi.unstubAllGlobals());
    const { open, server } = browser();
    const { fetch, setTimeout } = server.platform;
    let isStopped = false;
    const clock = { setTimeout: (...timer: Parameters<typeof setTimeout>) => !isStopped && setTimeout(...timer) };
    vi.stubGlobal('document', document);
    vi.stubGlobal('localStorage', undefined);
    const first = await open({ platform: clock });
    vi.unstubAllGlobals();
    const second = await open({ platform: server.platform });
    const { id } = await first.controller.fetch(first.todos.create, { title: 'new' });
    server.platform.fetch = (url, init) =>
      String(init.body).includes('"a"') ? (deferred().promise as Promise<never>) : fetch(url, init);
    first.controller.fetch(first.todos.partialUpdate, { id }, { title: 'a' }).catch(ignore);
    await first.outbox.flush();
    await settle(5);
    isStopped = true;
    document.dispatchEvent(new Event('freeze'));
    await second.controller.fetch(second.todos.partialUpdate, { id }, { title: 'b' });
    expect(titles(server)).toEqual(['new', 'b']);
  });

  test('read the storage only after a change while several edits wait for those of another tab', async () => {
    const { open, server, slow } = browser();
    const [first, second] = [await open(), await open()];
    server.platform.fetch = () => deferred().promise as Promise<never>;
    slow.isStopped = true;
    for (const [{ controller, todos }, title] of [
      [first, 'a'],
      [second, 'b'],
    ] as const) {
      for (const id of ['1', '2', '3', '4']) controller.fetch(todos.partialUpdate, { id }, { title }).catch(ignore);
      await settle(); // oxlint-disable-line no-await-in-loop -- one tab after another
    }
    const { reads } = slow;
    await settle(200);
    expect(slow.reads).toBe(reads);
    expect(second.outbox.entries()).toHaveLength(8);
    // Each edit waits for its turn, and all of them share a read.
    expect(reads).toBeLessThan(30);
  });

  test('send an edit after that of another open tab, however long the server cannot be reached', async () => {
    const { open, server } = browser();
    const [first, second, third] = [await open(), await open(), await open()];
    const { id } = await first.controller.fetch(first.todos.create, { title: 'new' });
    server.trouble = ({ body }) => (body['title'] === 'a' ? 503 : undefined);
    const [tried, answer] = [first.controller.fetch(first.todos.partialUpdate, { id }, { title: 'a' }), deferred()];
    await first.outbox.flush();
    await settle(5);
    void second.controller.fetch(second.todos.partialUpdate, { id }, { title: 'b' }).then(answer.resolve);
    await settle(400);
    // Changes of a third tab are no reason to give up waiting.
    for (let count = 0; count < 40; count++) await third.controller.fetch(third.todos.create, { title: 'other' }); // oxlint-disable-line no-await-in-loop -- one after another
    expect(titles(server)).not.toContain('b');
    server.trouble = () => undefined;
    await Promise.all([tried, answer.promise]);
    expect(titles(server).filter((title) => title.length === 1)).toEqual(['a', 'b']);
  });

  test('send an edit of a record that was shown by its temporary pk, after its create by another tab was answered', async () => {
    const { open, server } = browser();
    const [first, second] = [await open(), await open()];
    server.isOnline = false;
    first.controller.fetch(first.todos.create, { title: 'new' }).catch(ignore);
    await first.outbox.flush();
    await settle(5);
    const [id = ''] = pksOf(first.store, Todo);
    server.isOnline = true;
    first.outbox.retry();
    await settle();
    await second.controller.fetch(second.todos.partialUpdate, { id }, { title: 'b' });
    expect(titles(server)).toEqual(['new', 'b']);
  });

  test('send edits of a record that another tab has created in their order, also if the first names it by its temporary pk', async () => {
    const [fake, disk, server] = [new FakeBrowser(), memoryStorage(), new TaskServer('R')];
    const created = deferred();
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      if (init.method === 'POST') await created.promise;
      return server.answer(url, init);
    };
    const [one, other] = [
      openTab(fake, disk, fetch, fake.platform, 'R'),
      openTab(fake, disk, fetch, fake.platform, 'R'),
    ];
    onTestFinished(() => void [one, other].map((tab) => tab.kill()));
    const { controller, tasks } = other;
    for (const tab of [one, other]) {
      await tab.controller.ready; // oxlint-disable-line no-await-in-loop -- one after another
      await tab.controller.fetch(tab.tasks.getList); // oxlint-disable-line no-await-in-loop
    }
    one.controller.fetch(one.tasks.getList.push, { title: 'new' }).catch(ignore);
    await settle();
    const shownId = (): string | undefined => controller.getResponse(tasks.getList).data?.[2]?.id;
    const temporary = shownId() ?? '';
    controller.fetch(tasks.partialUpdate, { id: temporary }, { title: 'first' }).catch(ignore);
    const stop = controller.store.onCommit(() => {
      const id = shownId();
      if (id === undefined || id === temporary) return;
      stop();
      controller.fetch(tasks.partialUpdate, { id }, { title: 'second' }).catch(ignore);
    });
    await settle();
    created.resolve();
    await settle(400);
    expect([temporary.startsWith('temp:'), server.titles.get('R-3')]).toEqual([true, ['new', 'first', 'second']]);
    expect(other.outbox.entries()).toEqual([]);
  });

  describe('without a network, all tabs show the latest edit of a record', () => {
    const offline = () => {
      const [fake, disk, server] = [new FakeBrowser(), memoryStorage(), new TaskServer('R')];
      const fetch = async (url: string, init: RequestInit): Promise<Response> => {
        if ((init.method ?? 'GET') !== 'GET') throw new TypeError('Failed to fetch');
        return server.answer(url, init);
      };
      const open = async () => {
        const tab = openTab(fake, disk, fetch, fake.platform, 'R');
        onTestFinished(() => tab.kill());
        await tab.controller.ready;
        await tab.controller.fetch(tab.tasks.getList);
        return tab;
      };
      const rename = async ({ controller, tasks }: OfflineTab, id: string, title: string): Promise<void> => {
        controller.fetch(tasks.partialUpdate, { id }, { title }).catch(ignore);
        await settle(200);
      };
      return { open, rename };
    };

    test('also a tab that is opened later', async () => {
      const { open, rename } = offline();
      const [one, other] = [await open(), await open()];
      await rename(other, 'R-1', 'first');
      await rename(one, 'R-1', 'second');
      expect((await open()).titles()).toEqual(['second', 'R b']);
    });

    test('also after the tab that made an earlier edit was killed', async () => {
      const { open, rename } = offline();
      const tabs = [await open(), await open(), await open()] as const;
      await rename(tabs[0], 'R-1', 'first');
      await rename(tabs[2], 'R-1', 'second');
      tabs[0].kill();
      await settle(400);
      expect(tabs.slice(1).map((tab) => tab.titles())).toEqual([
        ['second', 'R b'],
        ['second', 'R b'],
      ]);
    });

    test('also of a record that a killed tab was creating', async () => {
      const { open, rename } = offline();
      const tabs = [await open(), await open(), await open()] as const;
      tabs[0].controller.fetch(tabs[0].tasks.getList.push, { title: 'new' }).catch(ignore);
      await settle(200);
      for (const tab of tabs.slice(1)) expect(tab.titles()).toEqual(['R a', 'R b', 'new']);
      const [, , made] = tabs[2].controller.getResponse(tabs[2].tasks.getList).data ?? [];
      await rename(tabs[2], made?.id ?? '', 'edited');
      tabs[0].kill();
      await settle(2000);
      expect(tabs.slice(1).map((tab) => tab.titles())).toEqual([
        ['R a', 'R b', 'edited'],
        ['R a', 'R b', 'edited'],
      ]);
    });
  });

  test('show no edit that was answered while its delete hangs, and do not send it again after its tab was killed', async () => {
    const { disk, open, server } = browser();
    let isHanging = false;
    const storage: TextStorage = {
      open: async (name) => {
        const opened = await disk.open(name);
        const write: typeof opened.write = (changes) => (isHanging ? new Promise(() => {}) : opened.write(changes));
        return { ...opened, write };
      },
    };
    const [other, owner] = [await open(), await open({ storage })];
    server.isOnline = false;
    owner.controller.fetch(owner.todos.create, { title: 'a' }).catch(ignore);
    await settle();
    expect(other.outbox.entries()).toMatchObject([{ isElsewhere: true }]);
    isHanging = true;
    server.isOnline = true;
    owner.outbox.retry();
    await settle();
    other.outbox.retry();
    await settle();
    expect(other.outbox.entries()).toEqual([]);
    owner.kill();
    await settle(200);
    expect(server.requests).toHaveLength(1);
    const { entries } = await (await disk.open('app outbox')).read();
    expect(Array.from(entries, ([key]) => key).filter((key) => key.startsWith('entry'))).toEqual([]);
  });

  test('show no edit that was answered while they took over the edits of ended tabs', async () => {
    const { open, server, slow } = browser();
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    Object.assign(globalThis, { document: page });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'document'));
    const [other, owner] = [await open(), await open()];
    server.isOnline = false;
    owner.controller.fetch(owner.todos.create, { title: 'a' }).catch(ignore);
    await settle();
    const answer = deferred();
    Object.assign(slow, { read: answer.promise, isStopped: true });
    page.dispatchEvent(new Event('visibilitychange'));
    await settle();
    server.isOnline = true;
    owner.outbox.retry();
    await settle();
    answer.resolve();
    await settle();
    expect([owner.outbox.entries(), other.outbox.entries()]).toEqual([[], []]);
  });

  test('keep the pks of created records until one tab is alone and no edit is left', async () => {
    const { disk, open } = browser();
    const renamed = async (): Promise<number> => {
      const { entries } = await (await disk.open('app outbox')).read();
      return [...entries].filter(([key]) => key.startsWith('renamed ')).length;
    };
    const [first, second] = [await open(), await open()];
    await first.controller.fetch(first.todos.create, { title: 'a' });
    await second.controller.fetch(second.todos.create, { title: 'b' });
    await settle();
    expect(await renamed()).toBe(2);
    first.kill();
    second.kill();
    const third = await open();
    await third.controller.fetch(third.todos.update, { id: '1' }, { title: 'c' }).catch(ignore);
    expect(await renamed()).toBe(0);
  });

  test('send the edits of a killed tab when another tab becomes visible', async () => {
    const { open, server } = browser();
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    Object.assign(globalThis, { document: page });
    try {
      const [first, second] = [await open(), await open()];
      server.isOnline = false;
      second.controller.fetch(second.todos.create, { title: 'a' }).catch(ignore);
      await second.outbox.flush();
      second.kill();
      server.isOnline = true;
      page.dispatchEvent(new Event('visibilitychange'));
      await settle();
      expect(first.events).toMatchObject([{ type: 'restored', entries: 1 }]);
      expect(server.effects).toHaveLength(1);
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
  });

  describe('show an edit that another tab sends', () => {
    /** A tab whose edit was refused, or waits for the network, and one that shows it. */
    async function shown(trouble: 422 | 'offline') {
      const { open, server } = browser();
      server.records.set('/todos/1', { id: '1' });
      const [owner, other] = [await open(), await open()];
      if (trouble === 'offline') server.isOnline = false;
      else server.troubles.push(trouble);
      const edited = owner.controller.fetch(owner.todos.partialUpdate, { id: '1' }, { title: 'a' }).then(
        () => 'saved',
        (error: Error) => error.name,
      );
      await settle();
      const [entry] = other.outbox.entries();
      return { edited, entry, id: entry?.id ?? '', open, other, owner, server };
    }

    test('with its arguments, state and error', async () => {
      const { entry } = await shown(422);
      expect(entry).toMatchObject({
        args: [{ id: '1' }, { title: 'a' }],
        state: 'stopped',
        tries: 1,
        error: { status: 422 },
        isElsewhere: true,
      });
    });

    test('until it is answered', async () => {
      const { other, owner, server } = await shown('offline');
      let changes = 0;
      other.outbox.subscribe(() => changes++);
      server.isOnline = true;
      owner.outbox.retry();
      await settle();
      expect(other.outbox.entries()).toEqual([]);
      expect(changes).toBeGreaterThan(0);
    });

    test('as the same object until it changes', async () => {
      const { entry, id, other, owner, server } = await shown(422);
      owner.controller.fetch(owner.todos.create, { title: 'b' }).catch(ignore);
      await owner.outbox.flush();
      await settle();
      expect(server.effects).toHaveLength(1);
      expect(other.outbox.entries()).toHaveLength(1);
      expect(other.outbox.entries()[0]).toBe(entry);
      server.troubles.push(409);
      other.outbox.retry(id);
      await settle();
      expect(other.outbox.entries()).toMatchObject([{ id, error: { status: 409 } }]);
    });

    test('and retry it there', async () => {
      const { edited, id, other, server } = await shown(422);
      other.outbox.retry(id);
      await settle();
      expect(titles(server)).toEqual(['a']);
      expect(other.outbox.entries()).toEqual([]);
      await edited;
    });

    test('and send it at once there when it waits for the network', async () => {
      const { edited, other, server } = await shown('offline');
      server.isOnline = true;
      other.outbox.retry();
      await settle(2);
      expect(await edited).toBe('saved');
    });

    test('and edit it there, also with values that are not JSON', async () => {
      const { id, other, server } = await shown(422);
      other.outbox.edit(id, { id: '1' }, { title: 'b', due: new Date(0) });
      await settle();
      expect(server.effects.map(({ body }) => body)).toEqual([{ title: 'b', due: '1970-01-01T00:00:00.000Z' }]);
    });

    test('and refuse to change one that may have arrived', async () => {
      const { open, server } = browser();
      server.records.set('/todos/1', { id: '1' });
      const [owner, other] = [await open(), await open()];
      server.trouble = () => 503;
      owner.controller.fetch(owner.todos.partialUpdate, { id: '1' }, { title: 'a' }).catch(ignore);
      await settle();
      const id = other.outbox.entries()[0]?.id ?? '';
      server.trouble = () => 'lost answer';
      owner.outbox.retry();
      await settle(20);
      expect(() => other.outbox.edit(id, { id: '1' }, { title: 'b' })).toThrow(
        expect.objectContaining({ code: 'outbox-entry-sent' }),
      );
    });

    test('and discard it there', async () => {
      const { edited, id, other, owner, server } = await shown('offline');
      other.outbox.discard(id);
      expect(await edited).toBe('AbortError');
      await settle();
      expect([...owner.outbox.entries(), ...other.outbox.entries(), ...server.effects]).toEqual([]);
    });

    test('and discard it after that tab is closed', async () => {
      const { id, other, owner, server } = await shown('offline');
      owner.kill();
      other.outbox.discard(id);
      await settle();
      expect([...other.outbox.entries(), ...server.effects]).toEqual([]);
    });

    test('but ignore other messages on the channel', async () => {
      const { owner, port } = await withPort();
      for (const data of [
        undefined,
        5,
        { type: 'other' },
        { type: 'edit', id: owner.outbox.entries()[0]?.id, args: 5 },
      ])
        port.postMessage(data);
      await settle();
      expect(owner.outbox.entries()).toMatchObject([{ args: [{ title: 'a' }] }]);
    });

    test('and wait for a login if the edit that they wait for does', async () => {
      const { open, server } = browser();
      const [one, other] = [await open(), await open()];
      server.records.set('/todos/1', { id: '1' });
      server.trouble = () => 401;
      one.controller.fetch(one.todos.partialUpdate, { id: '1' }, { title: 'a' }).catch(ignore);
      await settle();
      other.controller.fetch(other.todos.partialUpdate, { id: '1' }, { title: 'b' }).catch(ignore);
      await settle();
      expect([one.outbox.isPaused, other.outbox.isPaused]).toEqual([true, true]);
      expect(other.events).toMatchObject([{ type: 'paused', error: { status: 401 } }]);
      server.trouble = () => undefined;
      other.outbox.resume();
      await settle(200);
      expect(titles(server)).toEqual(['a', 'b']);
    });

    test('and send their edits after a login in all tabs', async () => {
      const { open, server } = browser();
      const [one, other] = [await open(), await open()];
      server.trouble = () => 401;
      for (const { controller, todos } of [one, other]) controller.fetch(todos.create, { title: 'a' }).catch(ignore);
      await settle();
      expect([one.outbox.isPaused, other.outbox.isPaused]).toEqual([true, true]);
      server.trouble = () => undefined;
      one.outbox.resume();
      await settle();
      expect([one.outbox.isPaused, other.outbox.isPaused]).toEqual([false, false]);
      expect(server.effects).toHaveLength(2);
    });
  });

  test(
    'that are killed at random have each edit carried out once, and those of one record in order',
    { timeout: 600_000 },
    async () => {
      for (let seed = 1; seed <= 10; seed++) {
        let state = seed;
        const draw = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
        const { open, server } = browser();
        server.records.set('/todos/1', { id: '1' });
        const tabs = [await open(), await open(), await open()]; // oxlint-disable-line no-await-in-loop -- one browser after another
        const edits = new Map<Tab, string[]>();
        server.trouble = () => (draw(8) === 0 ? 'lost answer' : draw(8) === 0 ? 503 : undefined);
        for (let count = 0; count < 30; count++) {
          const at = draw(3);
          const tab = tabs[at] as Tab;
          const title = `${count}`;
          tab.controller.fetch(tab.todos.partialUpdate, { id: '1' }, { title }).catch(ignore);
          edits.set(tab, [...(edits.get(tab) ?? []), title]);
          await tab.outbox.flush(); // oxlint-disable-line no-await-in-loop
          if (draw(5) > 0) continue;
          tab.kill();
          tabs[at] = await open(); // oxlint-disable-line no-await-in-loop
        }
        server.trouble = () => undefined;
        for (let turns = 0; turns < 20 && tabs.some(({ outbox }) => outbox.entries().length > 0); turns++)
          await settle(20); // oxlint-disable-line no-await-in-loop
        expect(tabs.flatMap(({ outbox }) => outbox.entries())).toEqual([]);
        expect(titles(server).toSorted()).toEqual([...edits.values()].flat().toSorted());
        for (const made of edits.values()) expect(titles(server).filter((title) => made.includes(title))).toEqual(made);
      }
    },
  );
});
