import { describe, expect, onTestFinished, test } from 'vitest';
import type { ClaimLocks } from 'rejoin/outbox';
import { memoryStorage } from 'rejoin/persist';
import { type App, ignore, kill as end, settle, start } from './app.ts';
import { Server } from './server.ts';

interface WaitingLock {
  readonly tab: number;
  readonly name: string;
  readonly begin: () => void;
}

/** The locks of a browser. A tab that is killed lets go of its locks, and of its place in the queues. */
class BrowserLocks {
  readonly #held = new Map<string, number>();
  #waiting: readonly WaitingLock[] = [];
  readonly #dead = new Set<number>();
  #tabs = 0;

  /** Opens a tab. */
  open(): { readonly locks: ClaimLocks; readonly kill: () => void } {
    const tab = ++this.#tabs;
    const locks: ClaimLocks = {
      request: (name, run) =>
        new Promise((resolve, reject) => {
          const begin = (): void => {
            this.#held.set(name, tab);
            const over = (): void => {
              if (this.#held.get(name) === tab) this.#held.delete(name);
              this.#next();
            };
            void run().then(resolve, reject).finally(over);
          };
          this.#waiting = [...this.#waiting, { tab, name, begin }];
          this.#next();
        }),
      query: async () => ({ held: Array.from(this.#held.keys(), (name) => ({ name })) }),
    };
    const kill = (): void => {
      this.#dead.add(tab);
      for (const [name, holder] of this.#held) if (holder === tab) this.#held.delete(name);
      this.#next();
    };
    return { locks, kill };
  }

  #next(): void {
    this.#waiting = this.#waiting.filter(({ tab }) => !this.#dead.has(tab));
    const next = this.#waiting.find(({ name }) => !this.#held.has(name));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    next.begin();
    this.#next();
  }
}

interface Tab extends App {
  /** Ends the tab in the middle of whatever it does: nothing that it sends or writes arrives any more. */
  readonly kill: () => void;
}

/** A browser with a server and a disk that its tabs share. */
function browser() {
  const server = new Server();
  const disk = memoryStorage();
  const locks = new BrowserLocks();
  const open = async (): Promise<Tab> => {
    const { kill: letGo, locks: own } = locks.open();
    let isDead = false;
    const never = new Promise<never>(() => {});
    const alive = <Value>(run: () => Promise<Value>): Promise<Value> => (isDead ? never : run());
    const connection = new Server();
    const { platform } = server;
    Object.assign(connection, {
      platform: { ...platform, fetch: (url: string, init: RequestInit) => alive(() => platform.fetch(url, init)) },
    });
    const storage = {
      open: async (name: string) => {
        const opened = await disk.open(name);
        return {
          ...opened,
          write: (changes: ReadonlyMap<string, string | undefined>) => alive(() => opened.write(changes)),
        };
      },
    };
    const app = await start({ server: connection, platform: connection.platform, storage, locks: own });
    const kill = (): void => {
      isDead = true;
      letGo();
      end(app);
    };
    onTestFinished(kill);
    return { ...app, kill };
  };
  return { disk, open, server };
}

const titles = (server: Server): string[] => server.effects.map(({ body }) => String(body['title']));

describe('several tabs', () => {
  test('leave the edits of a tab that is open to it', async () => {
    const { open, server } = browser();
    const first = await open();
    server.isOnline = false;
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    await first.outbox.flush();
    const second = await open();
    expect(second.outbox.entries()).toEqual([]);
    server.isOnline = true;
    await settle();
    expect(first.outbox.entries()).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('send the edits of one that was killed: the next that starts, and it alone', async () => {
    const { open, server } = browser();
    const first = await open();
    server.isOnline = false;
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    await first.outbox.flush();
    first.kill();
    const [second, third] = await Promise.all([open(), open()]);
    expect(second.outbox.entries().length + third.outbox.entries().length).toBe(1);
    server.isOnline = true;
    await settle();
    expect(server.requests).toHaveLength(1);
    expect(server.effects).toHaveLength(1);
  });

  test('send the edits of one that was killed when they are shown again, without a start', async () => {
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

  test(
    'that are killed at random have each edit carried out once, and those of one record in order',
    { timeout: 120_000 },
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
