import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type DemoServer, startDemo } from './demo-server.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The demo in a browser, with a fresh page for each test. The test fails if the page reports an error. */
export interface Visitor {
  readonly url: string;
  readonly page: Page;
  readonly browser: Browser;
}

/** Starts the demo and a browser for a test file. The members of the result are set before each test. */
export function visitor(options: BrowserContextOptions = {}): Visitor {
  const own: { demo?: DemoServer; browser?: Browser; page?: Page } = {};
  let faults: string[] = [];
  beforeAll(async () => {
    own.demo = await startDemo();
    own.browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ARGS });
  }, 120_000);
  afterAll(async () => {
    await own.browser?.close();
    await own.demo?.close();
  });
  beforeEach(async () => {
    own.page = await present(own.browser).newPage({ viewport: { width: 1440, height: 900 }, ...options });
    faults = [];
    own.page.on('pageerror', (error) => faults.push(error.message));
  });
  afterEach(async () => {
    await own.page?.close();
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  return {
    get url() {
      return present(own.demo).url;
    },
    get page() {
      return present(own.page);
    },
    get browser() {
      return present(own.browser);
    },
  };
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The demo has not been started.');
  return value;
}
