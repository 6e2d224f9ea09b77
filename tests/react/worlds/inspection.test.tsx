/** People in the field: buildings, floors, defects and photos, made without a network, on a device whose page is killed at any moment. */
import { test } from 'vitest';
import { Controller, getDefaultManagers, RefetchManager } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { memoryStorage, PersistManager, type TextStorage } from 'rejoin/persist';
import type { Shown } from '../harness.tsx';
import { type Random, random } from '../random.ts';
import { DeviceWorld, expectWorld, isInTurn } from './device-world.ts';
import { Process } from './device.ts';
import { type Kind, modelOf, network, type Row, showPage } from './inspection-app.tsx';
import { changed, type Edit, judged, plain } from './inspection-judge.ts';
import { InspectionServer } from './inspection-server.ts';
import { clickAny, freshText } from './page.ts';
import { Watch } from './watch.ts';

/** A page, from its start until it is killed. */
class InspectionPage {
  readonly process: Process;
  readonly outbox: OutboxManager;
  readonly controller: Controller;
  readonly persist: PersistManager;
  readonly shown: Shown;
  readonly page = new EventTarget();

  constructor(disk: TextStorage, user: InspectionWorld) {
    this.process = new Process(network, disk);
    const { platform, storage } = this.process;
    const model = modelOf(platform, user.kind);
    const shared = { name: 'inspection', user: 'ada', storage, platform };
    this.outbox = new OutboxManager({ ...shared, endpoints: Object.values(model) });
    this.persist = new PersistManager(shared);
    const refetch = new RefetchManager({ page: this.page, platform, interval: 1 });
    this.controller = new Controller({
      managers: [this.persist, this.outbox, refetch, ...getDefaultManagers()],
      now: network.now,
    });
    this.shown = showPage(this.controller, model, user, this.outbox);
  }

  kill(): void {
    this.process.isDead = true;
    this.shown.unmount();
    this.controller.dispose();
  }
}

class InspectionWorld extends DeviceWorld {
  readonly kind: Kind;
  readonly #server: InspectionServer;
  readonly #disk = memoryStorage();
  readonly #edits: Edit[] = [];
  /** The origins of shown records, by their ids. */
  readonly #origins = new Map<string, string>();
  #watch = new Watch();
  #page: InspectionPage;
  #isBehind = false;

  constructor(seed: number) {
    super(seed, network);
    const { isLucky } = this.choice;
    this.kind = { isNested: isLucky(0.6), coalesce: isLucky(0.3), hasVersions: isLucky(0.6), decides: isLucky(0.5) };
    network.begin(seed, (call) => this.#server.answer(call));
    this.#server = new InspectionServer(network);
    this.#page = this.#start();
  }

  /** A text that no other edit writes. The server refuses some. */
  text(kind: string): string {
    const at = network.next();
    return `${kind}${at}${at % 9 === 0 ? 'bad' : ''}`;
  }

  edit(origin: string, field: string, text: string, done: Promise<unknown>, id = ''): void {
    this.#origins.set(id, origin);
    const edit: Edit = { origin, field, text: plain(text), isKept: false, isGone: false, isOver: false };
    this.#edits.push(edit);
    done.catch(() => {});
    const { outbox, process } = this.#page;
    void outbox.flush().then((isKept) => (edit.isKept ||= isKept && !process.isDead));
  }

  /** The user decides about an edit that has stopped. */
  decide(id: string, { isLucky }: Random): void {
    const { outbox } = this.#page;
    const entry = outbox.entries().find((one) => one.id === id);
    if (entry?.state !== 'stopped') return;
    const { args, error } = entry;
    const { code, data, status } = error as { readonly code?: string; readonly status?: number; readonly data?: Row };
    if (code === 'outbox-blocked') return;
    const [path, body] = args.length > 1 ? args : [undefined, args[0]];
    this.note(`decides about ${entry.endpoint} ${JSON.stringify(args)} ${String(error)}`);
    const isRefused = status === 422 && isLucky(0.7);
    if (!isRefused && !(status === 409 && isLucky(0.7))) {
      return this.#discard(id, args);
    }
    const change = (text: string): string => text.replace('bad', 'fix');
    const next =
      body instanceof FormData
        ? changed(body, change)
        : {
            ...(isRefused ? (JSON.parse(change(JSON.stringify(body))) as object) : (body as object)),
            ...(status === 409 && { version: data?.version }),
          };
    try {
      outbox.edit(id, ...(path === undefined ? [next] : [path, next]));
    } catch (thrown) {
      // The answer of an earlier try was lost, so the server may have carried it out.
      if ((thrown as { code?: string }).code !== 'outbox-entry-sent') throw thrown;
      this.#discard(id, args);
    }
  }

  #discard(id: string, args: readonly unknown[]): void {
    const { outbox, process } = this.#page;
    const edits = this.#editsOf(args);
    for (const edit of edits) edit.isGone = true;
    outbox.discard(id);
    const over = async (): Promise<void> => {
      const isKept = await outbox.flush();
      for (const edit of edits) edit.isOver ||= isKept && !process.isDead;
    };
    void over();
  }

  #editsOf(args: readonly unknown[]): readonly Edit[] {
    const body = args.at(-1);
    const { id, ...fields } = Object(body) as Record<string, unknown>;
    const texts = body instanceof FormData ? [(body.get('file') as File).name] : Object.values(fields).map(String);
    const found = this.#edits.filter(({ text }) => texts.map(plain).includes(text));
    const origin = this.#server.originOf(String(id)) ?? this.#origins.get(String(id));
    return found.length > 0 || id === undefined
      ? found
      : this.#edits.filter((one) => one.field === 'delete' && one.origin === origin);
  }

  #start(): InspectionPage {
    const page = new InspectionPage(this.#disk, this);
    this.#watch = new Watch();
    this.#watch.frames = page.shown.frames;
    return page;
  }

  async finish(): Promise<void> {
    this.#connect(true);
    this.#login();
    await this.settle();
    for (let round = 0; round < 12 && this.#page.outbox.entries().length > 0 && this.faults.length === 0; round++) {
      for (const { id } of this.#page.outbox.entries()) this.decide(id, random(round * 2 + 1));
      await this.settle(); // oxlint-disable-line no-await-in-loop -- decisions follow each other
    }
    if (this.faults.length === 0 && this.#page.outbox.entries().length > 0)
      this.faults.push(`left: ${JSON.stringify(this.#page.outbox.entries())}`);
  }

  #connect(isOnline: boolean): void {
    if (network.isOnline === isOnline) return;
    this.note(isOnline ? 'online' : 'offline');
    network.isOnline = isOnline;
    this.#page.page.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  }

  #login(): void {
    if (this.#server.isLoggedIn) return;
    this.note('logs in');
    this.#server.isLoggedIn = true;
    this.#page.outbox.resume();
  }

  async act(choice: Random, without: ReadonlySet<string>): Promise<void> {
    const what = choice.pick([
      'click',
      'click',
      'click',
      'click',
      'click',
      'click',
      'click',
      'kill',
      'network',
      'other',
      'session',
    ]);
    if (without.has(what)) return;
    if (what === 'other') {
      const done = this.#server.other(choice);
      this.#isBehind = true;
      this.note(`other: ${done}`);
    } else if (what === 'network') this.#connect(!network.isOnline);
    else if (what === 'session')
      this.#server.isLoggedIn ? (this.note('the session ends'), (this.#server.isLoggedIn = false)) : this.#login();
    else if (what === 'kill') await this.#kill(choice);
    else this.note(`clicks ${clickAny(this.#page.shown, choice)}`);
  }

  async #kill(choice: Random): Promise<void> {
    this.faults.push(...this.#watch.faults());
    this.note('kill');
    this.#page.kill();
    if (choice.isLucky(0.5)) await network.pass(choice.below(choice.isLucky(0.3) ? 100_000 : 300));
    this.#page = this.#start();
  }

  async settle(): Promise<void> {
    const isOnline = network.isOnline && this.#server.isLoggedIn;
    const isQuiet = (): boolean => !isOnline || this.#page.outbox.entries().every(({ state }) => state === 'stopped');
    if (!(await network.rest(isQuiet)))
      this.faults.push(`never comes to rest: ${JSON.stringify(this.#page.outbox.entries())}`);
    this.faults.push(...this.#watch.faults());
    if (isOnline) await this.#compare();
    else if (!network.isOnline && this.#server.isLoggedIn && this.choice.isLucky(0.5)) await this.#restart();
    const waiting = this.#page.outbox.entries().flatMap(({ args }) => this.#editsOf(args));
    this.faults.push(...judged(this.#edits, this.#server, waiting, this.kind.coalesce));
  }

  async #compare(): Promise<void> {
    const again = [...this.#page.shown.container.querySelectorAll('button[aria-label=again]')] as HTMLButtonElement[];
    for (const button of again) button.click();
    if (this.#isBehind) void this.#page.controller.expireAll({ testKey: () => true });
    if (again.length > 0 || this.#isBehind) await network.rest();
    this.#isBehind = false;
    if (again.length > 0) return this.#compare();
    const due = await freshText(network, (controller) =>
      showPage(controller, modelOf(network.platform, this.kind), this),
    );
    await this.shows('the page', () => this.#page.shown.text().split('#')[0] ?? '', due);
  }

  /** After a restart without a network, the screen is what it was. */
  async #restart(): Promise<void> {
    const { outbox, persist, shown } = this.#page;
    const isSaved = outbox.flush();
    const isPersisted = persist.flush();
    await network.rest();
    await Promise.all([isSaved, isPersisted]);
    const due = shown.text();
    if (due.includes('failed')) return;
    this.note('restarts without a network');
    this.#page.kill();
    this.#page = this.#start();
    await network.rest();
    await this.shows('the restarted page', () => this.#page.shown.text(), due);
  }

  end(): void {
    this.#page.kill();
  }
}

test.runIf(isInTurn)(
  'people in the field lose no edit, and their screen is that of the server when all edits are sent',
  { timeout: 3_600_000 },
  async () => {
    await expectWorld(24, (seed) => new InspectionWorld(seed));
  },
);
