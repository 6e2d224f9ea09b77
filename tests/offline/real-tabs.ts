import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { launchOwn } from './own-chromium.ts';
import { type PageServer, servePage } from './page-server.ts';
import { TaskServer } from './server.ts';

declare const open: () => Promise<void>;
declare const edit: (title: string, at: number | undefined) => Promise<boolean>;
declare const look: () => { readonly waiting: readonly unknown[]; readonly shown: readonly string[] };
declare const retry: () => void;

const TABS = 3;
/** The time in which the tabs must settle, in milliseconds. */
const REST = 120_000;

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
  readonly #saved = new Set<string>();
  readonly #made = new Set<string>();
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
    const armed = isEdit ? this.#armed : undefined;
    if (armed !== undefined) this.#armed = undefined;
    if (armed === 'request') await this.#crash(tab);
    const isFaulty = isEdit && !this.#isCalm && this.#draw(8) === 0;
    if (isFaulty) this.faults++;
    if (isFaulty && this.#draw(2) === 0) return void response.destroy();
    const key = String(request.headers['idempotency-key'] ?? '');
    const answer = this.#tasks.answer(url, { method, headers: { 'idempotency-key': key }, ...(isEdit && { body }) });
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
    await page?.close();
  }

  async #open(tab: string): Promise<Page> {
    const page = await this.#newPage();
    this.#pages.set(tab, page);
    await page.goto(`${String(this.#server?.address)}#${tab}`);
    await page.evaluate(() => open());
    return page;
  }

  /** One user at one place, who makes edits, and opens another tab when the tab has ended. */
  async #work(person: number): Promise<void> {
    let generation = 0;
    const name = (): string => `${person}.${generation}`;
    /* oxlint-disable no-await-in-loop -- one edit after another */
    for (let count = 0; count < this.#edits; count++) {
      const page = this.#pages.get(name()) ?? (await this.#reopened(() => (generation++, name())));
      const title = `${name()}.${count}`;
      this.#made.add(title);
      const at = this.#draw(8) === 0 ? undefined : this.#draw(40);
      const way = this.#draw(this.#killEvery) === 0 ? WAYS[this.#draw(WAYS.length)] : undefined;
      const saved = page.evaluate(([text, place]) => edit(text as string, place as number | undefined), [title, at]);
      if (way === 'request' || way === 'answer') this.#armed = way;
      else if (way !== undefined) {
        saved.catch(ignore);
        await new Promise((resolve) => void setTimeout(resolve, this.#draw(8)));
        await (way === 'edit' ? this.#crash(name()) : this.#close(name()));
        continue;
      }
      if (await saved.catch(() => false)) this.#saved.add(title);
    }
    /* oxlint-enable no-await-in-loop */
    if (!this.#pages.has(name())) await this.#reopened(() => (generation++, name()));
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

  async #rest(): Promise<readonly string[]> {
    this.#isCalm = true;
    this.#armed = undefined;
    const due = this.#tasks.tasks;
    let wrong: readonly string[] = [`no tab is open ${due.length}`];
    const end = Date.now() + REST;
    /* oxlint-disable no-await-in-loop -- until they are at rest */
    while (wrong.length > 0 && Date.now() < end) {
      const pages = [...this.#pages.values()];
      await Promise.all(pages.map((page) => page.evaluate(() => retry())));
      await new Promise((resolve) => void setTimeout(resolve, 200));
      const states = await Promise.all(pages.map((page) => page.evaluate(() => look())));
      const server = JSON.stringify(this.#tasks.tasks.map(({ id, title }) => `${id} ${title}`));
      wrong = states.flatMap(({ shown, waiting }, at) => [
        ...(waiting.length > 0 ? [`tab ${at} has edits that wait: ${JSON.stringify(waiting.slice(0, 3))}`] : []),
        ...(JSON.stringify(shown) === server ? [] : [`tab ${at} shows ${JSON.stringify(shown)}, not ${server}`]),
      ]);
    }
    /* oxlint-enable no-await-in-loop */
    return wrong;
  }

  #judged(): string[] {
    const { effects, titles } = this.#tasks;
    const counts = new Map<string, number>();
    for (const title of effects) counts.set(title, (counts.get(title) ?? 0) + 1);
    const wrong: string[] = [];
    for (const title of this.#made) {
      const count = counts.get(title) ?? 0;
      if (count > 1 || (count === 0 && this.#saved.has(title))) wrong.push(`the edit ${title} has ${count} effects`);
    }
    for (const [id, written] of titles)
      for (let person = 0; person < TABS; person++) {
        const numbers = written.filter((title) => title.startsWith(`${person}.`)).map((title) => title.split('.')[2]);
        if (numbers.some((number, at) => at > 0 && Number(number) < Number(numbers[at - 1])))
          wrong.push(`the edits of ${id} were carried out in another order: ${written.join(', ')}`);
      }
    return wrong;
  }

  async run(): Promise<RealTabsOutcome> {
    const profile = mkdtempSync(join(tmpdir(), 'rejoin-tabs-'));
    this.#server = await servePage('tests/offline/tabs-page.ts', (...exchange) => void this.#answer(...exchange));
    const { context, kill } = await launchOwn(profile);
    this.#newPage = () => context.newPage();
    try {
      for (let person = 0; person < TABS; person++) await this.#open(`${person}.0`); // oxlint-disable-line no-await-in-loop -- one after another
      await Promise.all(Array.from({ length: TABS }, (_, person) => this.#work(person)));
      const unequal = await this.#rest();
      const wrong = [...this.#judged(), ...unequal];
      return { edits: this.#made.size, saved: this.#saved.size, kills: this.kills, faults: this.faults, wrong };
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
