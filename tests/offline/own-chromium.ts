import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type BrowserContext, chromium } from 'playwright';
import { executablePath } from '../chromium.ts';

/** Whether a Chromium is installed. */
export const hasChromium: boolean = existsSync(executablePath);

/** A Chromium that its test may kill. */
export interface OwnChromium {
  readonly context: BrowserContext;
  /** Ends all its processes with SIGKILL. */
  kill(): Promise<void>;
}

/** Starts a Chromium with a profile folder. All its processes are in one group. */
export async function launchOwn(profile: string): Promise<OwnChromium> {
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-port=0',
    // The first window may open its tabs and menus while Playwright connects, which then may wait forever.
    '--no-startup-window',
    `--user-data-dir=${profile}`,
  ];
  const browser = spawn(executablePath, flags, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = async (): Promise<void> => {
    const over = once(browser, 'exit');
    process.kill(-(browser.pid as number), 'SIGKILL');
    await over;
  };
  let said = '';
  const address = await new Promise<string>((resolve) => {
    browser.stderr?.on('data', (text: Buffer) => {
      said += text.toString();
      const found = /DevTools listening on (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const connected = await chromium.connectOverCDP(address, { timeout: 120_000 });
  return { context: connected.contexts()[0] ?? (await connected.newContext()), kill };
}
