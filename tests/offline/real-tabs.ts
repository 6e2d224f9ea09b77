import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { launchOwn } from './own-chromium.ts';
import { type PageServer, servePage } from './page-server.ts';
import { type ChosenTask, EditsJudge, type TabState, type TraceLine } from './real-tabs-judge.ts';
import { TaskServer } from './server.ts';

declare const open: () => Promise<void>;
declare const choose: (at: number | undefined) => ChosenTask | undefined;
declare const edit: (title: string, id: string | undefined) => Promise<boolean>;
declare const look: () => TabState;
declare const retry: (unwanted: readonly string[]) => void;

const TABS = 3;
/** The time in which the tabs must settle, in milliseconds. */
const REST = 60_000;
/** The longest time for one step of a person, in milliseconds. */
const LONGEST_STEP = 60_000;

export interface RealTabsOutcome {
  readonly edits: number;
  /** The number of edits that were reported as saved. */
  readonly saved: number;
  readonly kills: number;
  /** The number of lost requests and lost answers. */
  readonly faults: number;
  readonly wrong: readonly string[];
}

/** The ways in which a tab ends: it kills itself during an edit, it is closed, or a request that it has sent kills it. */
const WAYS = ['edit', 'close', 'request', 'answer'] as const;

/** Three tabs of a Chromium that edit the same tasks, and are killed at random. */
class RealTabs {
  readonly #tasks = new TaskServer('R');
  readonly #pages = new Map<string, Page>();
  readonly #edits: number;
  readonly #killEvery: number;
  #random: number;
  #armed: 'request' | 'answer' | undefined;
  readonly #judge = new EditsJudge();
  kills = 0;
  faults = 0;
  #isCalm = false;
  #server: PageServer | undefined;
  #newPage: () => Promise<Page> = () => Promise.reject(new Error('There is no browser.'));

  constructor(edits: number, kills: number, seed: number) {
    this.#edits = edits;
    this.#killEvery = Math.floor((edits * TABS) / kills);
    this.#random = seed;
  }

  #draw(below: number): number {
    return (this.#random = (this.#random * 48_271) % 2_147_483_647) % below;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request) body += String(piece);
    const { method = 'GET', url = '' } = request;
    const isEdit = method !== 'GET';
    const tab = String(request.headers['x-tab']);
    const { title = '' } = JSON.parse(body || '{}') as { readonly title?: string };
    const trace = (text: string): void => this.#judge.trace({ at: Date.now(), tab: `server, of ${tab}`, title, text });
    const armed = isEdit ? this.#armed : undefined;
    if (armed !== undefined) this.#armed = undefined;
    if (armed === 'request') await this.#crash(tab);
    const isFaulty = isEdit && !this.#isCalm && this.#draw(8) === 0;
    if (isFaulty) this.faults++;
    if (isFaulty && this.#draw(2) === 0) {
      trace(`${method} ${url} lost`);
      return void response.destroy();
    }
    const key = String(request.headers['idempotency-key'] ?? '');
    const answer = this.#tasks.answer(url, { method, headers: { 'idempotency-key': key }, ...(isEdit && { body }) });
    trace(`${method} ${url} ${answer.status}${isFaulty ? ', answer lost' : ''}`);
    if (armed === 'answer') await this.#crash(tab);
    if (isFaulty) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  }

  /** Ends the process of a tab. */
  async #crash(tab: string): Promise<void> {
    const page = this.#pages.get(tab);
    if (page === undefined) return;
    this.#pages.delete(tab);
    this.kills++;
    this.#judge.trace({ at: Date.now(), tab, title: '', text: 'crash' });
    const session = await page.context().newCDPSession(page);
    const isOver = new Promise((resolve) => page.once('crash', resolve));
    session.send('Page.crash').catch(ignore);
    await isOver;
    await page.close();
  }

  async #close(tab: string): Promise<void> {
    const page = this.#pages.get(tab);
    this.#pages.delete(tab);
    this.kills++;
    this.#judge.trace({ at: Date.now(), tab, title: '', text: 'close' });
    await page?.close();
  }

  async #open(tab: string): Promise<Page> {
    const page = await this.#newPage();
    this.#pages.set(tab, page);
    page.on('console', (message) => {
      if (message.type() === 'debug') this.#judge.trace(JSON.parse(message.text()) as TraceLine);
    });
    page.on('pageerror', ({ message }) => this.#judge.trace({ at: Date.now(), tab, title: '', text: message }));
    this.#judge.trace({ at: Date.now(), tab, title: '', text: 'opens' });
    await page.goto(`${String(this.#server?.address)}#${tab}`);
    await page.evaluate(() => open());
    return page;
  }

  /** One user at one place, who makes edits, and opens another tab when the tab has ended. */
  async #work(person: number): Promise<void> {
    let generation = 0;
    const name = (): string => `${person}.${generation}`;
    const reopened = (): Promise<Page> => this.#inTime(this.#reopened(() => (generation++, name())));
    /* oxlint-disable no-await-in-loop -- one edit after another */
    for (let count = 0; count < this.#edits; count++) {
      const page = this.#pages.get(name()) ?? (await reopened());
      const title = `${name()}.${count}`;
      await this.#inTime(this.#edit(page, name(), title), title);
    }
    /* oxlint-enable no-await-in-loop */
    if (!this.#pages.has(name())) await reopened();
  }

  async #edit(page: Page, tab: string, title: string): Promise<void> {
    const at = this.#draw(8) === 0 ? undefined : this.#draw(40);
    const way = this.#draw(this.#killEvery) === 0 ? WAYS[this.#draw(WAYS.length)] : undefined;
    try {
      this.#judge.note(title, await page.evaluate((place) => choose(place), at));
    } catch {
      // The tab was killed.
      return;
    }
    const { id } = this.#judge.made.get(title) ?? {};
    const saved = page.evaluate(([text, task]) => edit(text as string, task), [title, id]);
    if (way === 'request' || way === 'answer') this.#armed = way;
    else if (way !== undefined) {
      saved.catch(ignore);
      await new Promise((resolve) => void setTimeout(resolve, this.#draw(8)));
      return way === 'edit' ? this.#crash(tab) : this.#close(tab);
    }
    if (await saved.catch(() => false)) this.#judge.saved.add(title);
  }

  /** Rejects with what has happened if work does not end. */
  async #inTime<Value>(work: Promise<Value>, ...titles: readonly string[]): Promise<Value> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const onLate = (): void => reject(new Error(`A step did not end:\n${this.#judge.history(...titles)}`));
      timer = setTimeout(onLate, LONGEST_STEP);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  }

  /** A request of the tab may kill it while it is opened. */
  async #reopened(next: () => string): Promise<Page> {
    for (;;)
      try {
        return await this.#open(next()); // oxlint-disable-line no-await-in-loop -- until one stays open
      } catch (error) {
        if (this.kills === 0) throw error;
      }
  }

  /** Lets the tabs come to rest. Returns what is wrong then. */
  async #rest(): Promise<readonly string[]> {
    this.#isCalm = true;
    this.#armed = undefined;
    let wrong: readonly string[] = ['no tab is open'];
    const end = Date.now() + REST;
    const orphans = [...this.#judge.made.keys()].filter((title) => this.#judge.isOrphan(title, this.#tasks));
    /* oxlint-disable no-await-in-loop -- until they are at rest */
    while (wrong.length > 0 && Date.now() < end) {
      const pages = [...this.#pages];
      await Promise.all(pages.map(([, page]) => page.evaluate((titles) => retry(titles), orphans)));
      await new Promise((resolve) => void setTimeout(resolve, 200));
      const states = await Promise.all(pages.map(([, page]) => page.evaluate(() => look())));
      wrong = states.flatMap((state, at) => this.#unsettled(pages[at]?.[0] ?? '', state));
    }
    /* oxlint-enable no-await-in-loop */
    return wrong;
  }

  #unsettled(tab: string, { shown, waiting }: TabState): readonly string[] {
    const due = JSON.stringify(this.#tasks.tasks.map(({ id, title }) => `${id} ${title}`));
    const isDue = JSON.stringify(shown) === due;
    return [
      ...waiting.map((left) => `tab ${tab} has an edit: ${JSON.stringify(left)}\n${this.#judge.history(left.title)}`),
      ...(isDue ? [] : [`tab ${tab} shows ${JSON.stringify(shown)}, not ${due}\n${this.#judge.history()}`]),
    ];
  }

  async run(): Promise<RealTabsOutcome> {
    const profile = mkdtempSync(join(tmpdir(), 'rejoin-tabs-'));
    this.#server = await servePage('tests/offline/tabs-page.ts', (...exchange) => {
      // The tab may end in the middle of its request.
      this.#answer(...exchange).catch(ignore);
    });
    const { context, kill } = await launchOwn(profile);
    this.#newPage = () => context.newPage();
    try {
      for (let person = 0; person < TABS; person++) await this.#open(`${person}.0`); // oxlint-disable-line no-await-in-loop -- one after another
      await Promise.all(Array.from({ length: TABS }, (_, person) => this.#work(person)));
      const unequal = await this.#rest();
      const wrong = [...this.#judge.judged(this.#tasks), ...unequal];
      const { made, saved } = this.#judge;
      return { edits: made.size, saved: saved.size, kills: this.kills, faults: this.faults, wrong };
    } finally {
      await kill();
      await this.#server.close();
      rmSync(profile, { recursive: true, force: true });
    }
  }
}

/** Runs three tabs with `edits` edits each, and kills about `kills` tabs. */
export function runRealTabs(edits: number, kills: number, seed: number): Promise<RealTabsOutcome> {
  return new RealTabs(edits, kills, seed).run();
}

function ignore(): void {}
