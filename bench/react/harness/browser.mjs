import { createServer } from 'node:http';
import { chromium } from 'playwright';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--expose-gc',
];
const HTML =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,"><body></body></html>';

/** With these headers a page is isolated, and its clock has a resolution of 5 microseconds instead of 100. */
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cache-Control': 'no-store',
};

/** Starts Chromium, and a server on this machine that serves the scripts of the columns. */
export async function openBrowser(scripts) {
  const server = createServer((request, response) => {
    const script = scripts[decodeURIComponent(request.url.slice(1))];
    response.writeHead(200, { ...ISOLATED, 'Content-Type': script === undefined ? 'text/html' : 'text/javascript' });
    response.end(script ?? HTML);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  return {
    version: browser.version(),
    /** Calls `use` with a fresh page that has the bundle of a column. */
    async inPage(name, use) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      try {
        const page = await context.newPage();
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        await page.addScriptTag({ url: `/${encodeURIComponent(name)}` });
        return await use(page, await context.newCDPSession(page));
      } finally {
        await context.close();
      }
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** Runs one cell. Returns its figures by variant. */
export async function runCell(page, given, limitMs) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer after ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([page.evaluate((each) => globalThis.run(each), given), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the seconds that the main thread of a page has spent on tasks since `begin`, and the seconds that have passed. */
export async function busyWatch(session) {
  await session.send('Performance.enable');
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const figure = (name) => metrics.find((metric) => metric.name === name).value;
    return { busy: figure('TaskDuration'), at: figure('Timestamp') };
  };
  let from;
  return {
    begin: async () => void (from = await read()),
    async share() {
      const to = await read();
      return (to.busy - from.busy) / (to.at - from.at);
    },
  };
}
