import { expect, onTestFinished, test } from 'vitest';
import { All, Controller, Entity, resource, Store } from 'rejoin';
import { type OutboxBrowser, OutboxManager } from 'rejoin/outbox';
import { memoryStorage, PersistManager } from 'rejoin/persist';
import type { Platform } from '../../src/std/platform.ts';
import { turns } from '../persist/turns.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { ignore, settle } from './app.ts';
import { Server } from './server.ts';

class Article extends Entity {
  slug = '';
  title = '';
  body = '';
  static override key = 'OutboxArticle';
  override pk(): string {
    return this.slug;
  }
}
const old = { slug: 'old', title: 'Old', body: '' };

/** An application that can be killed and started again, and a server that makes the slug of an article of its title. */
function application() {
  const storage = memoryStorage();
  const { platform: base } = new Server();
  const article = { ...old };
  const requests: string[] = [];
  /** How many more requests arrive before the network is lost. */
  const network = { left: 0 };
  const platform: Platform = {
    ...base,
    fetch: async (url, { method = '', body }) => {
      await new Promise(setImmediate);
      if (network.left-- <= 0) throw new TypeError('Failed to fetch');
      const { pathname } = new URL(url);
      requests.push(`${method} ${pathname}`);
      const status = pathname === `/articles/${article.slug}` ? 200 : 404;
      if (status === 200) Object.assign(article, JSON.parse(String(body)));
      article.slug = article.title.toLowerCase();
      return new Response(JSON.stringify(article), { status, headers: { 'content-type': 'application/json' } });
    },
  };
  const shared = { urlPrefix: 'https://api.test', platform, optimistic: true, offline: true } as const;
  const articles = resource({ ...shared, path: '/articles/:slug', schema: Article });
  const start = async (browser?: OutboxBrowser) => {
    const persist = new PersistManager({ name: 'app', storage, platform: turns });
    const outbox = new OutboxManager({
      name: 'app',
      endpoints: [articles],
      storage,
      platform,
      ...(browser && { browser }),
    });
    const controller = new Controller({ store: new Store(), managers: [persist, outbox] });
    onTestFinished(() => controller.dispose());
    await controller.ready;
    const edit = (change: Partial<typeof old>): void =>
      void controller.fetch(articles.partialUpdate, { slug: 'old' }, change).catch(ignore);
    const shown = () => controller.get(new All(Article))?.map(({ slug, title, body }) => ({ slug, title, body }));
    const kill = async (): Promise<void> => {
      await persist.flush();
      await outbox.flush();
      controller.dispose();
    };
    const send = async (): Promise<void> => {
      outbox.retry();
      await settle();
    };
    return { controller, edit, kill, outbox, send, shown };
  };
  return { articles, network, requests, start };
}

test.each([0, 1, 2, 3])(
  'edits that wait are sent to the address that an earlier one has given their record, if the application is started again after %s requests',
  async (count) => {
    const { articles, network, requests, start } = application();
    const first = await start();
    await first.controller.setResponse(articles.getList, [old]);
    first.edit({ title: 'New' });
    first.edit({ body: 'mine' });
    first.edit({ title: 'Newer' });
    await settle();
    network.left = count;
    await first.send();
    const before = first.shown();
    expect(before).toMatchObject([{ title: 'Newer', body: 'mine' }]);
    await first.kill();
    const second = await start();
    expect(second.shown()).toEqual(before);
    network.left = 9;
    await second.send();
    expect(requests).toEqual(['PATCH /articles/old', 'PATCH /articles/new', 'PATCH /articles/new']);
    expect(second.shown()).toEqual([{ slug: 'newer', title: 'Newer', body: 'mine' }]);
    expect(second.outbox.entries()).toEqual([]);
  },
);

/** Two tabs. Each has two edits of one record: those of the title change its slug. */
async function twoTabs() {
  const { articles, network, requests, start } = application();
  const fake = new FakeBrowser();
  const browser = fake.tab();
  const [one, other] = [await start(fake.tab()), await start(browser)];
  for (const { controller } of [one, other]) await controller.setResponse(articles.getList, [old]); // oxlint-disable-line no-await-in-loop -- one tab after another
  const edits = [
    [one, { title: 'New' }],
    [other, { body: 'mine' }],
    [one, { title: 'Newer' }],
    [other, { body: 'last' }],
  ] as const;
  for (const [tab, change] of edits) {
    tab.edit(change);
    await settle(); // oxlint-disable-line no-await-in-loop -- one edit after another
  }
  return { browser, fake, network, one, other, requests, start };
}

const sent = ['PATCH /articles/old', 'PATCH /articles/new', 'PATCH /articles/new', 'PATCH /articles/newer'];

test('edits that wait in another tab are sent to the address that an edit of this tab has given their record', async () => {
  const { network, one, other, requests } = await twoTabs();
  network.left = 9;
  await one.send();
  await other.send();
  await settle(300);
  expect(requests).toEqual(sent);
  expect([one.outbox.entries(), other.outbox.entries()]).toEqual([[], []]);
});

test.each([1, 2, 3])(
  'edits of a tab that was closed are sent to the present address of their record, if the application is started again after %s requests',
  async (count) => {
    const { browser, fake, network, one, other, requests, start } = await twoTabs();
    network.left = count;
    await one.send();
    await settle(300);
    browser.close();
    await other.kill();
    await one.kill();
    const last = await start(fake.tab());
    network.left = 9;
    await last.send();
    await settle(300);
    expect(requests).toEqual(sent);
    expect(last.outbox.entries()).toEqual([]);
  },
);
