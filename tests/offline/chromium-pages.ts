import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { chromiumArgs, desktopChromium } from '../chromium.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly id?: number;
  readonly result?: Fields;
  readonly error?: { readonly message: string };
}

/**
 * A Chromium that is driven without Playwright, which tells each page that it has the focus. A page without the focus can be hidden and
 * frozen, and can go into the back/forward cache.
 */
export class ChromiumPages {
  readonly #profile: string = mkdtempSync(join(tmpdir(), 'rejoin-pages-'));
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;
  #text = '';

  constructor() {
    const flags = [
      '--headless=new',
      '--remote-debugging-pipe',
      '--no-startup-window',
      `--user-data-dir=${this.#profile}`,
    ];
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
    this.#process = spawn(desktopChromium, [...chromiumArgs, ...flags], { detached: true, stdio: [...stdio] });
    (this.#process.stdio[4] as Readable).on('data', (piece: Buffer) => this.#read(piece.toString()));
  }

  #read(piece: string): void {
    const messages = (this.#text + piece).split('\0');
    this.#text = messages.pop() ?? '';
    for (const message of messages) {
      const answer = JSON.parse(message) as Answer;
      this.#waiting.get(answer.id ?? 0)?.(answer);
    }
  }

  async send(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    const id = ++this.#last;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    (this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { error, result = {} } = await answered;
    this.#waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async open(url: string): Promise<ChromiumPage> {
    const { targetId } = await this.send('Target.createTarget', { url });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    return new ChromiumPage(this, String(targetId), String(sessionId));
  }

  /** Stops all processes, as the sleep of a machine does, or lets them go on. */
  sleep(isAsleep: boolean): void {
    process.kill(-(this.#process.pid as number), isAsleep ? 'SIGSTOP' : 'SIGCONT');
  }

  async close(): Promise<void> {
    const over = once(this.#process, 'exit');
    process.kill(-(this.#process.pid as number), 'SIGKILL');
    await over;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

export class ChromiumPage {
  readonly #pages: ChromiumPages;
  readonly #target: string;
  readonly #session: string;

  constructor(pages: ChromiumPages, target: string, session: string) {
    this.#pages = pages;
    this.#target = target;
    this.#session = session;
  }

  /** Runs code in the page, and returns its value. */
  async run(expression: string): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { exceptionDetails, result } = await this.#pages.send('Runtime.evaluate', params, this.#session);
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { readonly value?: unknown }).value;
  }

  /** Shows the page, and hides the others of its window. */
  async show(): Promise<void> {
    await this.#pages.send('Target.activateTarget', { targetId: this.#target });
  }

  /** Stops the tasks of a hidden page, or lets them go on. */
  async freeze(isFrozen: boolean): Promise<void> {
    const state = isFrozen ? 'frozen' : 'active';
    await this.#pages.send('Page.setWebLifecycleState', { state }, this.#session);
  }

  async goTo(url: string): Promise<void> {
    await this.#pages.send('Page.navigate', { url }, this.#session);
  }

  /** Goes to the former page of this tab. */
  async goBack(): Promise<void> {
    const { currentIndex, entries } = await this.#pages.send('Page.getNavigationHistory', {}, this.#session);
    const former = (entries as readonly { readonly id: number }[])[Number(currentIndex) - 1];
    await this.#pages.send('Page.navigateToHistoryEntry', { entryId: former?.id }, this.#session);
  }

  async close(): Promise<void> {
    await this.#pages.send('Target.closeTarget', { targetId: this.#target });
  }
}
