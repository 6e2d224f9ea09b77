import { Controller, Entity, getDefaultManagers, resource, Store } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { PersistManager } from 'rejoin/persist';
import { TabsManager } from 'rejoin/tabs';
import { platform } from '../../src/std/platform.ts';
import type { TextStorage } from '../../src/std/text-storage.ts';
import type { FakeBrowser } from '../tabs/browser.ts';

class Task extends Entity {
  id = '';
  title = '';
  static override key = 'Task';
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Timers = Pick<typeof platform, 'now' | 'random' | 'setTimeout' | 'clearTimeout'>;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- worked out from the resource
export function tasksFrom(fetch: Fetch, timers: Timers) {
  return resource({
    urlPrefix: 'http://x',
    path: '/tasks/:id',
    schema: Task,
    optimistic: true,
    offline: true,
    platform: { ...platform, ...timers, fetch },
  });
}

/** A tab of an application that has a disk, an outbox, and other tabs. */
export interface OfflineTab {
  readonly user: string;
  /** Whether the user has logged out, here or in another tab. */
  isOut: boolean;
  readonly controller: Controller;
  readonly outbox: OutboxManager;
  readonly persist: PersistManager;
  readonly tabs: TabsManager;
  readonly tasks: ReturnType<typeof tasksFrom>;
  titles(): readonly string[] | undefined;
  /** Ends the process of the tab. Its writes and messages do not arrive any more. */
  kill(): void;
}

/** `onOperation` is called before and after each operation on the disk, and each request. */
export function openTab(
  fake: FakeBrowser,
  disk: TextStorage,
  fetch: Fetch,
  timers: Timers,
  user: string,
  onOperation: () => void = () => {},
): OfflineTab {
  const browser = fake.tab();
  let isDead = false;
  const never = new Promise<never>(() => {});
  const alive = async <Value>(run: () => Promise<Value>): Promise<Value> => {
    if (!isDead) onOperation();
    const value = await (isDead ? never : run());
    if (!isDead) onOperation();
    return isDead ? never : value;
  };
  const storage = {
    open: async (name: string) => {
      const opened = await disk.open(name);
      return {
        read: () => alive(() => opened.read()),
        write: (changes: ReadonlyMap<string, string | undefined>) => alive(() => opened.write(changes)),
        clear: () => alive(() => opened.clear()),
        close: () => alive(() => opened.close()),
      };
    },
  };
  const tasks = tasksFrom((url, init) => alive(() => fetch(url, init)), timers);
  const tabs = new TabsManager({
    ...{ name: 'app', user, browser, endpoints: [tasks], platform: timers, timeout: 5000 },
    onEvent: ({ type }) => (tab.isOut ||= type === 'reset'),
  });
  const persist = new PersistManager({ name: 'app', user, storage, platform: timers });
  const outbox = new OutboxManager({
    name: 'app',
    user,
    endpoints: [tasks],
    storage,
    platform: timers,
    browser,
  });
  const { now } = timers;
  const store = new Store({ now });
  const controller = new Controller({ store, now, managers: [tabs, persist, outbox, ...getDefaultManagers()] });
  const tab: OfflineTab = {
    user,
    isOut: false,
    controller,
    outbox,
    persist,
    tabs,
    tasks,
    titles: () => controller.getResponse(tasks.getList).data?.map(({ title }) => title),
    kill: () => {
      isDead = true;
      browser.close();
      controller.dispose();
    },
  };
  return tab;
}
