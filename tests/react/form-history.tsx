/** Random histories of a form that saves while the user types, compared with a simple server. */
import type { Controller } from 'rejoin';
import { DataProvider } from 'rejoin/react';
import { controllerOf, type Model, modelOf } from './deal-model.ts';
import { DealServer, pass, STAGES } from './deal-server.ts';
import { Desk, deskView, type Save } from './form-page.tsx';
import { rest, show, type Shown, turn } from './harness.tsx';
import { FrameCheck, type HistoryOptions, idle, LANES, type Outcome, runIn } from './histories.ts';
import { ManualTime } from './manual-time.ts';
import { type Random, random } from './random.ts';

/** A server that refuses some titles, and keeps a list of those that it has stored. */
class TitleServer extends DealServer {
  readonly taken: { readonly id: number; readonly title: string }[] = [];

  override answer(method: string, url: string, body: unknown): Response {
    const { title } = Object(body) as { readonly title?: string };
    if (method === 'PATCH' && title?.includes('!') === true)
      return Response.json({ errors: { title: ['has a mark'] } }, { status: 422 });
    const response = super.answer(method, url, body);
    if (method === 'PATCH' && title !== undefined && response.ok)
      this.taken.push({ id: Number(url.split('/').at(-1)), title });
    return response;
  }
}

export interface FormOutcome extends Outcome {
  readonly saves: number;
}

class History {
  readonly log: string[] = [];
  readonly faults: string[] = [];
  readonly desk: Desk;
  readonly #time = new ManualTime();
  readonly #server: TitleServer;
  readonly #model: Model;
  readonly #controller: Controller;
  readonly #shown: Shown;
  readonly #isSerial: boolean;
  readonly #isFlaky: boolean;
  readonly #without: ReadonlySet<string>;
  #isOffline = false;
  #wasOffline = false;
  #typed = 0;
  readonly #frames: FrameCheck;
  /** Whether another client has changed records. */
  #hasOthers = false;
  #hasLoggedOut = false;
  /** The saves before the last logout. */
  #former = 0;

  constructor(seed: number, without: ReadonlySet<string>) {
    const { isLucky } = random(seed);
    this.#server = new TitleServer(random(seed + 0.25), 5);
    const platform = this.#time.platform((url, init) =>
      this.#isOffline ? Promise.reject(new TypeError('Failed to fetch')) : this.#server.fetch(url, init),
    );
    this.#isSerial = isLucky(0.6);
    const setting = { isOptimistic: isLucky(0.7), isSerial: this.#isSerial, isOrdered: isLucky(0.5) };
    this.#model = modelOf(setting, platform);
    this.#controller = controllerOf(platform, this.#time.page);
    this.desk = new Desk(this.#model, isLucky(0.4));
    this.#isFlaky = isLucky(0.4);
    const left = ['leave', 'create', 'delete', 'others', 'logout', 'offline', 'focus', 'refused'];
    this.#without = new Set([...without, ...left.filter(() => isLucky(0.4))]);
    const isStrict = isLucky(0.3);
    this.log.push(JSON.stringify({ ...setting, isStrict, isDebounced: this.desk.isDebounced, isFlaky: this.#isFlaky }));
    const View = deskView(this.desk);
    this.#shown = show(
      <DataProvider controller={this.#controller}>
        <View />
      </DataProvider>,
      { isStrict },
    );
    this.#frames = new FrameCheck(this.#shown);
  }

  async play(seed: number, { steps, only }: HistoryOptions): Promise<void> {
    await this.#rest();
    if (this.#isFlaky) this.#server.troubles = { refused: 0.05, lost: 0.15, failing: 0 };
    for (let at = 0; at < steps && this.faults.length === 0; at++) {
      if (only?.has(at) === false) continue;
      const choice = random(seed * 1000 + at);
      this.#act(choice);
      // oxlint-disable-next-line no-await-in-loop -- steps follow each other
      await (choice.isLucky(0.2) ? this.#rest() : pass(choice.below(5)));
      this.faults.push(...this.#frames.take());
    }
    await this.#refresh();
    this.faults.push(...this.#frames.take());
    this.#compare();
  }

  #act(choice: Random): void {
    const kinds = Object.entries(this.#kinds).filter(([kind]) => !this.#without.has(kind));
    let left = (choice.below(1000) / 1000) * kinds.reduce((sum, [, [weight]]) => sum + weight, 0);
    const found = kinds.find(([, [weight]]) => (left -= weight) < 0);
    if (found === undefined) return;
    const run = (): void => {
      this.#note(`${found[0]}: ${found[1][1](choice)}`);
    };
    const lane = choice.pick(LANES);
    runIn(lane === 'transition' && found[0] === 'type' ? 'plain' : lane, run);
  }

  #note(text: string): void {
    this.log.push(text, ...this.#server.log.splice(0));
  }

  get #kinds(): Readonly<Record<string, readonly [weight: number, run: (choice: Random) => string]>> {
    const { deals } = this.#model;
    const { desk } = this;
    const controller = this.#controller;
    return {
      type: [6, () => this.#type(`w${++this.#typed}`)],
      refused: [1, () => this.#type(`w${++this.#typed}!`)],
      open: [2, ({ pick }) => this.#open(desk.shown.length === 0 ? undefined : pick(desk.shown).id)],
      leave: [0.5, () => this.#open(undefined)],
      create: [
        0.7,
        () => {
          controller.fetch(deals.create, { title: `c${++this.#typed}`, stage: 'lead' }).catch(() => {});
          // The user goes on with the record that is being created, if it is there already.
          const made = desk.shown.find(({ id }) => typeof id === 'string');
          return made === undefined ? 'a record' : this.#open(made.id);
        },
      ],
      stage: [
        1,
        ({ pick }) => {
          const id = desk.form?.id ?? 1;
          controller.fetch(deals.partialUpdate, { id }, { stage: pick(STAGES) }).catch(() => {});
          return String(id);
        },
      ],
      delete: [
        0.4,
        () => {
          const id = desk.form?.id ?? 1;
          controller.fetch(deals.delete, { id }).catch(() => {});
          return String(id);
        },
      ],
      others: [1, (choice) => this.#other(choice)],
      focus: [0.5, ({ isLucky }) => this.#focus(isLucky(0.5) ? 1 : 500)],
      offline: [0.4, () => this.#turnNetwork()],
      logout: [
        0.2,
        () => {
          this.#former = desk.saves.length;
          this.#hasLoggedOut = true;
          desk.open(undefined);
          void controller.resetEntireStore();
          return 'the user';
        },
      ],
    };
  }

  #turnNetwork(): string {
    this.#wasOffline = true;
    this.#isOffline = !this.#isOffline;
    return String(this.#isOffline);
  }

  #type(title: string): string {
    this.desk.form?.type(title);
    return `${title} in ${this.desk.form?.id}`;
  }

  #open(id: number | string | undefined): string {
    this.desk.open(id);
    return String(id);
  }

  #other({ below, pick }: Random): string {
    const server = this.#server;
    const deal = server.deals[below(server.deals.length)];
    if (deal === undefined) return 'nothing';
    this.#hasOthers = true;
    const what = pick(['delete', 'title', 'title', 'stage', 'push'] as const);
    if (what === 'delete') server.delete(deal);
    else {
      const changed = server.change(deal, what === 'stage' ? { stage: pick(STAGES) } : { title: `o${++this.#typed}` });
      if (what === 'push') void this.#controller.setResponse(this.#model.deals.get, { id: deal.id }, changed);
    }
    return `${what} ${deal.id}`;
  }

  #focus(after: number): string {
    this.#time.focus(after);
    return `after ${after}`;
  }

  async #rest(): Promise<void> {
    if (!(await idle(this.#server, turn))) this.faults.push('never comes to rest');
  }

  async #refresh(): Promise<void> {
    this.#isOffline = false;
    this.#server.troubles = { refused: 0, lost: 0, failing: 0 };
    await this.#rest();
    this.#note('at the end');
    for (let tries = 0; tries < 2; tries++) {
      this.#focus(70_000);
      this.desk.retry();
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await this.#rest();
    }
    await rest(5);
  }

  #compare(): void {
    const faults: string[] = [];
    const lines = (deals: readonly { readonly id: number | string; title: string; stage: string }[]): string =>
      deals.map(({ id, stage, title }) => `${id} ${title} ${stage}`).join();
    const [found, due] = [lines(this.desk.shown), lines(this.#server.deals)];
    if (found !== due) faults.push(`shows\n${found}, due\n${due}`);
    if (this.#shown.text().includes('pending')) faults.push(`is pending for ever: ${this.#shown.text()}`);
    for (const save of this.desk.saves)
      if (save.outcome === 'pending') faults.push(`has no outcome: ${JSON.stringify(save)}`);
    faults.push(...this.#lost(), ...this.#wrongForm());
    if (faults.length > 0) this.#note('wrong');
    this.faults.push(...faults);
  }

  /** Each accepted title was stored by the server, once and in order. */
  #lost(): readonly string[] {
    const { saves } = this.desk;
    const taken = this.#server.taken.map(({ title }) => title);
    const accepted = saves.filter(({ outcome }) => outcome === 'accepted').map(({ title }) => title);
    const faults = accepted.filter((title) => !taken.includes(title)).map((title) => `never sent: ${title}`);
    if (new Set(taken).size !== taken.length) faults.push(`sent twice: ${taken.join()}`);
    // A save after a logout does not wait for one before it.
    if (this.#isSerial && !this.#hasLoggedOut) faults.push(...this.#disordered());
    return faults;
  }

  #disordered(): readonly string[] {
    const { taken } = this.#server;
    return [...new Set(taken.map(({ id }) => id))].flatMap((id) => {
      const titles = taken.filter((one) => one.id === id).map(({ title }) => Number(title.slice(1)));
      const isSorted = titles.every((title, at) => at === 0 || title > Number(titles[at - 1]));
      return isSorted ? [] : [`saved in another order: ${titles.join()}`];
    });
  }

  /** The input shows the last typed title, with an error, if the server refused it; otherwise the title that the server has. */
  #wrongForm(): readonly string[] {
    const { form, saves } = this.desk;
    if (form === undefined) return [];
    const { error, id, input, reasons } = form;
    const shown = this.desk.shown.find((deal) => deal.id === id);
    if (input === shown?.title) return [];
    const last: Save | undefined = saves.slice(this.#former).findLast((save) => save.id === id);
    if (last?.outcome !== 'failed' || input !== last.title) {
      // A record that is gone may have been created under another id, or deleted.
      return shown === undefined ? [] : [`the form has ${input}, not ${shown.title}`];
    }
    if (error === undefined) return [`failed without an error: ${input}`];
    const isRefused = input.includes('!') && !this.#isFlaky && !this.#hasOthers && !this.#wasOffline;
    return isRefused && reasons === undefined ? [`has no reason: ${String(error)}`] : [];
  }

  async end(): Promise<void> {
    this.#shown.unmount();
    await rest(3);
    this.#controller.dispose();
  }
}

/** Plays one history, and returns its faults. */
export async function play(seed: number, options: HistoryOptions): Promise<FormOutcome> {
  const history = new History(seed, options.without);
  await history.play(seed, options);
  await history.end();
  const { desk, faults, log } = history;
  return { faults, log, saves: desk.saves.length };
}
