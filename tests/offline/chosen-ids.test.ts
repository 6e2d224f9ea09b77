import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from 'rejoin/persist';
import { FakeBrowser } from '../tabs/browser.ts';
import { type OfflineTab, openTab } from './app.ts';

async function settle(): Promise<void> {
  for (let turn = 0; turn < 150; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- one turn after another
}

test('two tabs create a record with the same id of the application, which was deleted in between: each edit is sent in its order, also if the first create is changed while it waits', async () => {
  const [fake, disk] = [new FakeBrowser(), memoryStorage()];
  let time = 0;
  const timers = { ...fake.platform, now: () => ++time };
  const sent: string[] = [];
  let isUp = false;
  const fetch = async (_url: string, { body, method = 'GET' }: RequestInit): Promise<Response> => {
    if (!isUp) return new Response(null, { status: 503 });
    if (method === 'GET') return Response.json([]);
    sent.push(`${method} ${String(body ?? '')}`);
    return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(JSON.parse(String(body)));
  };
  const open = async (): Promise<OfflineTab> => {
    const tab = openTab(fake, disk, fetch, timers, 'Ada');
    onTestFinished(() => tab.kill());
    await tab.controller.ready;
    return tab;
  };
  const id = 'user-1/likes/post-1';
  const like = async ({ controller, outbox, tasks }: OfflineTab, title: string): Promise<void> => {
    controller.fetch(tasks.create, { id, title }).catch(() => {});
    await outbox.flush();
    await settle();
  };
  const [first, second] = [await open(), await open()];
  await like(first, 'first');
  second.controller.fetch(second.tasks.delete, { id }).catch(() => {});
  await like(second, 'second');
  first.outbox.edit(first.outbox.entries()[0]?.id ?? '', { id, title: 'changed' });
  await settle();
  isUp = true;
  first.outbox.retry();
  await settle();
  expect(sent).toEqual([
    `POST ${JSON.stringify({ id, title: 'changed' })}`,
    'DELETE ',
    `POST ${JSON.stringify({ id, title: 'second' })}`,
  ]);
  expect(second.outbox.entries()).toEqual([]);
});
