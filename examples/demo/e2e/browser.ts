import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { sharedBrowser } from '../../../tests/chromium.ts';
import { type Api, startApi } from '../api/start-api.ts';
import { DATA } from './data.ts';

/** The demo in a browser. Each test begins with an empty page. The test fails if the page reports an error. */
export interface Visitor {
  readonly url: string;
  readonly page: Page;
  /** Another object in each test. */
  readonly visit: object;
}

const LARGE = { width: 1440, height: 900 };

/** Starts the whole demo for a test file: an API on an embedded Postgres, and a browser context of its own. The page is set before each test. */
export function visitor(): Visitor {
  const own: { api?: Api; context?: BrowserContext; page?: Page | undefined; visit: object } = { visit: {} };
  let faults: string[] = [];
  beforeAll(async () => {
    own.api = await startApi({ ...DATA, site: inject('site') });
    own.context = await (await sharedBrowser()).newContext({ viewport: LARGE });
  });
  afterAll(async () => {
    await own.context?.close();
    await own.api?.close();
  });
  beforeEach(async () => {
    own.page ??= await present(own.context).newPage();
    own.visit = {};
    faults = [];
    own.page.on('pageerror', (error) => faults.push(error.message));
  });
  afterEach(async ({ task }) => {
    const page = present(own.page);
    if (task.result?.state === 'fail' || page.isClosed()) {
      own.page = undefined;
      await page.close();
    } else await empty(page, present(own.api).url);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  return {
    get url() {
      return present(own.api).url;
    },
    get page() {
      return present(own.page);
    },
    get visit() {
      return own.visit;
    },
  };
}

/**
 * Ends what a page shows and does, and removes all data of its site from the browser. A new page would do the same, but takes most of a second of processor
 * time, as long as many a test.
 */
async function empty(page: Page, origin: string): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${origin}/api/health`);
  page.removeAllListeners();
  await page.evaluate(() => sessionStorage.clear());
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(LARGE);
  await page.mouse.move(0, 0);
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The demo has not been started.');
  return value;
}
