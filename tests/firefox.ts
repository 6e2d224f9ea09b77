import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { asJson, type OtherBrowser, type OtherPage } from './other-browser.ts';

/** The Firefox of the machine. */
export const firefoxPath: string = process.env['FIREFOX'] ?? '/usr/bin/firefox';

/** Its profile stays when it is killed. */
export interface FirefoxBrowser extends OtherBrowser {
  /** The errors that no code of the pages has caught. */
  readonly errors: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly type: 'success' | 'error' | 'event';
  readonly id?: number;
  readonly result?: Fields;
  readonly message?: string;
  readonly params?: { readonly level?: string; readonly type?: string; readonly text?: string };
}

/** Starts a Firefox with a profile folder. It is driven by WebDriver BiDi. */
export async function startFirefox(profile: string): Promise<FirefoxBrowser> {
  const flags = ['-headless', '-no-remote', '-remote-debugging-port=0', '-profile', profile];
  const firefox = spawn(firefoxPath, flags, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const socket = new WebSocket(`${await addressOf(firefox)}/session`);
  await once(socket, 'open');
  const started = new Firefox(firefox, socket);
  await started.send('session.new', { capabilities: {} });
  await started.send('session.subscribe', { events: ['log.entryAdded'] });
  return started;
}

/** Returns the address that a Firefox prints when it is ready. */
function addressOf({ stderr }: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    stderr?.on('data', (text: Buffer) => {
      said += text.toString();
      const found = /WebDriver BiDi listening on (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    stderr?.on('end', () => reject(new Error(`Firefox has ended: ${said}`)));
  });
}

class Firefox implements FirefoxBrowser {
  readonly errors: string[] = [];
  readonly #process: ChildProcess;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;

  constructor(firefox: ChildProcess, socket: WebSocket) {
    this.#process = firefox;
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString()) as Answer));
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const answer of this.#waiting.values()) answer({ type: 'error', message: 'Firefox has ended' });
    });
  }

  #receive(answer: Answer): void {
    const { id = 0, params } = answer;
    if (params?.type === 'javascript' && params.level === 'error') this.errors.push(String(params.text));
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  async send(method: string, params: Fields): Promise<Fields> {
    const id = ++this.#last;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { type, message, result = {} } = await answered;
    if (type === 'error') throw new Error(`${method}: ${message}`);
    return result;
  }

  async open(url: string): Promise<OtherPage> {
    const { context } = await this.send('browsingContext.create', { type: 'tab' });
    const page = new FirefoxPage(this, String(context));
    await page.goTo(url);
    return page;
  }

  async kill(): Promise<void> {
    const over = once(this.#process, 'exit');
    process.kill(-(this.#process.pid as number), 'SIGKILL');
    await over;
    this.#socket.terminate();
  }
}

class FirefoxPage implements OtherPage {
  readonly #firefox: Firefox;
  readonly #context: string;

  constructor(firefox: Firefox, context: string) {
    this.#firefox = firefox;
    this.#context = context;
  }

  async run(code: string): Promise<unknown> {
    const target = { context: this.#context };
    const params = { expression: asJson(code), target, awaitPromise: true };
    const { exceptionDetails, result } = await this.#firefox.send('script.evaluate', params);
    if (exceptionDetails !== undefined)
      throw new Error(`${code}: ${(exceptionDetails as { readonly text: string }).text}`);
    return JSON.parse((result as { readonly value: string }).value);
  }

  async goTo(url: string): Promise<void> {
    await this.#firefox.send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  async goBack(): Promise<void> {
    await this.#firefox.send('browsingContext.traverseHistory', { context: this.#context, delta: -1 });
  }
}
