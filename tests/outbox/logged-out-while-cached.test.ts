import { expect, onTestFinished, test } from 'vitest';
import { Controller, Store } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { memoryStorage } from 'rejoin/persist';
import { TabsManager } from 'rejoin/tabs';
import { Todo } from '../model.ts';
import { stubPage } from '../persist/local-storage.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { ignore, pksOf, resourcesOf, settle } from './app.ts';
import { Server } from './server.ts';

/** A browser whose pages have an outbox, and share a disk and `localStorage`. */
function browser(user?: string) {
  const [fake, server, storage, stubbed] = [new FakeBrowser(), new Server(), memoryStorage(), stubPage()];
  const open = async () => {
    const page = fake.tab();
    stubbed.target = page.page;
    const resources = resourcesOf(server);
    const options = {
      name: 'app',
      browser: page,
      endpoints: Object.values(resources),
      ...(user !== undefined && { user }),
    };
    const outbox = new OutboxManager({ ...options, storage, platform: server.platform });
    const tabs = new TabsManager({ ...options, platform: fake.platform });
    const store = new Store();
    const controller = new Controller({ store, managers: [tabs, outbox] });
    onTestFinished(() => {
      page.close();
      controller.dispose();
    });
    await controller.ready;
    const create = (title: string): void => void controller.fetch(resources.todos.create, { title }).catch(ignore);
    return { page, outbox, controller, create, shown: () => pksOf(store, Todo).length };
  };
  return { open, server };
}

/** Opens a page, makes an edit that cannot be sent, and leaves the page, which the browser keeps in its back/forward cache. */
async function leaveWithEdit({ open, server }: ReturnType<typeof browser>) {
  const page = await open();
  server.isOnline = false;
  page.create('of the former user');
  await page.outbox.flush();
  await settle();
  page.page.leave();
  return page;
}

const titles = (server: Server): unknown[] => server.requests.map(({ body }) => body['title']);

test.each([['Ada'], [undefined]])(
  'a page in the back/forward cache shows and sends nothing of a user who has logged out on a later page: user %s',
  async (user) => {
    const { open, server } = browser(user);
    const former = await leaveWithEdit({ open, server });
    const later = await open();
    await settle();
    await later.controller.resetEntireStore();
    later.page.leave();
    await settle();
    server.isOnline = true;
    former.page.goBack();
    former.outbox.retry();
    expect([former.shown(), former.outbox.entries()]).toEqual([0, []]);
    await settle(200);
    expect([former.shown(), former.outbox.entries(), titles(server)]).toEqual([0, [], []]);
  },
);

test('a page that learns late of a logout deletes no edit of the next user', async () => {
  const { open, server } = browser();
  const former = await leaveWithEdit({ open, server });
  const later = await open();
  await later.controller.resetEntireStore();
  later.create('of the next user');
  await later.outbox.flush();
  await settle();
  later.page.leave();
  former.page.goBack();
  await settle(200);
  former.page.close();
  const last = await open();
  server.isOnline = true;
  last.outbox.retry();
  await settle(200);
  expect(titles(server)).toEqual(['of the next user']);
});
