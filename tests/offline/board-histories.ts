import { dehydrate } from 'rejoin';
import { memoryStorage } from 'rejoin/persist';
import type { stubPage } from '../persist/local-storage.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { BoardTab, type Card, type Conflict, type Step } from './board-app.ts';
import { BoardJudge } from './board-judge.ts';
import { BoardServer, type RequestFate } from './board-server.ts';

async function after(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- one turn after another
}

/** Returns random numbers below a limit, the same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = (Math.imul(seed, 2_654_435_761) + 12_345) >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e_37_79_b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const KINDS = [
  ...([
    'create',
    'create',
    'title',
    'title',
    'notes',
    'notes',
    'move',
    'step',
    'step',
    'delete step',
    'delete',
  ] as const),
  ...(['open', 'kill', 'kill at', 'kill all', 'freeze', 'leave', 'go on', 'network', 'network', 'logout'] as const),
];
type Kind = (typeof KINDS)[number];

export interface BoardStep {
  readonly what: Kind;
  readonly tab: number;
  readonly at: number;
  readonly pause: number;
}

/** The kind of application, and what its people do. */
export interface BoardHistory {
  readonly seed: number;
  /** Whether the managers know their user. */
  readonly isNamed: boolean;
  readonly coalesce: boolean;
  /** How many versions of the application are open. */
  readonly versions: number;
  readonly steps: readonly BoardStep[];
}

export function historyOf(seed: number): BoardHistory {
  const draw = randomOf(seed);
  const steps = Array.from({ length: 4 + draw(24) }, () => ({
    what: KINDS[draw(KINDS.length)] as Kind,
    ...{ tab: draw(4), at: draw(40), pause: [0, 0, 1, 3, 12, 40][draw(6)] as number },
  }));
  return { seed, isNamed: draw(3) > 0, coalesce: draw(2) === 0, versions: 1 + Number(draw(4) === 0), steps };
}

type UserName = 'Ada' | 'Ben';
type Page = ReturnType<typeof stubPage>;

/** A browser in which one user after another works, with what is left when tabs end. */
export class BoardWorld {
  readonly servers: Readonly<Record<UserName, BoardServer>> = {
    Ada: new BoardServer('Ada'),
    Ben: new BoardServer('Ben'),
  };
  readonly judges: Readonly<Record<UserName, BoardJudge>> = { Ada: new BoardJudge(), Ben: new BoardJudge() };
  readonly #disk = memoryStorage();
  readonly #fake = new FakeBrowser();
  readonly #history: BoardHistory;
  readonly #draw: (below: number) => number;
  readonly #page: Page;
  readonly #setDocument: (document: EventTarget) => void;
  /** At which operation a tab is killed. */
  readonly #kills = new Map<BoardTab, number>();
  #isOnline = true;
  #isOver = false;
  #time = Date.UTC(2026, 6);
  #turns = 0;
  user: UserName = 'Ada';
  tabs: BoardTab[] = [];
  count = 0;
  logouts = 0;
  readonly wrong: string[] = [];

  constructor(history: BoardHistory, page: Page, setDocument: (document: EventTarget) => void) {
    this.#history = history;
    this.#draw = randomOf(history.seed + 7);
    this.#page = page;
    this.#setDocument = setDocument;
    page.texts.clear();
  }

  /** Lets time pass for all tabs. */
  async #pause(count: number): Promise<void> {
    await after(count);
    this.#turns += count;
  }

  async #fetch(user: UserName, url: string, init: RequestInit): Promise<Response> {
    await after(this.#draw(6));
    init.signal?.throwIfAborted();
    const fates: readonly RequestFate[] = ['request lost', 'answer lost', 'busy', 'conflict'];
    const fate = this.#isOver ? 'done' : (fates[this.#draw(12)] ?? 'done');
    if (!this.#isOnline || fate === 'request lost') throw new TypeError('Failed to fetch');
    const answer = this.servers[user].answer(url, init, fate);
    if (fate === 'answer lost') throw new TypeError('Failed to fetch');
    await after(this.#draw(6));
    return answer;
  }

  #decide({ mine, theirs }: Conflict, judge: BoardJudge): unknown {
    const decision = this.#draw(4);
    if (decision === 0) return { ...Object(mine), note: 'merged' };
    if (decision > 1) return 'mine';
    judge.discard(mine);
    return theirs === undefined ? 'mine' : 'theirs';
  }

  #open(): BoardTab {
    const { coalesce, isNamed, versions } = this.#history;
    const owner = this.user;
    const judge = (): BoardJudge => this.judges[isNamed ? owner : this.user];
    let operations = 0;
    // A tab that is opened while others are stopped finds its place in the order by the clock.
    this.#time += 5000;
    const tab: BoardTab = new BoardTab({
      ...{ fake: this.#fake, disk: this.#disk, user: isNamed ? owner : undefined, coalesce },
      version: versions === 1 ? 1 : 1 + this.#draw(2),
      // The cookie decides whose request it is, if the managers do not know their user.
      fetch: (url, init) => this.#fetch(isNamed ? owner : this.user, url, init),
      timers: { ...this.#fake.platform, random: () => this.#draw(1000) / 1000, now: () => ++this.#time },
      onConflict: (conflict) => this.#decide(conflict, judge()),
      onOperation: () => {
        if (++operations === this.#kills.get(tab)) this.kill(tab);
      },
      onReset: () => isNamed && setImmediate(() => this.kill(tab)),
      onPage: ({ document, page }) => {
        this.#page.target = page;
        this.#setDocument(document);
      },
    });
    this.tabs.push(tab);
    return tab;
  }

  async open(): Promise<void> {
    const tab = this.#open();
    await Promise.race([tab.controller.ready, after(400)]);
    if (tab.isDead) return;
    for (const list of ['a', 'b']) {
      tab.controller.view(tab.cards.getList, { list }).subscribe(() => {});
      Promise.resolve(tab.controller.fetchIfStale(tab.cards.getList, { list })).catch(() => {});
    }
  }

  kill(tab: BoardTab): void {
    tab.kill();
    this.tabs = this.tabs.filter((one) => one !== tab);
  }

  /** The tabs that people can use. */
  get #running(): readonly BoardTab[] {
    return this.tabs.filter(({ stopped }) => stopped === undefined);
  }

  async #logout(tab: BoardTab): Promise<void> {
    const { isNamed } = this.#history;
    const { user } = this;
    // Tabs of other versions get no message of the logout. Their next request fails, because the server has ended the session.
    const { version } = tab.options;
    for (const other of this.tabs) if (other.options.version !== version) this.kill(other);
    if (!isNamed) this.judges[user].discardUnsaved();
    await Promise.race([tab.controller.resetEntireStore(), after(400)]);
    // The logout at the server comes after that of the page.
    await this.#pause(5);
    if (tab.isDead) return;
    this.logouts++;
    this.user = user === 'Ada' ? 'Ben' : 'Ada';
    if (isNamed) this.kill(tab);
    else this.#show(tab);
  }

  #show({ cards, controller, listed }: BoardTab): void {
    for (const list of ['a', 'b']) {
      // After an error, people try again. Tabs of several versions share no data.
      const isAgain = listed(list) === undefined || this.#history.versions > 1;
      const read = isAgain
        ? controller.fetch(cards.getList, { list })
        : controller.fetchIfStale(cards.getList, { list });
      Promise.resolve(read).catch(() => {});
    }
  }

  async #act({ at, tab: number, what }: BoardStep): Promise<void> {
    if (what === 'kill all') for (const tab of this.tabs) this.kill(tab);
    if (this.#running.length === 0) await this.open();
    const running = this.#running;
    const tab = running[number % running.length];
    if (tab === undefined) return;
    const stopped = this.tabs.filter((one) => one.stopped !== undefined);
    if (what === 'open' && this.tabs.length < 4) await this.open();
    else if (what === 'kill') this.kill(tab);
    else if (what === 'kill at') this.#kills.set(tab, at);
    else if (what === 'freeze') tab.stop('frozen');
    else if (what === 'leave') tab.stop('cached');
    else if (what === 'go on') stopped[at % stopped.length]?.goOn();
    else if (what === 'network') this.#isOnline = !this.#isOnline;
    else if (what === 'logout') await this.#logout(tab);
    else this.#edit(tab, what, at);
  }

  #edit(tab: BoardTab, what: Kind, at: number): void {
    const { cards, controller, outbox, steps } = tab;
    const { user } = this;
    const judge = this.judges[user];
    const text = `${user} ${what} ${++this.count}`;
    const shown = ['a', 'b'].flatMap((list) => tab.listed(list) ?? []);
    const card: Card | undefined = shown[at % (shown.length || 1)];
    const step: Step | undefined = card?.steps[at % (card.steps.length || 1)];
    const give = (edit: Promise<unknown>, origin: string, field: string): void => {
      judge.note({ text, origin, field, tab, madeAt: this.#turns });
      edit.catch(() => {});
      void outbox.flush().then((isSaved) => isSaved && !tab.isDead && judge.saved.set(text, this.#turns));
    };
    if (what === 'create') {
      const made = {
        origin: text,
        title: text,
        list: at % 2 === 0 ? 'a' : 'b',
        steps: [{ origin: `${text} step`, text: '' }],
      };
      give(controller.fetch(cards.getList.push, { list: made.list }, made), text, 'create');
      judge.nest(`${text} step`, text);
    } else if (card === undefined) return;
    else if (what === 'title' || what === 'notes')
      give(controller.fetch(cards.partialUpdate, { id: card.id }, { [what]: text }), card.origin, what);
    else if (what === 'move')
      give(
        controller.fetch(cards.getList.move, { id: card.id }, { list: card.list === 'a' ? 'b' : 'a', moved: text }),
        card.origin,
        'moved',
      );
    else if (what === 'delete') give(controller.fetch(cards.delete, { id: card.id }), card.origin, 'delete');
    else if (step === undefined) return;
    else if (what === 'step')
      give(controller.fetch(steps.partialUpdate, { id: step.id }, { text }), step.origin, 'text');
    else if (what === 'delete step') give(controller.fetch(steps.delete, { id: step.id }), step.origin, 'delete');
  }

  /** Nothing of a user may be in a tab of another one. */
  #look(): void {
    for (const tab of this.#running) {
      const owner = tab.options.user ?? this.user;
      const text = JSON.stringify([dehydrate(tab.controller.store), tab.outbox.entries()]);
      if (text.includes(owner === 'Ada' ? 'Ben' : 'Ada'))
        this.wrong.push(`a tab of ${owner} has data of another user: ${text}`);
    }
  }

  async run(): Promise<readonly string[]> {
    /* oxlint-disable no-await-in-loop -- one step after another */
    await this.open();
    for (const step of this.#history.steps) {
      await this.#act(step);
      await this.#pause(step.pause);
      this.#look();
      if (this.wrong.length > 0) return this.wrong;
    }
    /* oxlint-enable no-await-in-loop */
    this.#isOver = true;
    this.#isOnline = true;
    this.#kills.clear();
    await this.#settle();
    if (!this.#history.isNamed) return this.wrong;
    // The edits that the other user has left.
    for (const tab of this.tabs) this.kill(tab);
    this.user = this.user === 'Ada' ? 'Ben' : 'Ada';
    await this.#settle();
    return this.wrong;
  }

  async #settle(): Promise<void> {
    const { user } = this;
    const server = this.servers[user];
    const judge = this.judges[user];
    /* oxlint-disable no-await-in-loop -- one round after another */
    for (const tab of this.tabs) if (tab.stopped) tab.goOn();
    await this.#pause(60);
    // Takes over the edits of tabs that were killed.
    await this.open();
    for (let round = 0; round < 10; round++) {
      for (const { outbox } of this.tabs) {
        for (const { error, id, state } of outbox.entries())
          if (state === 'stopped' && BoardJudge.canNotBeDone(error)) outbox.discard(id);
        outbox.retry();
      }
      await this.#pause(120);
    }
    for (const tab of this.tabs) this.#show(tab);
    await this.#pause(150);
    /* oxlint-enable no-await-in-loop */
    this.#look();
    const due = JSON.stringify(
      ['a', 'b'].map((list) =>
        server
          .shown(list)
          .map(({ id, notes, steps, title }) => [id, title, notes, steps.map((step) => [step.id, step.text])]),
      ),
    );
    for (const [at, tab] of this.tabs.entries()) {
      const shown = JSON.stringify(tab.shown);
      if (shown !== due) this.wrong.push(`tab ${at} of ${user} shows ${shown}, the server has ${due}`);
      for (const { args, error, state } of tab.outbox.entries())
        this.wrong.push(`left in tab ${at}: ${JSON.stringify(args)} ${state} ${String(error)}`);
    }
    this.wrong.push(...judge.judged(server));
  }
}
