import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright';

/** The Chromium of the machine, as its users have it. */
export const desktopChromium: string = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** The same engine without windows, hidden pages and background sync. It takes a third less processor time. */
const HEADLESS = '/usr/bin/chromium-headless-shell';

/** The Chromium for all tests that need nothing else. */
export const executablePath: string =
  process.env['CHROMIUM'] === undefined && existsSync(HEADLESS) ? HEADLESS : desktopChromium;

/** Options without which Chromium does not run in a container, or sends requests of its own. */
export const chromiumArgs: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let started: Promise<Browser> | undefined;

/**
 * A Chromium for all test files that run in one process, because starting it takes a second of processor time. Each file opens a context of its own, which
 * shares nothing with other contexts, and closes it. Playwright ends the browser with the process.
 */
export function sharedBrowser(): Promise<Browser> {
  // With this option, a page of a site runs in the process of its other pages, which has compiled the code already.
  return (started ??= chromium.launch({ executablePath, args: [...chromiumArgs, '--process-per-site'] }));
}
