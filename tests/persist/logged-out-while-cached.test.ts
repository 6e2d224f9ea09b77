import { expect, onTestFinished, test } from 'vitest';
import { actionTypes, All, Controller, type Manager, Store } from 'rejoin';
import { memoryStorage, PersistManager } from 'rejoin/persist';
import { TabsManager } from 'rejoin/tabs';
import { Todo } from '../model.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { stubPage } from './local-storage.ts';
import { turns } from './turns.ts';

async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- one turn after another
}

/** A browser whose pages share a disk. */
function browser(user?: string) {
  const [fake, page, storage] = [new FakeBrowser(), stubPage(), memoryStorage()];
  const named = { name: 'app', ...(user !== undefined && { user }) };
  const open = async (hasTabs: 'no tabs' | 'tabs first' | 'tabs last' = 'no tabs') => {
    const tab = fake.tab();
    page.target = tab.page;
    const persist = new PersistManager({ ...named, storage, platform: turns });
    const tabs = new TabsManager({ ...named, browser: tab, platform: fake.platform });
    const resets: unknown[] = [];
    const recorder: Manager = {
      middleware: () => (next) => (action) => {
        if (action.type === actionTypes.RESET) resets.push(action);
        return next(action);
      },
      cleanup: () => {},
    };
    const managers = { 'no tabs': [persist], 'tabs first': [tabs, persist], 'tabs last': [persist, tabs] };
    const store = new Store();
    const controller = new Controller({ store, managers: [recorder, ...managers[hasTabs]] });
    onTestFinished(() => {
      tab.close();
      controller.dispose();
    });
    await controller.ready;
    const write = async (title: string): Promise<void> => {
      await controller.set(Todo, { id: title }, { id: title, title });
      await persist.flush();
    };
    const titles = (): readonly string[] => (store.get(new All(Todo)) ?? []).map(({ title }) => title);
    return { ...tab, controller, document: tab.document, page: tab.page, resets, titles, write };
  };
  return { open, storage };
}

const kinds = ['no tabs', 'tabs first', 'tabs last'] as const;

test.each(kinds.flatMap((kind) => ['Ada', undefined].map((user) => [kind, user] as const)))(
  'a page in the back/forward cache shows nothing of a user who has logged out on a later page: %s, user %s',
  async (kind, user) => {
    const { open } = browser(user);
    const former = await open(kind);
    await former.write('of the former user');
    former.leave();
    const later = await open(kind);
    expect(later.titles()).toEqual(['of the former user']);
    await later.controller.resetEntireStore();
    await later.write('of the next user');
    later.leave();
    await settle();
    former.goBack();
    expect(former.titles()).toEqual([]);
    await settle();
    former.leave();
    expect((await open(kind)).titles()).toEqual(['of the next user']);
  },
);

test.each(kinds)('a page that goes on keeps its data if the user has not logged out since: %s', async (kind) => {
  const { open } = browser();
  const former = await open(kind);
  await former.controller.resetEntireStore();
  await former.write('of the next user');
  former.leave();
  const later = await open(kind);
  later.leave();
  await settle();
  former.goBack();
  await settle();
  expect([former.titles(), former.resets.length, later.resets.length]).toEqual([['of the next user'], 1, 0]);
});

test.each(['tabs first', 'tabs last'] as const)(
  'with a TabsManager, one logout resets each page that is open once, also when it goes on later: %s',
  async (kind) => {
    const { open } = browser();
    const [one, other] = [await open(kind), await open(kind)];
    await settle();
    await one.controller.resetEntireStore();
    await settle();
    await other.write('of the next user');
    for (const { document } of [one, other]) document.dispatchEvent(new Event('resume'));
    for (const { page } of [one, other]) page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await settle();
    expect([one.resets.length, other.resets.length, other.titles()]).toEqual([1, 1, ['of the next user']]);
  },
);

test('a replaced state, as in the developer tools, logs no page out', async () => {
  const { open } = browser();
  const former = await open();
  await former.write('of a user');
  former.leave();
  const later = await open();
  await later.controller.dispatch({ type: actionTypes.RESET, fill: () => {} });
  later.leave();
  former.goBack();
  expect(former.titles()).toEqual(['of a user']);
});
