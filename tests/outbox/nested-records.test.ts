import { expect, onTestFinished, test } from 'vitest';
import { Controller, resource, Store } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { memoryStorage, PersistManager } from 'rejoin/persist';
import { Post, User } from '../model.ts';
import { turns } from '../persist/turns.ts';
import { ignore, settle } from './app.ts';
import { Server } from './server.ts';

/** An application with posts and their authors that can be killed and started again. */
function application() {
  const [server, storage] = [new Server(), memoryStorage()];
  server.isOnline = false;
  const shared = { urlPrefix: 'https://api.test', platform: server.platform, optimistic: true, offline: true } as const;
  const posts = resource({ ...shared, path: '/posts/:id', schema: Post });
  const start = async () => {
    const persist = new PersistManager({ name: 'app', storage, platform: turns });
    const outbox = new OutboxManager({ name: 'app', endpoints: [posts], storage, platform: server.platform });
    const controller = new Controller({ store: new Store(), managers: [persist, outbox] });
    onTestFinished(() => controller.dispose());
    await controller.ready;
    const name = (): string | undefined => controller.get(User, { id: 'u' })?.name;
    const hear = (heard: string): Promise<void> => controller.set(User, { id: 'u' }, { id: 'u', name: heard });
    const kill = async (): Promise<void> => {
      await persist.flush();
      await outbox.flush();
      controller.dispose();
    };
    return { controller, hear, kill, name, outbox };
  };
  return { posts, server, start };
}

/** Ann is shown, and an edit that waits contains her with a name. Another name comes from the server before the application is killed. */
async function killed(sent: string, heard: string) {
  const { posts, server, start } = application();
  const { controller, hear, kill, name } = await start();
  await controller.setResponse(posts.getList, [{ id: '1', title: 'first', author: { id: 'u', name: 'Ann' } }]);
  controller.fetch(posts.getList.push, { title: 'second', author: { id: 'u', name: sent } }).catch(ignore);
  await hear(heard);
  const shown = name();
  await kill();
  return { ...(await start()), posts, server, shown };
}

test('a record that a waiting edit contains only to refer to it shows its changes, before and after a restart', async () => {
  const { hear, name, outbox, server, shown } = await killed('Ann', 'Anne');
  expect([shown, name()]).toEqual(['Anne', 'Anne']);
  await hear('Anna');
  expect(name()).toBe('Anna');
  server.troubles.push({ status: 201, body: { id: '9', title: 'second' } });
  server.isOnline = true;
  outbox.retry();
  await settle();
  expect([name(), outbox.entries()]).toEqual(['Anna', []]);
});

test('a record that a waiting edit changes shows the edit after a restart, also if the server had the same value in the meantime', async () => {
  const { hear, name, shown } = await killed('Annie', 'Annie');
  expect([shown, name()]).toEqual(['Annie', 'Annie']);
  await hear('Bea');
  expect(name()).toBe('Annie');
});

test('an edit that is sent again still knows the changes since it was made, unless its arguments are others', async () => {
  const { posts, server, start } = application();
  const { controller, hear, name, outbox } = await start();
  await controller.setResponse(posts.getList, [{ id: '1', title: 'first', author: { id: 'u', name: 'Ann' } }]);
  server.isOnline = true;
  server.troubles.push(422, 422);
  controller.fetch(posts.getList.push, { title: 'second', author: { id: 'u', name: 'Ann' } }).catch(ignore);
  await settle();
  const [{ id, state } = { id: '', state: '' }] = outbox.entries();
  expect(state).toBe('stopped');
  await hear('Anne');
  outbox.retry(id);
  expect(name()).toBe('Anne');
  await settle();
  server.isOnline = false;
  outbox.edit(id, { title: 'second', author: { id: 'u', name: 'Annie' } });
  expect(name()).toBe('Annie');
});
