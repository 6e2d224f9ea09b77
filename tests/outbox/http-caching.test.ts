import { describe, expect, test } from 'vitest';
import { Controller, getDefaultManagers, httpCaching, resource, Store } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { memoryStorage, PersistManager, type TextStorage } from 'rejoin/persist';
import { TabsManager } from 'rejoin/tabs';
import type { OfflineOptions } from '../../src/define/endpoint/options.ts';
import { Todo } from '../model.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { ignore, settle } from './app.ts';
import { Server } from './server.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A server with one record, and an ETag that changes with it. It answers 412 to an edit of another version. */
class TagServer {
  record: Fields = { id: '1', title: 'a', done: false };
  version = 1;
  isOnline = true;
  /** Whether a refusal names the present version. */
  isTelling = false;
  mark = '';
  /** Called after each edit that was carried out. */
  afterEdit: () => void = () => {};
  /** What arrived: the method, `If-Match` and the status. */
  readonly requests: string[] = [];
  readonly platform = {
    ...new Server().platform,
    fetch: (_url: string, init: RequestInit): Promise<Response> => this.#fetch(init),
  };

  get tag(): string {
    return `${this.mark}"${this.version}"`;
  }

  /** Another client changes the record. */
  change(fields: Fields): void {
    this.record = { ...this.record, ...fields };
    this.version++;
  }

  async #fetch({ body, headers, method = 'GET' }: RequestInit): Promise<Response> {
    await new Promise(setImmediate);
    if (!this.isOnline) throw new TypeError('Failed to fetch');
    const match = new Headers(headers).get('if-match');
    const isRefused = match !== null && match !== this.tag;
    if (method !== 'GET' && !isRefused) this.change(JSON.parse(String(body)) as Fields);
    if (method !== 'GET') this.requests.push(`${match ?? 'any'} ${isRefused ? 412 : 200}`);
    const isTold = !isRefused || this.isTelling;
    const answer = Response.json(this.record, {
      status: isRefused ? 412 : 200,
      ...(isTold && { headers: { ETag: this.tag } }),
    });
    if (method !== 'GET' && !isRefused) this.afterEdit();
    return answer;
  }
}

interface Given extends OfflineOptions {
  readonly server?: TagServer;
  readonly storage?: TextStorage;
  readonly isPersisted?: boolean;
  readonly ifMatch?: 'weak';
  readonly fake?: FakeBrowser;
  /** Whether each tab shows the edits of the others. */
  readonly areTabsShared?: boolean;
  readonly coalesce?: boolean;
  readonly serial?: () => string;
}

async function start({ server = new TagServer(), storage = memoryStorage(), ...given }: Given = {}) {
  const {
    areTabsShared = true,
    coalesce = false,
    fake,
    ifMatch = true,
    isPersisted = false,
    onConflict,
    serial = false,
  } = given;
  const { platform } = server;
  const todos = resource({
    urlPrefix: 'https://api.test',
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
    serial,
    offline: { coalesce, ...(onConflict && { onConflict }) },
    caching: httpCaching({ ifMatch }),
    platform,
  });
  const browser = fake?.tab();
  const outbox = new OutboxManager({ name: 'app', endpoints: [todos], storage, platform, browser });
  const persist = new PersistManager({ name: 'app', storage, platform: { ...platform, now: Date.now } });
  const tabs = areTabsShared && browser && new TabsManager({ name: 'app', browser, endpoints: [todos], platform });
  const store = new Store();
  const managers = [...(tabs ? [tabs] : []), ...(isPersisted ? [persist] : []), outbox, ...getDefaultManagers()];
  const controller = new Controller({ store, managers });
  await controller.ready;
  const fetchIt = (): Promise<unknown> => controller.fetch(todos.get, { id: '1' });
  const edit = (fields: Fields): Promise<unknown> => {
    const edited = controller.fetch(todos.partialUpdate, { id: '1' }, fields);
    edited.catch(ignore);
    return edited;
  };
  const end = async (): Promise<void> => {
    await Promise.all([outbox.flush(), isPersisted && persist.flush()]);
    controller.dispose();
  };
  /** Ends the process of the tab. */
  const kill = (): void => {
    browser?.close();
    controller.dispose();
  };
  return { server, storage, outbox, store, controller, todos, fetchIt, edit, end, kill };
}

/** An edit that was made without a network, and a change of another client meanwhile. */
async function editedOffline(given: Given = {}) {
  const app = await start(given);
  const { edit, fetchIt, server } = app;
  await fetchIt();
  server.isOnline = false;
  const edited = edit({ title: 'mine' });
  await settle();
  server.change({ title: 'theirs' });
  return { ...app, edited };
}

test('an edit that is made after the record of a conflict was taken is sent with the version of that record', async () => {
  const { edit, edited, outbox, server } = await editedOffline({ onConflict: () => 'theirs' });
  server.isOnline = true;
  server.isTelling = true;
  outbox.retry();
  await expect(edited).rejects.toMatchObject({ name: 'AbortError' });
  await edit({ done: true });
  expect(server.requests).toEqual(['"1" 412', '"2" 200']);
  expect(server.record).toMatchObject({ title: 'theirs', done: true });
});

describe('an edit that waits', () => {
  test('is sent with the version that it was made from, also if a newer one was fetched meanwhile', async () => {
    const { edited, fetchIt, outbox, server } = await editedOffline();
    server.isOnline = true;
    await fetchIt();
    outbox.retry();
    await expect(edited).rejects.toMatchObject({ code: 'version-conflict' });
    expect(server.requests).toEqual(['"1" 412']);
    expect(server.record).toMatchObject({ title: 'theirs' });
  });

  test.each([true, false])(
    'is sent with the version that it was made from after a restart, too (with saved data: %s)',
    async (isPersisted) => {
      const { end, server, storage } = await editedOffline({ isPersisted });
      await end();
      server.isOnline = true;
      const { outbox } = await start({ server, storage, isPersisted });
      await settle();
      expect(server.requests).toEqual(['"1" 412']);
      expect(outbox.entries()).toMatchObject([{ state: 'stopped', error: { status: 412 } }]);
    },
  );

  test('and was made from saved data is sent with the version of that data', async () => {
    const first = await start({ isPersisted: true });
    await first.fetchIt();
    await first.end();
    const { server, storage } = first;
    server.change({ title: 'theirs' });
    const { edit } = await start({ server, storage, isPersisted: true });
    await expect(edit({ title: 'mine' })).rejects.toMatchObject({ code: 'version-conflict' });
    expect(server.requests).toEqual(['"1" 412']);
  });

  test('and was made from data of another tab is sent with the version of that data', async () => {
    const fake = new FakeBrowser();
    const server = new TagServer();
    const one = await start({ fake, server });
    const other = await start({ fake, server });
    await one.fetchIt();
    await settle();
    await one.edit({ done: true });
    await settle();
    server.change({ title: 'theirs' });
    await expect(other.edit({ title: 'mine' })).rejects.toMatchObject({ code: 'version-conflict' });
    expect(server.requests).toEqual(['"1" 200', '"2" 412']);
  });

  test('and was refused is refused again after a restart, if the page was killed before the conflict was decided', async () => {
    const never = (): Promise<never> => new Promise(() => {});
    const { end, outbox, server, storage } = await editedOffline({ onConflict: never });
    server.isOnline = true;
    server.isTelling = true;
    outbox.retry();
    await settle();
    await end();
    const asked: unknown[] = [];
    await start({
      server,
      storage,
      onConflict: ({ base, theirs }) => void asked.push(base?.['title'], theirs['title']),
    });
    await settle();
    expect(server.requests).toEqual(['"1" 412', '"1" 412']);
    expect(asked).toEqual(['a', 'theirs']);
  });
});

describe('the second of two edits of a record', () => {
  test('is sent with the version that the first has made', async () => {
    const { edit, fetchIt, server } = await start();
    await fetchIt();
    server.isOnline = false;
    const edits = [edit({ title: 'b' }), edit({ done: true })];
    await settle();
    server.isOnline = true;
    await Promise.all(edits);
    expect(server.requests).toEqual(['"1" 200', '"2" 200']);
  });

  test('of the same queue by `serial`, but of another record with the same tag, keeps its version', async () => {
    const { controller, server, todos } = await start({ serial: () => 'all' });
    for (const id of ['1', '2']) await controller.fetch(todos.get, { id }); // oxlint-disable-line no-await-in-loop -- one after another
    server.isOnline = false;
    const edits = ['1', '2'].map((id) => controller.fetch(todos.partialUpdate, { id }, { title: 'b' }));
    for (const edit of edits) edit.catch(ignore);
    await settle();
    server.isOnline = true;
    await Promise.allSettled(edits);
    // The server has one version for both records.
    expect(server.requests).toEqual(['"1" 200', '"1" 412']);
  });

  describe.each([true, false])('of another tab (whose edits are shown: %s)', (areTabsShared) => {
    /** Two tabs with the same record, and an edit in each. */
    async function editedInTwo(given: Given = {}) {
      const fake = new FakeBrowser();
      const [server, storage] = [new TagServer(), memoryStorage()];
      const shared = { ...given, areTabsShared, fake, server, storage };
      const [one, other] = [await start(shared), await start(shared)];
      for (const { fetchIt } of [one, other]) await fetchIt(); // oxlint-disable-line no-await-in-loop -- one after another
      server.isOnline = false;
      const edits = [one.edit({ title: 'b' })];
      await settle();
      edits.push(other.edit({ done: true }));
      await settle();
      return { server, one, other, edits, shared };
    }

    test('is sent with the version that the first has made', async () => {
      const { edits, one, other, server } = await editedInTwo();
      edits.push(one.edit({ title: 'c' }));
      await settle();
      server.isOnline = true;
      other.outbox.retry();
      await Promise.all(edits);
      expect(server.requests).toEqual(['"1" 200', '"2" 200', '"3" 200']);
      expect(server.record).toEqual({ id: '1', title: 'c', done: true });
    });

    test('is sent with that version after that tab was killed', async () => {
      const { one, other, server } = await editedInTwo();
      other.kill();
      server.isOnline = true;
      one.outbox.retry();
      await settle();
      expect(server.requests).toEqual(['"1" 200', '"2" 200']);
    });

    test('is sent with that version at the next start of the application, if the first was answered before', async () => {
      const { one, other, server, shared } = await editedInTwo();
      server.afterEdit = () => {
        other.kill();
        server.isOnline = false;
      };
      server.isOnline = true;
      one.outbox.retry();
      await settle();
      await one.end();
      one.kill();
      expect(server.requests).toEqual(['"1" 200']);
      server.afterEdit = () => {};
      server.isOnline = true;
      await start(shared);
      await settle();
      expect(server.requests).toEqual(['"1" 200', '"2" 200']);
    });

    test('is refused if another client has changed the record after the first', async () => {
      const { edits, one, server } = await editedInTwo();
      server.afterEdit = () => server.change({ done: false });
      server.isOnline = true;
      one.outbox.retry();
      await edits[0];
      await expect(edits[1]).rejects.toMatchObject({ code: 'version-conflict' });
      expect(server.requests).toEqual(['"1" 200', '"2" 412']);
    });

    test('is not merged into an earlier one, if the other tab has edited the record between the two', async () => {
      const { edits, one, other, server } = await editedInTwo({ coalesce: true });
      edits.push(one.edit({ done: false }));
      await settle();
      server.isOnline = true;
      one.outbox.retry();
      other.outbox.retry();
      await Promise.all(edits);
      expect(server.record).toEqual({ id: '1', title: 'b', done: false });
    });
  });

  test('is refused if another client has changed the record after the first', async () => {
    const { edit, fetchIt, outbox, server } = await start();
    await fetchIt();
    server.isOnline = false;
    const [first, second] = [edit({ title: 'b' }), edit({ done: true })];
    await settle();
    const { platform } = server;
    const { fetch } = platform;
    platform.fetch = async (url, init) => {
      const answer = await fetch(url, init);
      server.isOnline = false;
      return answer;
    };
    server.isOnline = true;
    outbox.retry();
    await first;
    await settle();
    platform.fetch = fetch;
    server.change({ done: false });
    server.isOnline = true;
    await fetchIt();
    outbox.retry();
    await expect(second).rejects.toMatchObject({ code: 'version-conflict' });
    expect(server.requests).toEqual(['"1" 200', '"2" 412']);
  });

  test('is decided on its own after the first was decided', async () => {
    const asked: unknown[] = [];
    const { edit, outbox, server } = await editedOffline({
      onConflict: ({ mine, theirs }) => {
        asked.push([mine, theirs['title']]);
        return 'mine';
      },
    });
    const second = edit({ done: true });
    server.isOnline = true;
    outbox.retry();
    await second;
    expect(server.requests).toEqual(['"1" 412', 'any 200', '"1" 412', 'any 200']);
    expect(asked).toEqual([
      [{ title: 'mine' }, 'theirs'],
      [{ done: true }, 'mine'],
    ]);
  });
});

describe('an edit that is sent again after a conflict', () => {
  test.each([
    ['by onConflict', 'mine'],
    ['by retry()', undefined],
  ] as const)(
    '%s is sent with the version in the refusal, so that a third one is a conflict again',
    async (_, decision) => {
      const { outbox, server } = await editedOffline({
        onConflict: () => {
          if (server.version === 2) server.change({ title: 'third' });
          return decision;
        },
      });
      server.isTelling = true;
      server.isOnline = true;
      outbox.retry();
      await settle();
      for (const { id } of outbox.entries()) outbox.retry(id);
      await settle();
      for (const { id } of outbox.entries()) outbox.retry(id);
      await settle();
      expect(server.requests).toEqual(['"1" 412', '"2" 412', '"3" 200']);
    },
  );

  test.each(['', 'W/'])('is sent without a version if the refusal has none, or has a weak one (%s)', async (mark) => {
    const { outbox, server } = await editedOffline();
    server.isOnline = true;
    server.mark = mark;
    server.isTelling = mark !== '';
    outbox.retry();
    await settle();
    outbox.retry(outbox.entries()[0]?.id);
    await settle();
    expect(server.requests).toEqual(['"1" 412', 'any 200']);
  });

  test('is sent with a weak version if the former one was weak', async () => {
    const server = new TagServer();
    server.mark = 'W/';
    const { outbox } = await editedOffline({ server, ifMatch: 'weak', onConflict: () => 'mine' });
    server.isTelling = true;
    server.isOnline = true;
    outbox.retry();
    await settle();
    expect(server.requests).toEqual(['W/"1" 412', 'W/"2" 200']);
  });
});
