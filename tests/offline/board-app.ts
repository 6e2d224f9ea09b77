import { Controller, Entity, getDefaultManagers, resource, Store } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { PersistManager, type TextStorage } from 'rejoin/persist';
import { TabsManager } from 'rejoin/tabs';
import { platform } from '../../src/std/platform.ts';
import type { FakeBrowser } from '../tabs/browser.ts';

export class Step extends Entity {
  id = '';
  origin = '';
  text = '';
  static override key = 'Step';
}

export class Card extends Entity {
  id = '';
  origin = '';
  title = '';
  notes = '';
  list = '';
  moved = '';
  steps: readonly Step[] = [];
  static override key = 'Card';
  static override schema = { steps: [Step] };
}

export type Conflict = { readonly mine: unknown; readonly theirs: unknown };

export interface BoardOptions {
  readonly fake: FakeBrowser;
  readonly disk: TextStorage;
  readonly timers: Pick<typeof platform, 'now' | 'random' | 'setTimeout' | 'clearTimeout'>;
  /** `undefined`: the application does not tell the managers who its user is. */
  readonly user: string | undefined;
  readonly version: number;
  readonly coalesce: boolean;
  fetch(url: string, init: RequestInit): Promise<Response>;
  onConflict(conflict: Conflict): unknown;
  /** Called before and after each operation on the disk, and each request. */
  onOperation(): void;
  onReset(): void;
  /** Called before the managers look for their page. */
  onPage(page: Pick<ReturnType<FakeBrowser['tab']>, 'page' | 'document'>): void;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- worked out from the resources
function resourcesOf(options: BoardOptions, fetch: typeof options.fetch) {
  const { coalesce, onConflict, timers } = options;
  const shared = {
    urlPrefix: 'http://x',
    optimistic: true,
    offline: { coalesce, onConflict },
    platform: { ...platform, ...timers, fetch },
  } as const;
  return {
    cards: resource({ ...shared, path: '/cards/:id', schema: Card, searchParams: {} as { list: string } }),
    steps: resource({ ...shared, path: '/steps/:id', schema: Step }),
  };
}

/** A tab of an application that has a disk, an outbox and other tabs. It can be killed or stopped at any moment. */
export class BoardTab {
  readonly options: BoardOptions;
  readonly browser: ReturnType<FakeBrowser['tab']>;
  readonly controller: Controller;
  readonly outbox: OutboxManager;
  readonly cards: ReturnType<typeof resourcesOf>['cards'];
  readonly steps: ReturnType<typeof resourcesOf>['steps'];
  isDead = false;
  /** Whether the browser has stopped the page: as a background tab, or in the back/forward cache. */
  stopped: 'frozen' | 'cached' | undefined = undefined;
  /** Whether the browser has ever stopped it. */
  wasStopped = false;
  #waiting: (() => void)[] = [];

  constructor(options: BoardOptions) {
    this.options = options;
    const { disk, fake, fetch, onReset, timers, user, version } = options;
    this.browser = fake.tab();
    options.onPage(this.browser);
    const { cards, steps } = resourcesOf(options, (url, init) => this.#run(() => fetch(url, init)));
    this.cards = cards;
    this.steps = steps;
    const own = {
      ...timers,
      setTimeout: (run: () => void, ms: number) => timers.setTimeout(() => void this.#run(async () => run()), ms),
    };
    const named = { name: 'app', platform: own, ...(user !== undefined && { user }) };
    const storage: TextStorage = {
      open: async (name) => {
        const opened = await disk.open(name);
        return {
          read: () => this.#run(() => opened.read()),
          write: (changes) => this.#run(() => opened.write(changes)),
          clear: () => this.#run(() => opened.clear()),
          close: () => this.#run(() => opened.close()),
        };
      },
    };
    const { browser } = this;
    const endpoints = [cards, steps];
    const onEvent = ({ type }: { readonly type: string }): void => void (type === 'reset' && onReset());
    const tabs = new TabsManager({ ...named, browser, endpoints, version, timeout: 5000, onEvent });
    const persist = new PersistManager({ ...named, storage, version });
    this.outbox = new OutboxManager({ ...named, storage, endpoints, browser });
    const { now } = timers;
    const managers = [tabs, persist, this.outbox, ...getDefaultManagers()];
    this.controller = new Controller({ store: new Store({ now }), now, managers });
  }

  /** Runs an operation, unless the tab is killed. While the page is stopped, the operation waits before it begins and before it returns. */
  async #run<Value>(run: () => Promise<Value>): Promise<Value> {
    await this.#goOn();
    const value = await run();
    await this.#goOn();
    return value;
  }

  async #goOn(): Promise<void> {
    if (!this.isDead) this.options.onOperation();
    while (this.stopped !== undefined || this.isDead) await new Promise<void>((resolve) => this.#waiting.push(resolve)); // oxlint-disable-line no-await-in-loop -- until the page goes on
  }

  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.browser.close();
    this.controller.dispose();
  }

  stop(how: 'frozen' | 'cached'): void {
    if (how === 'frozen') {
      this.browser.document.dispatchEvent(new Event('freeze'));
      this.browser.freeze();
    } else this.browser.leave();
    this.stopped = how;
    this.wasStopped = true;
  }

  goOn(): void {
    const how = this.stopped;
    this.stopped = undefined;
    if (how === 'cached') this.browser.goBack();
    if (how === 'frozen') {
      this.browser.document.dispatchEvent(new Event('resume'));
      this.browser.thaw();
    }
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  readonly listed = (list: string): readonly Card[] | undefined =>
    this.controller.getResponse(this.cards.getList, { list }).data;

  /** What the screen shows: the fields of the cards and of their steps. */
  get shown(): unknown {
    return ['a', 'b'].map((list) =>
      this.listed(list)?.map(({ id, notes, steps, title }) => [
        id,
        title,
        notes,
        steps.map((step) => [step.id, step.text]),
      ]),
    );
  }
}
