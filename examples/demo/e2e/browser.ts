import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { sharedBrowser } from '../../../tests/chromium.ts';
import { type Api, startApi } from '../api/start-api.ts';
import { DATA } from './data.ts';

/** The demo in a browser, with a fresh page for each test. The test fails if the page reports an error. */
export interface Visitor {
  readonly url: string;
  readonly page: Page;
}

/** Starts the whole demo for a test file: an API on an embedded Postgres, and a browser context of its own. The page is set before each test. */
export function visitor(): Visitor {
  const own: { api?: Api; context?: BrowserContext; first?: Page; page?: Page } = {};
  let faults: string[] = [];
  beforeAll(async () => {
    own.api = await startApi({ ...DATA, site: inject('site') });
    own.context = await (await sharedBrowser()).newContext({ viewport: { width: 1440, height: 900 } });
    // This page stays open, so that the browser process does not end.
    own.first = await own.context.newPage();
    await own.first.goto(`${own.api.url}/api/posts`);
  });
  afterAll(async () => {
    await own.context?.close();
    await own.api?.close();
  });
  beforeEach(async () => {
    own.page = await present(own.context).newPage();
    faults = [];
    own.page.on('pageerror', (error) => faults.push(error.message));
  });
  afterEach(async () => {
    await own.page?.close();
    await clear(present(own.first), present(own.api).url);
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

/** Removes all data of a site from the browser. */
async function clear(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The demo has not been started.');
  return value;
}
