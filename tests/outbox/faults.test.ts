import { describe, expect, test } from 'vitest';
import { memoryStorage } from 'rejoin/persist';
import { type Fault, FaultyStorage } from '../persist/storage.ts';
import { begin, ignore, kill, settle, start } from './app.ts';
import { Server } from './server.ts';

const faults: readonly Fault[] = ['throws', 'rejects', 'is full', 'is cut off', 'closes', 'hangs'];

describe('a storage that fails', () => {
  test.each(faults)('at any one operation (%s) loses no edit that the server has not answered', async (fault) => {
    for (let at = 1; at <= 12; at++) {
      const inner = memoryStorage();
      const server = new Server();
      const app = begin({ server, storage: new FaultyStorage(inner, fault, at) });
      const { controller, outbox, todos } = app;
      await controller.ready; // oxlint-disable-line no-await-in-loop -- one storage after another
      server.isOnline = false;
      controller.fetch(todos.create, { title: 'a' }).catch(ignore);
      controller.fetch(todos.create, { title: 'b' }).catch(ignore);
      await settle(20); // oxlint-disable-line no-await-in-loop
      const areKept = outbox.entries().map(({ isKept }) => isKept);
      kill(app);
      server.isOnline = true;
      const { outbox: next } = await start({ server, storage: inner }); // oxlint-disable-line no-await-in-loop
      await settle(); // oxlint-disable-line no-await-in-loop
      expect(next.entries()).toEqual([]);
      const titles = server.effects.map(({ body }) => body['title']);
      for (const [nth, isKept] of areKept.entries())
        if (isKept) expect(titles.filter((title) => title === 'ab'[nth])).toHaveLength(1);
    }
  });

  test.each(faults)('for ever (%s) stops nothing, and is reported', async (fault) => {
    const { controller, events, outbox, todos } = await start({
      storage: new FaultyStorage(memoryStorage(), fault, 1, true),
    });
    const answer = controller.fetch(todos.create, { title: 'a' });
    await expect(answer).resolves.toMatchObject({ title: 'a' });
    expect(events.length).toBeGreaterThan(0);
    expect(await outbox.flush()).toBe(false);
  });
});

describe('entries that cannot be read', () => {
  test.each([
    '',
    '{}',
    '[]',
    'null',
    '{"format":"rejoin-outbox","version":2}',
    '{"format":"rejoin-outbox","version":1}',
  ])('%s: are reported, and the others are sent', async (text) => {
    const first = await start();
    const { server, storage } = first;
    server.isOnline = false;
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    await first.outbox.flush();
    kill(first);
    await (await storage.open('app outbox')).write(new Map([['entry broken', text]]));
    server.isOnline = true;
    const { events, outbox } = await start({ server, storage });
    await settle();
    expect(outbox.entries()).toEqual([]);
    expect(server.effects).toHaveLength(1);
    expect(events).toMatchObject([
      { type: 'dropped', entries: 1 },
      { type: 'restored', entries: 1 },
    ]);
  });
});
