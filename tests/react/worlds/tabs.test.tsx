/** Tabs that open, end, log out and log in at any moment. Some are of another version of the application. */
import { test } from 'vitest';
import { memoryStorage, type TextStorage } from 'rejoin/persist';
import type { Controller } from 'rejoin';
import { FakeBrowser } from '../../tabs/browser.ts';
import type { Random } from '../random.ts';
import { DeviceWorld, expectWorld, isInTurn } from './device-world.ts';
import { Process } from './device.ts';
import { clickAny, freshText } from './page.ts';
import { LoggedIn, modelOf, network, showApp } from './tabs-app.tsx';
import { type Session, TabsServer } from './tabs-server.ts';

class Tab {
  readonly version: number;
  readonly process: Process;
  readonly browser: ReturnType<FakeBrowser['tab']>;
  app: LoggedIn | undefined;

  constructor(version: number, fake: FakeBrowser, disk: TextStorage) {
    this.version = version;
    this.process = new Process(network, disk);
    this.browser = fake.tab();
  }

  /** The tab is closed, or crashes. */
  kill(): void {
    this.process.isDead = true;
    this.browser.close();
    this.app?.end();
  }
}

class TabsWorld extends DeviceWorld {
  readonly #server: TabsServer;
  readonly #fake = new FakeBrowser();
  readonly #disk = memoryStorage();
  readonly #versions: readonly number[];
  readonly #edits: { readonly text: string; readonly user: string; isKept: boolean }[] = [];
  #tabs: readonly Tab[] = [];
  #session: Session;

  constructor(seed: number) {
    super(seed, network);
    this.#server = new TabsServer(network);
    network.begin(seed, (call) => this.#server.answer(call));
    network.streams = async (_, init) => this.#server.connect(init);
    this.#versions = this.choice.isLucky(0.3) ? [1, 2] : [1];
    this.#session = this.#server.login('Ada');
    this.#open(this.choice);
    this.#open(this.choice);
  }

  text(): string {
    return `t${network.next()}`;
  }

  edit(text: string, controller: Controller, send: (controller: Controller) => Promise<unknown>): void {
    const app = this.#tabs.find((tab) => tab.app?.controller === controller)?.app;
    if (app === undefined || app.isOut) return;
    const edit = { text, user: app.session.user, isKept: false };
    this.#edits.push(edit);
    send(controller).catch(() => {});
    const tab = this.#tabs.find((one) => one.app === app);
    void app.outbox.flush().then((isKept) => (edit.isKept ||= isKept && tab?.process.isDead === false));
  }

  logOut({ token, user }: Session): void {
    if (this.#session.token === token && this.#server.logout(token)) this.note(`${user} is logged out`);
  }

  #open({ pick }: Random): void {
    const tab = new Tab(pick(this.#versions), this.#fake, this.#disk);
    this.#tabs = [...this.#tabs, tab];
    this.#login();
  }

  /** Tabs of people who are logged out show the page for the login. If one logs in, all go on. */
  #login(): void {
    for (const tab of this.#tabs)
      if (tab.app?.isOut !== false && this.#server.knows(this.#session.token))
        tab.app = new LoggedIn(tab, this.#session, this);
  }

  get #apps(): readonly LoggedIn[] {
    return this.#tabs.flatMap(({ app }) => (app?.isOut === false ? app : []));
  }

  async act(choice: Random, without: ReadonlySet<string>): Promise<void> {
    const what = choice.pick([
      'click',
      'click',
      'click',
      'click',
      'click',
      'open',
      'kill',
      'kill',
      'network',
      'other',
      'logout',
      'login',
    ]);
    if (without.has(what)) return;
    const tab = choice.pick(this.#tabs);
    const name = tab === undefined ? '' : `tab ${this.#tabs.indexOf(tab)}`;
    if (what === 'open' && this.#tabs.length < 4) {
      this.note('opens a tab');
      this.#open(choice);
    } else if (what === 'kill' && tab !== undefined) {
      this.note(`kills ${name}`);
      tab.kill();
      this.#tabs = this.#tabs.filter((one) => one !== tab);
      if (this.#tabs.length === 0) this.#open(choice);
    } else if (what === 'network') {
      network.isOnline = !network.isOnline;
      this.note(network.isOnline ? 'online' : 'offline');
      if (!network.isOnline) this.#server.cut();
    } else if (what === 'other') this.note(`other: ${this.#server.other(choice)}`);
    else if (what === 'logout' && tab?.app?.isOut === false) {
      this.note(`logs out in ${name}`);
      void tab.app.logout();
    } else if (what === 'login' && !this.#server.knows(this.#session.token)) {
      this.#session = this.#server.login(choice.pick(['Ada', 'Ben']));
      this.note(`${this.#session.user} logs in`);
      this.#login();
    } else if (tab?.app?.isOut === false) this.note(`${name} clicks ${clickAny(tab.app.shown, choice)}`);
    this.#look();
  }

  /** No tab may show data of another user. */
  #look(): void {
    for (const { session, shown } of this.#apps) {
      const other = session.user === 'Ada' ? 'Ben' : 'Ada';
      if (shown.frames.some((frame) => frame.includes(other)))
        this.faults.push(`${session.user} sees data of ${other}`);
    }
  }

  async settle(): Promise<void> {
    const isOnline = network.isOnline;
    const isQuiet = (): boolean =>
      !isOnline || this.#apps.every(({ outbox }) => outbox.entries().every(({ state }) => state === 'stopped'));
    if (!(await network.rest(isQuiet)))
      this.faults.push(`never comes to rest: ${JSON.stringify(this.#apps.map(({ outbox }) => outbox.entries()))}`);
    this.#look();
    if (isOnline) await this.#compare();
    this.faults.push(...this.#judged());
  }

  async #compare(): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      const again = this.#apps.flatMap(({ shown }) => [
        ...shown.container.querySelectorAll('button[aria-label=again]'),
      ]) as HTMLButtonElement[];
      for (const button of again) button.click();
      await network.rest(); // oxlint-disable-line no-await-in-loop -- tries follow each other
      if (again.length === 0) break;
    }
    for (const { controller } of this.#apps)
      if (this.#versions.length > 1) void controller.expireAll({ testKey: () => true });
    this.#server.polls.clear();
    await network.pass(20_000);
    const polls = [...this.#server.polls];
    await network.rest();
    this.#apps.forEach(({ outbox }) => {
      for (const { error, id, state } of outbox.entries()) {
        if (state !== 'stopped') continue;
        if ((error as { status?: number }).status === 404) outbox.discard(id);
        else this.faults.push(`stopped: ${String(error)}`);
      }
    });
    const groups = new Set(this.#tabs.flatMap(({ app, version }) => (app?.isOut === false ? version : []))).size;
    const { streams } = this.#server;
    if (streams !== groups) this.faults.push(`${streams} streams for ${groups} versions`);
    for (const [token, count] of polls)
      if (count > groups * 5) this.faults.push(`${count} polls of ${token} for ${groups} versions`);
    for (const [at, { session, shown }] of this.#apps.entries()) {
      const due = await freshText(network, (controller) =>
        showApp(controller, modelOf(network.platform, session.token, true), this),
      ); // oxlint-disable-line no-await-in-loop -- one after another
      await this.shows(`tab ${at}`, () => shown.text(), due); // oxlint-disable-line no-await-in-loop -- one after another
    }
  }

  #judged(): readonly string[] {
    const { effects, wrong } = this.#server;
    const waiting = this.#apps.flatMap(({ outbox }) => outbox.entries().map(({ args }) => JSON.stringify(args)));
    const isPresent = (user: string): boolean => this.#apps.some(({ session }) => session.user === user);
    return [
      ...wrong,
      ...this.#edits.flatMap(({ isKept, text, user }) => {
        const done = effects.filter((one) => one.text === text);
        if (done.some((one) => one.user !== user)) return [`${text} of ${user} was sent for another user`];
        if (done.length > 1) return [`doubled: ${text}`];
        const isLost =
          done.length === 0 && isKept && isPresent(user) && !waiting.some((args) => args.includes(`"${text}"`));
        return isLost && !this.#server.refused.has(text) ? [`lost: ${text}`] : [];
      }),
    ];
  }

  async finish(): Promise<void> {
    network.isOnline = true;
    for (const user of ['Ada', 'Ben'] as const) {
      /* oxlint-disable no-await-in-loop -- one user after another */
      if (this.#session.user !== user || !this.#server.knows(this.#session.token)) {
        for (const app of this.#apps.slice(0, 1)) void app.logout();
        await network.rest();
        this.#session = this.#server.login(user);
        this.note(`${user} logs in at the end`);
        this.#login();
      }
      await this.settle();
      /* oxlint-enable no-await-in-loop */
    }
    if (this.#apps.some(({ outbox }) => outbox.entries().length > 0)) this.faults.push('left');
  }

  end(): void {
    for (const tab of this.#tabs) tab.kill();
  }
}

test.runIf(isInTurn)(
  'tabs agree, lose nothing and send nothing twice, and none shows data of another user',
  { timeout: 3_600_000 },
  async () => {
    await expectWorld(24, (seed) => new TabsWorld(seed));
  },
);
