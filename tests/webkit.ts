import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { asJson, type OtherBrowser, type OtherPage } from './other-browser.ts';

/** The driver of WebKitGTK, which has the engine of Safari. */
export const webkitDriver: string = process.env['WEBKIT_DRIVER'] ?? '/usr/bin/WebKitWebDriver';

/** Starts a WebKitGTK without a profile, on a screen of its own. It is driven by the classic WebDriver. */
export async function startWebKit(): Promise<OtherBrowser> {
  const screen = spawn('/usr/bin/Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [display] = (await once(screen.stdout, 'data')) as [Buffer];
  const port = await freePort();
  const env = { ...process.env, DISPLAY: `:${display.toString().trim()}`, GDK_BACKEND: 'x11' };
  const driver = spawn(webkitDriver, ['-p', String(port)], { env, detached: true, stdio: 'ignore' });
  const browser = new WebKit([driver, screen], `http://127.0.0.1:${port}`);
  await browser.begin();
  return browser;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

class WebKit implements OtherBrowser {
  readonly #processes: readonly ChildProcess[];
  readonly #driver: string;
  #session = '';
  /** The command that was sent last. A driver has one current tab, so commands for several tabs must not overlap. */
  #last: Promise<unknown> = Promise.resolve();
  #isFirst = true;

  constructor(processes: readonly ChildProcess[], driver: string) {
    this.#processes = processes;
    this.#driver = driver;
  }

  async begin(): Promise<void> {
    while (!(await this.#isReady())) await pause(50); // oxlint-disable-line no-await-in-loop -- until it is ready
    // A command that hangs fails before the test does, and its error names it.
    const timeouts = { script: 60_000, pageLoad: 60_000 };
    const capabilities = { alwaysMatch: { timeouts } };
    const { sessionId } = (await this.#send('POST', '/session', { capabilities })) as { sessionId: string };
    this.#session = `/session/${sessionId}`;
  }

  #isReady(): Promise<boolean> {
    return this.#send('GET', '/status').then(
      () => true,
      () => false,
    );
  }

  async #send(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(this.#driver + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await answer.json()) as { readonly value: unknown };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  }

  /** Sends a command to a tab. */
  command(tab: string, path: string, body: object = {}): Promise<unknown> {
    const sent = this.#last.then(async () => {
      await this.#send('POST', `${this.#session}/window`, { handle: tab });
      return this.#send('POST', this.#session + path, body);
    });
    this.#last = sent.catch(() => {});
    return sent;
  }

  async open(url: string): Promise<OtherPage> {
    const page = new WebKitPage(this, await this.#tab());
    await page.goTo(url);
    return page;
  }

  /** The browser starts with a tab. */
  async #tab(): Promise<string> {
    if (!this.#isFirst) {
      const { handle } = (await this.#send('POST', `${this.#session}/window/new`, { type: 'tab' })) as {
        handle: string;
      };
      return handle;
    }
    this.#isFirst = false;
    return (await this.#send('GET', `${this.#session}/window`)) as string;
  }

  async kill(): Promise<void> {
    await this.#send('DELETE', this.#session);
    const over = this.#processes.map((one) => once(one, 'exit'));
    for (const one of this.#processes) one.kill('SIGKILL');
    await Promise.all(over);
  }
}

class WebKitPage implements OtherPage {
  readonly #browser: WebKit;
  readonly #tab: string;

  constructor(browser: WebKit, tab: string) {
    this.#browser = browser;
    this.#tab = tab;
  }

  async run(code: string): Promise<unknown> {
    const script = `${asJson(code)}.then(arguments[0], (error) => arguments[0](JSON.stringify({ thrown: String(error) })))`;
    const value: unknown = JSON.parse(
      String(await this.#browser.command(this.#tab, '/execute/async', { script, args: [] })),
    );
    const { thrown } = Object(value) as { readonly thrown?: string };
    if (thrown !== undefined) throw new Error(`${code}: ${thrown}`);
    return value;
  }

  async goTo(url: string): Promise<void> {
    await this.#browser.command(this.#tab, '/url', { url });
  }

  async goBack(): Promise<void> {
    await this.#browser.command(this.#tab, '/back');
  }
}
