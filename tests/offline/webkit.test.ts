import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startWebKit, webkitDriver } from '../webkit.ts';
import { edit, look, TaskPages, until } from './task-pages.ts';

/** In CI a missing WebKit is a failure. */
const isThere = existsSync(webkitDriver) || process.env['CI'] !== undefined;

test.runIf(isThere)(
  'in WebKit, a page that comes back from the back/forward cache shares data again, and each edit has one effect',
  async () => {
    const pages = new TaskPages();
    await pages.begin();
    const webkit = await startWebKit();
    onTestFinished(() => webkit.kill());
    const [one, other] = [await pages.open(webkit, 'one'), await pages.open(webkit, 'other')];
    expect(await edit(one, 'c')).toBe(true);
    for (const page of [one, other]) await pages.settled(page); // oxlint-disable-line no-await-in-loop -- one after another

    pages.takesEdits = false;
    expect([await edit(one, 'd'), await edit(other, 'e')]).toEqual([true, true]);
    await until(async () => (await look(other)).waiting.length === 2);
    await one.run('globalThis.isSamePage = true');
    await one.goTo(`${pages.address}away`);
    expect(await edit(other, 'f', 'R-1')).toBe(true);
    pages.takesEdits = true;
    await other.run('retry([])');
    await pages.settled(other);

    await one.goBack();
    await pages.settled(one);
    expect(await one.run('globalThis.isSamePage')).toBe(true);
    expect(await edit(one, 'g')).toBe(true);
    for (const page of [one, other]) await pages.settled(page); // oxlint-disable-line no-await-in-loop -- one after another
    expect(pages.tasks.effects.toSorted()).toEqual(['c', 'd', 'e', 'f', 'g']);
  },
);
