import { expect, onTestFinished, test } from 'vitest';
import { All, Controller, Entity, resource, Store } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { memoryStorage, PersistManager } from 'rejoin/persist';
import type { Platform } from '../../src/std/platform.ts';
import { turns } from '../persist/turns.ts';
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
  const start = async () => {
    const persist = new PersistManager({ name: 'app', storage, platform: turns });
    const outbox = new OutboxManager({ name: 'app', endpoints: [articles], storage, platform });
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
