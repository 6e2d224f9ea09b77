import { memoryStorage } from 'rejoin/persist';
import { FakeBrowser } from '../tabs/browser.ts';
import { type OfflineTab, openTab } from './app.ts';
import { EditsJudge } from './real-tabs-judge.ts';
import { TaskServer } from './server.ts';

async function after(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- one turn after another
}

/** Kills a tab before or after one of its operations on the disk or requests. */
export interface KillPoint {
  /** The number of the tab, in the order in which they are opened. */
  readonly tab: number;
  readonly operation: number;
}

/** A step of a script: a person opens a tab, edits the task at a place of the list, or creates one; or time passes. */
export type ScriptStep =
  | { readonly what: 'open'; readonly person: number }
  | { readonly what: 'edit' | 'create' | 'close'; readonly person: number; readonly at?: number }
  | { readonly what: 'wait'; readonly turns: number };

/** What the server does with the next edits: it loses the request, or the answer, or carries it out. */
export type Fate = 'lost' | 'answer lost' | 'late' | 'done';

/** The same people, tabs and server in each run, but for the kills. */
export class ScriptedTabs {
  readonly #server = new TaskServer('R');
  readonly #fake = new FakeBrowser();
  readonly #disk = memoryStorage();
  readonly #judge = new EditsJudge();
  readonly #fates: Fate[];
  readonly #kills: readonly KillPoint[];
  readonly #tabs: { readonly tab: OfflineTab; readonly person: number; operations: number; isDead: boolean }[] = [];
  readonly #counts = new Map<number, number>();
  #time = 0;
  /** What is wrong at the end. */
  wrong: readonly string[] = [];

  constructor(fates: readonly Fate[], kills: readonly KillPoint[]) {
    this.#fates = [...fates];
    this.#kills = kills;
  }

  /** How many operations each tab has made. */
  get operations(): readonly number[] {
    return this.#tabs.map(({ operations }) => operations);
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    await after(2);
    init.signal?.throwIfAborted();
    const fate = (init.method ?? 'GET') === 'GET' ? 'done' : (this.#fates.shift() ?? 'done');
    if (fate === 'lost') throw new TypeError('Failed to fetch');
    const answer = this.#server.answer(url, init);
    await after(fate === 'late' ? 40 : 2);
    if (fate === 'answer lost') throw new TypeError('Failed to fetch');
    return answer;
  }

  async #open(person: number): Promise<void> {
    const number = this.#tabs.length;
    const onOperation = (): void => {
      const opened = this.#tabs[number];
      if (opened === undefined || opened.isDead) return;
      opened.operations++;
      if (this.#kills.some(({ tab, operation }) => tab === number && operation === opened.operations))
        this.#kill(number);
    };
    const timers = { ...this.#fake.platform, now: () => ++this.#time };
    const fetch = (url: string, init: RequestInit): Promise<Response> => this.#fetch(url, init);
    const tab = openTab(this.#fake, this.#disk, fetch, timers, 'R', onOperation);
    this.#tabs.push({ tab, person, operations: 0, isDead: false });
    // A killed tab is never ready.
    await Promise.race([tab.controller.ready, after(100)]);
    if (this.#tabs[number]?.isDead === true) return this.#open(person);
    tab.controller.view(tab.tasks.getList).subscribe(() => {});
    Promise.resolve(tab.controller.fetchIfStale(tab.tasks.getList)).catch(() => {});
    await after(20);
  }

  #kill(number: number): void {
    const opened = this.#tabs[number];
    if (opened === undefined || opened.isDead) return;
    opened.isDead = true;
    opened.tab.kill();
  }

  async #edit(person: number, at: number | undefined): Promise<void> {
    let opened = this.#tabs.findLast((one) => one.person === person && !one.isDead);
    if (opened === undefined) await this.#open(person);
    opened = this.#tabs.findLast((one) => one.person === person && !one.isDead);
    if (opened === undefined) return;
    const { controller, outbox, tasks } = opened.tab;
    const count = this.#counts.get(person) ?? 0;
    this.#counts.set(person, count + 1);
    const title = `${person}.${this.#tabs.indexOf(opened)}.${count}`;
    const shown = controller.getResponse(tasks.getList).data ?? [];
    const task = at === undefined ? undefined : shown.at(at % (shown.length || 1));
    const formerIds = task === undefined ? [] : this.#formerIds(opened.tab, task.id);
    this.#judge.note(title, task && { id: task.id, title: task.title, formerIds });
    const answer =
      task === undefined
        ? controller.fetch(tasks.getList.push, { title })
        : controller.fetch(tasks.partialUpdate, { id: task.id }, { title });
    answer.catch(() => {});
    void outbox.flush().then((isSaved) => isSaved && this.#judge.saved.add(title));
    await after(1);
  }

  /** The temporary pks that a tab knows a task to have had. */
  #formerIds({ controller }: OfflineTab, id: string): readonly string[] {
    const chosen = Array.from(this.#judge.made.values(), (one) => one?.id ?? '');
    return chosen.filter((one) => one !== id && controller.store.pkOf('Task', one) === id);
  }

  /** Runs a script, and lets the tabs come to rest. */
  async run(steps: readonly ScriptStep[]): Promise<void> {
    /* oxlint-disable no-await-in-loop -- one step after another */
    for (const step of steps) {
      if (step.what === 'wait') await after(step.turns);
      else if (step.what === 'open') await this.#open(step.person);
      else if (step.what === 'close')
        this.#kill(this.#tabs.findLastIndex(({ isDead, person }) => person === step.person && !isDead));
      else await this.#edit(step.person, step.what === 'edit' ? (step.at ?? -1) : undefined);
    }
    for (let round = 0; round < 12 && (round < 2 || this.#waiting().length > 0); round++) {
      if (this.#alive().length === 0) await this.#open(0);
      for (const { outbox } of this.#alive()) {
        for (const { args, id } of outbox.entries())
          if (this.#judge.isOrphan(titleOf(args), this.#server)) outbox.discard(id);
        outbox.retry();
      }
      await after(60);
    }
    /* oxlint-enable no-await-in-loop */
    this.wrong = [...this.#judge.judged(this.#server), ...this.#waiting()];
    for (const { tab } of this.#tabs) tab.kill();
  }

  #alive(): readonly OfflineTab[] {
    return this.#tabs.filter(({ isDead }) => !isDead).map(({ tab }) => tab);
  }

  #waiting(): readonly string[] {
    const due = JSON.stringify(this.#server.tasks.map(({ title }) => title));
    return this.#alive().flatMap((tab) => [
      ...tab.outbox
        .entries()
        .map(
          ({ args, error, isElsewhere, state }) =>
            `${JSON.stringify(args)} ${state} ${isElsewhere ? 'elsewhere' : 'here'} ${String(error)}`,
        ),
      ...(JSON.stringify(tab.titles()) === due ? [] : [`shows ${JSON.stringify(tab.titles())}, not ${due}`]),
    ]);
  }
}

function titleOf(args: readonly unknown[]): string {
  return (args.at(-1) as { readonly title: string }).title;
}
