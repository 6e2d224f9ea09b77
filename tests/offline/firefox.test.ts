import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type FirefoxBrowser, firefoxPath, startFirefox } from '../firefox.ts';
import { edit, look, TaskPages, until } from './task-pages.ts';

/** In CI a missing Firefox is a failure. */
const isThere = existsSync(firefoxPath) || process.env['CI'] !== undefined;

test.runIf(isThere)(
  'in Firefox, tabs share their data, and each saved edit has one effect after a kill and after answers that are cut off',
  async () => {
    const pages = new TaskPages();
    await pages.begin();
    const { tasks } = pages;
    const profile = mkdtempSync(join(tmpdir(), 'rejoin-firefox-'));
    let firefox: FirefoxBrowser | undefined = await startFirefox(profile);
    onTestFinished(async () => {
      await firefox?.kill();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    });
    let [one, other] = [await pages.open(firefox, 'one'), await pages.open(firefox, 'other')];
    expect(await edit(one, 'c')).toBe(true);
    for (const page of [one, other]) await pages.settled(page); // oxlint-disable-line no-await-in-loop -- one after another

    pages.takesEdits = false;
    expect([await edit(one, 'd'), await edit(other, 'e'), await edit(other, 'f', 'R-1')]).toEqual([true, true, true]);
    await until(async () => (await look(one)).waiting.length === 3);
    const former = firefox;
    firefox = undefined;
    await former.kill();
    expect(former.errors).toEqual([]);
    firefox = await startFirefox(profile);
    one = await pages.open(firefox, 'one');
    expect((await look(one)).waiting).toHaveLength(3);

    pages.takesEdits = true;
    pages.cuts = 2;
    await one.run('retry([])');
    await pages.settled(one);
    other = await pages.open(firefox, 'other');
    await pages.settled(other);
    expect([...tasks.effects].sort()).toEqual(['c', 'd', 'e', 'f']);
    expect(pages.cuts).toBe(0);
    expect(firefox.errors).toEqual([]);
  },
);
