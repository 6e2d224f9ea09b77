import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';
import { Worker } from 'node:worker_threads';
import {
  Controller,
  Entity,
  NetworkManager,
  platform as world,
  type Platform,
  resource,
  SubscriptionManager,
} from '../../../src/index.ts';

class Letter extends Entity {
  id = '';
  text = '';
  static override key = 'Letter';
}

/**
 * A server in a process of its own, so that its data is not in the memory that is searched. Every text that it sends
 * contains the secret of the user of the request. Only the server knows the secrets.
 */
const SERVER = `
  const { parentPort } = require('node:worker_threads');
  const { randomBytes } = require('node:crypto');
  const secrets = new Map();
  const secretOf = (user) => secrets.get(user) ?? secrets.set(user, randomBytes(16).toString('hex')).get(user);
  const held = [];
  parentPort.on('message', ({ nth, user, method, path, say }) => {
    if (say !== undefined) return parentPort.postMessage({ nth, text: secretOf(say) });
    const text = (id) => ({ id, text: secretOf(user) + ' of ' + id });
    const send = () => {
      const list = path.endsWith('/letters');
      const body = list && method === 'GET' ? ['1', '2', '3'].map(text) : text(path.split('/').pop());
      const status = path.endsWith('/lost') ? 404 : 200;
      parentPort.postMessage({ nth, status, text: JSON.stringify(status === 404 ? { title: secretOf(user) } : body) });
    };
    if (path.endsWith('/slow')) held.push(send);
    else send();
    if (user === 'second') for (const late of held.splice(0)) late();
  });
`;

interface Said {
  readonly nth: number;
  readonly status?: number;
  readonly text: string;
}

class Remote {
  readonly #worker = new Worker(SERVER, { eval: true });
  readonly #asked = new Map<number, (said: Said) => void>();
  #nth = 0;
  user = 'first';

  constructor() {
    this.#worker.on('message', (said: Said) => {
      this.#asked.get(said.nth)?.(said);
      this.#asked.delete(said.nth);
    });
  }

  #ask(message: object): Promise<Said> {
    return new Promise((resolve) => {
      this.#asked.set(++this.#nth, resolve);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      this.#worker.postMessage({ nth: this.#nth, ...message });
    });
  }

  readonly platform: Platform = {
    ...world,
    fetch: async (url, { method = 'GET' }) => {
      const { status = 200, text } = await this.#ask({ user: this.user, method, path: new URL(url).pathname });
      const type = status === 404 ? 'application/problem+json' : 'application/json';
      return new Response(text, { status, headers: { 'content-type': type } });
    },
  };

  async secretOf(user: string): Promise<string> {
    return (await this.#ask({ say: user })).text;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The numbers of copies in memory of the secret of the former user, and of the secret of the new user. */
export async function secretsInMemory(gc: () => void): Promise<{ readonly left: number; readonly came: number }> {
  const remote = new Remote();
  const controller = new Controller({ managers: [new NetworkManager(), new SubscriptionManager()] });
  const folder = mkdtempSync(join(tmpdir(), 'rejoin-heap-'));
  try {
    const stop = await firstUser(controller, remote);
    await controller.resetEntireStore();
    stop();
    const stay = await secondUser(controller, remote);
    for (let times = 0; times < 5; times++) {
      // oxlint-disable-next-line no-await-in-loop -- what is dropped in one turn is collected in the next
      await wait(5);
      gc();
    }
    const file = writeHeapSnapshot(join(folder, 'memory.heapsnapshot'));
    const counts = await count(file, [await remote.secretOf('first'), await remote.secretOf('second')]);
    stay();
    return { left: counts[0] ?? 0, came: counts[1] ?? 0 };
  } finally {
    controller.dispose();
    await remote.end();
    rmSync(folder, { recursive: true });
  }
}

function lettersOf(remote: Remote) {
  return resource({
    urlPrefix: 'https://api.test',
    path: '/letters/:id',
    schema: Letter,
    optimistic: true,
    platform: remote.platform,
  });
}

/** Uses all features of an application. Some requests are still in flight when the user leaves. */
async function firstUser(controller: Controller, remote: Remote): Promise<() => void> {
  const letters = lettersOf(remote);
  const stops = [
    controller.watch(letters.getList, () => {}),
    controller.watch(letters.get, { id: '1' }, () => {}),
    controller.watch(Letter, { id: '2' }, () => {}),
  ];
  await controller.fetch(letters.getList);
  await controller.fetch(letters.get, { id: '9' });
  await controller.fetch(letters.get, { id: 'lost' }).catch(() => {});
  await controller.fetch(letters.partialUpdate, { id: '3' }, { text: 'x' });
  const snapshot = controller.snapshot();
  snapshot.get(Letter, { id: '1' });
  await controller.subscribe(letters.getList.extend({ pollFrequency: 60_000 }));
  controller.get(letters.getList.schema);
  const slow = { id: 'slow' };
  controller.fetch(letters.get, slow).catch(() => {});
  controller.fetch(letters.partialUpdate, slow, { text: 'y' }).catch(() => {});
  controller.fetch(letters.delete, { id: '1' }).catch(() => {});
  return () => {
    for (const stop of stops) stop();
    void controller.unsubscribe(letters.getList.extend({ pollFrequency: 60_000 }));
  };
}

async function secondUser(controller: Controller, remote: Remote): Promise<() => void> {
  remote.user = 'second';
  const letters = lettersOf(remote);
  await controller.fetch(letters.getList);
  return controller.watch(letters.getList, () => {});
}

async function count(file: string, texts: readonly string[]): Promise<readonly number[]> {
  const counts = texts.map(() => 0);
  let rest = '';
  for await (const piece of createReadStream(file, { encoding: 'latin1' })) {
    const text = rest + (piece as string);
    for (const [at, one] of texts.entries()) counts[at] = (counts[at] ?? 0) + text.split(one).length - 1;
    // A secret may be split between two chunks.
    rest = text.slice(-31);
  }
  return counts;
}
