import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { OtherBrowser, OtherPage } from '../other-browser.ts';
import { servePage } from './page-server.ts';
import type { TabState } from './real-tabs-judge.ts';
import { TaskServer } from './server.ts';

/** Serves the page of tasks, with its API, to a browser other than Chromium. */
export class TaskPages {
  readonly tasks = new TaskServer('R');
  takesEdits = true;
  /** How many of the next answers are cut off: compressed, and of another length than their header says. */
  cuts = 0;
  /** The bodies of the edits that were taken. */
  readonly taken: string[] = [];
  address = '';

  async begin(): Promise<void> {
    const server = await servePage('tests/offline/tabs-page.ts', (...exchange) => void this.#answer(...exchange));
    this.address = server.address;
    onTestFinished(() => server.close());
  }

  async open(browser: OtherBrowser, name: string): Promise<OtherPage> {
    const page = await browser.open(`${this.address}#${name}`);
    await page.run('open()');
    return page;
  }

  /** Waits until a page shows the tasks of the server, and no edit is waiting. */
  async settled(page: OtherPage): Promise<void> {
    const tasks = (): readonly string[] => this.tasks.tasks.map(({ id, title }) => `${id} ${title}`);
    const isSettled = ({ shown, waiting }: TabState): boolean =>
      waiting.length === 0 && String(shown) === String(tasks());
    await until(
      async () => isSettled(await look(page)),
      async () => ({ page: await look(page), server: tasks() }),
    );
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request) body += String(piece);
    const { headers, method = 'GET', url = '' } = request;
    if (method !== 'GET' && !this.takesEdits) return void response.destroy();
    if (method !== 'GET') this.taken.push(body);
    const key = String(headers['idempotency-key'] ?? '');
    const given = this.tasks.answer(url, { method, headers: { 'idempotency-key': key }, ...(body && { body }) });
    const fields = { 'content-type': 'application/json' };
    const text = await given.text();
    if (method === 'GET' || this.cuts === 0) return void response.writeHead(given.status, fields).end(text);
    this.cuts--;
    const noise = Array.from({ length: 2000 }, () => Math.random().toString(36));
    const whole = gzipSync(JSON.stringify({ noise, ...(JSON.parse(text) as object) }));
    response.writeHead(given.status, { ...fields, 'content-encoding': 'gzip', 'content-length': whole.length });
    response.write(whole.subarray(0, whole.length / 2), () => request.socket.end());
  }
}

/** After how many milliseconds a wait fails. */
const PATIENCE = 120_000;

/** Waits until something is true. `what` returns what the error tells if it never is. */
export async function until(
  isTrue: () => Promise<boolean>,
  what: () => Promise<unknown> = async () => String(isTrue),
): Promise<void> {
  const end = Date.now() + PATIENCE;
  // oxlint-disable no-await-in-loop -- one look after another
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`This did not happen: ${JSON.stringify(await what())}`);
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  // oxlint-enable no-await-in-loop
}

export async function look(page: OtherPage): Promise<TabState> {
  return (await page.run('look()')) as TabState;
}

/** Changes a task, or creates one. Returns whether the edit is saved. */
export function edit(page: OtherPage, ...args: readonly string[]): Promise<unknown> {
  return page.run(`edit(${args.map((text) => JSON.stringify(text)).join()})`);
}
