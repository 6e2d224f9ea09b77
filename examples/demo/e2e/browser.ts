import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { type Api, startApi } from '../api/start-api.ts';
import { SNAPSHOTS } from '../api/testing.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page in the process of another one has its code compiled.
  '--process-per-site',
];

/** The demo in a browser, with a fresh page for each test. The test fails if the page reports an error. */
export interface Visitor {
  readonly url: string;
  readonly page: Page;
}

/** Starts the whole demo, with an API on an embedded Postgres, and a browser for a test file. The page is set before each test. */
export function visitor(): Visitor {
  const own: { api?: Api; browser?: Browser; context?: BrowserContext; page?: Page } = {};
  let faults: string[] = [];
  beforeAll(async () => {
    own.api = await startApi({ database: 'memory', rows: 400, snapshots: SNAPSHOTS, site: inject('site') });
    own.browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ARGS });
    own.context = await own.browser.newContext({ viewport: { width: 1440, height: 900 } });
    // This page keeps the process.
    await (await own.context.newPage()).goto(`${own.api.url}/api/posts`);
  }, 120_000);
  afterAll(async () => {
    await own.browser?.close();
    await own.api?.close();
  });
  beforeEach(async () => {
    own.page = await present(own.context).newPage();
    faults = [];
    own.page.on('pageerror', (error) => faults.push(error.message));
  });
  afterEach(async () => {
    await clear(present(own.page), present(own.api).url);
    await own.page?.close();
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  return {
    get url() {
      return present(own.api).url;
    },
    get page() {
      return present(own.page);
    },
  };
}

/** Removes all that the browser keeps of a site. */
async function clear(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The demo has not been started.');
  return value;
}
