import { Controller, Entity, getDefaultManagers, resource } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { memoryStorage } from 'rejoin/persist';
import { expect, test } from 'vitest';
import { startApi } from './start-api.ts';

class Post extends Entity {
  id = '';
  title = '';
  authorId = '';
  static override key = 'Post';
}

/** A network that loses every fourth request, and the answer of every fourth. */
function lossyFetch(): { isGood: boolean; fetch(url: string, init: RequestInit): Promise<Response> } {
  let count = 0;
  const network = {
    isGood: false,
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      const kind = network.isGood ? 0 : ++count % 4;
      if (kind === 1) throw new TypeError('fetch failed');
      const response = await fetch(url, init);
      if (kind === 2) throw new TypeError('fetch failed');
      return response;
    },
  };
  return network;
}

// `DATABASE=postgres://…` runs it on a server of PostgreSQL.
test(
  'each edit is carried out once, however many answers are lost and however often the application ends',
  { timeout: 600_000 },
  async () => {
    const api = await startApi({ database: process.env['DATABASE'] ?? 'memory', rows: 400 });
    const network = lossyFetch();
    const platform = {
      fetch: network.fetch,
      now: () => Date.now(),
      setTimeout: (work: () => void, milliseconds: number) => setTimeout(work, milliseconds),
      clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
      // Nothing waits long for its next try.
      random: () => 0,
    };
    const posts = resource({ urlPrefix: `${api.url}/api`, path: '/posts/:id', schema: Post, offline: true, platform });
    const run = `edit ${crypto.randomUUID()}`;
    const storage = memoryStorage();
    const starts = 5;
    const edits = 8;
    for (let start = 0; start <= starts; start++) {
      network.isGood = start === starts;
      const outbox = new OutboxManager({ name: 'app', endpoints: [posts], storage, platform });
      const controller = new Controller({ managers: [outbox, ...getDefaultManagers()] });
      await controller.ready; // oxlint-disable-line no-await-in-loop -- one start after another
      const count = network.isGood ? 0 : edits;
      const made = Array.from({ length: count }, (_, at) =>
        controller.fetch(posts.create, { title: `${run} ${start}.${at}`, authorId: '5' }).catch(() => {}),
      );
      await outbox.flush(); // oxlint-disable-line no-await-in-loop -- one start after another
      // Ends in the middle of the others.
      if (made.length > 0) await Promise.race(made); // oxlint-disable-line no-await-in-loop -- one start after another
      if (network.isGood) await expect.poll(() => outbox.entries()).toEqual([]); // oxlint-disable-line no-await-in-loop -- the last
      controller.dispose();
    }
    const response = await fetch(`${api.url}/api/posts?perPage=100&search=${encodeURIComponent(run)}`);
    const titles = ((await response.json()) as { readonly title: string }[]).map(({ title }) => title);
    expect(titles).toHaveLength(starts * edits);
    expect(new Set(titles).size).toBe(starts * edits);
    await api.close();
  },
);
