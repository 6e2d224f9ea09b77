// Builds and starts the demo for a script: its API on a free port, and Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { run } from './run.mjs';
import { root } from './install.mjs';

const demo = `${root}examples/demo`;

/** Calls `use` with the URL of the demo and a browser. Stops both when `use` has ended. */
export async function withDemo(use) {
  for (const script of ['build:api', 'build:web']) run('npm', ['run', '--silent', script], { cwd: demo });
  const api = spawn(process.execPath, ['build/api/main.mjs', '--memory', '--rows', '2000', '--site', 'build/web'], {
    cwd: demo,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    await use({ url: await addressOf(api), browser });
  } finally {
    await browser.close();
    api.kill('SIGINT');
    await once(api, 'exit');
  }
}

async function addressOf(api) {
  for await (const line of createInterface({ input: api.stdout })) {
    const [, url] = /The demo is at (\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The API of the demo has not said where it is.');
}
