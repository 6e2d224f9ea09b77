/** Runs random histories: pages with hooks, whose records change, move, are deleted and are restored. */
import { startTransition } from 'react';
import { rest, show, type Shown, until } from './harness.tsx';
import { type HistoryOptions, type Outcome, recordsInTwoVersions, versionsIn } from './histories.ts';
import { type Page, pageOf, Root } from './history-page.tsx';
import { draw, leftOut, newPlace, type Stage, type Written } from './history-steps.ts';
import { Data, getCollected, getFeed, getPost, Post, POSTS, User, USERS } from './history-world.ts';
import { type Random, random } from './random.ts';

/** No step has a reason for more renders than this. */
const MAX_RENDERS = 3000;

/**
 * How long React may delay a render, in milliseconds. React 18 delays a render that would hide content by the time that it has taken, up to
 * 4,320 ms (`jnd` in its source). Each further render begins this delay again.
 */
const LONGEST_DELAY = 5000;

export interface ReactOutcome extends Outcome {
  readonly frames: number;
}

class History {
  readonly faults: string[] = [];
  readonly log: string[] = [];
  readonly stage: Stage;
  readonly #shown: readonly Shown[];
  /** The number of frames of each root that have been checked. */
  readonly #checked: number[];

  constructor(seed: number, without: ReadonlySet<string>) {
    const choice = random(seed);
    const { isLucky, pick } = choice;
    const versions = { last: 0 };
    const hasTwo = isLucky(0.4) && !without.has('two');
    const datas = (hasTwo ? ['a', 'b'] : ['']).map((home) => new Data(home, versions));
    const roots = Array.from({ length: isLucky(0.3) ? 2 : 1 }, () => new Root(datas));
    const keepsContent = isLucky(0.3);
    const left = new Set([...without, ...leftOut(choice, keepsContent, hasTwo)]);
    this.stage = { datas, roots, without: left, keepsContent, gates: [] };
    for (const data of datas) fill(data, pick);
    const keepsScreen = isLucky(0.3) && !without.has('keepsScreen');
    const isStrict = isLucky(0.3);
    this.#shown = roots.map((root) => this.#show(root, choice, keepsScreen, isStrict));
    this.#checked = roots.map(() => 0);
    this.log.push(
      JSON.stringify({ roots: roots.length, controllers: datas.length, keepsScreen, isStrict, keepsContent }),
      ...roots.map(({ page }) => page.places.map(({ where, hook, id }) => `${where} ${hook} ${id}`).join()),
    );
  }

  #show(root: Root, choice: Random, keepsScreen: boolean, isStrict: boolean): Shown {
    const places = Array.from({ length: 6 }, () => newPlace(choice, root.datas.length > 1));
    const page: Page = { ...root.page, places };
    root.page = page;
    const RootView = pageOf(root, keepsScreen);
    return show(<RootView />, { isStrict });
  }

  get texts(): readonly string[] {
    return this.#shown.map(({ text }) => text());
  }

  get frames(): number {
    return this.#shown.reduce((sum, { frames }) => sum + frames.length, 0);
  }

  fault(text: string): void {
    this.faults.push(text);
  }

  async play(seed: number, { steps, only }: HistoryOptions): Promise<void> {
    await until(() => this.texts.every((text) => text !== ''));
    for (let at = 0; at < steps && this.faults.length === 0; at++) {
      // oxlint-disable-next-line no-await-in-loop -- steps follow each other
      if (only?.has(at) !== false) await this.#step(seed * 1000 + at);
    }
    if (this.faults.length === 0) await this.#rest();
    this.#check();
  }

  async #step(seed: number): Promise<void> {
    const { name, run, written } = draw(this.stage, seed);
    this.log.push(name);
    for (const root of this.stage.roots) root.renders = 0;
    const before = written && recordOf(...written);
    const failures = this.#failures;
    run();
    // A guess can hide the written data. React delays a render that throws: react-itself.test.tsx has the test.
    const isAtOnce = this.#failures === failures;
    if (isAtOnce && written && recordOf(...written) !== before) this.#expectAtOnce(written);
    await rest(random(seed + 0.5).below(4));
    for (const { renders } of this.stage.roots) if (renders > MAX_RENDERS) this.fault(`renders ${renders} times`);
    this.#check();
  }

  get #failures(): number {
    return this.stage.roots.reduce((sum, { failures }) => sum + failures, 0);
  }

  #expectAtOnce(written: Written): void {
    const [{ home }, kind, id] = written;
    const version = String(recordOf(...written)?.version);
    for (const text of this.texts)
      for (const shown of versionsIn(text).get(home + kind + id) ?? [])
        if (shown.split('>')[0] !== version) this.fault(`${home + kind + id} is not ${version} at once: ${text}`);
  }

  #check(): void {
    for (const [at, { frames }] of this.#shown.entries()) {
      for (const frame of frames.slice(this.#checked[at])) {
        if (this.stage.keepsContent && frame.includes('waiting')) this.fault(`falls back: ${frame}`);
        const ofProvider = frame.replaceAll(/\[[^\]]*\]/g, '');
        if (/ a[up]\d/.test(ofProvider) && / b[up]\d/.test(ofProvider)) this.fault(`shows two controllers: ${frame}`);
        this.faults.push(...recordsInTwoVersions(frame));
      }
      this.#checked[at] = frames.length;
    }
  }

  /** Answers all requests, then checks what the screens show. */
  async #rest(): Promise<void> {
    const { stage } = this;
    startTransition(() => stage.roots.forEach((root) => root.change({ isHidden: false })));
    for (let tries = 0; tries < 6; tries++) {
      // oxlint-disable-next-line no-await-in-loop -- until no request is left
      await this.#settle();
      if (this.texts.some((text) => text.includes('failed'))) for (const root of stage.roots) root.retry();
    }
    await this.#settle();
    for (const end = Date.now() + LONGEST_DELAY; this.#wrongAtRest().length > 0 && Date.now() < end;) await rest(1);
    this.faults.push(...this.#wrongAtRest());
  }

  #wrongAtRest(): string[] {
    const faults: string[] = [];
    for (const [at, text] of this.texts.entries()) {
      faults.push(...this.#wrongController(at, text));
      if (text.includes('waiting')) faults.push(`waits for ever: ${text}`);
      if (text.includes(' unsaved')) faults.push(`is pending for ever: ${text}`);
      if (text.includes('failed') && !this.stage.datas.some(({ hasDeleted }) => hasDeleted))
        faults.push(`fails at rest: ${text}`);
      for (const [name, versions] of versionsIn(text)) faults.push(...this.#wrongVersions(name, [...versions], text));
    }
    return faults;
  }

  async #settle(): Promise<void> {
    const { datas, gates } = this.stage;
    for (let idle = 0; idle < 5; idle++) {
      if (datas.some(({ api }) => api.open.length > 0) || gates.length > 0) idle = 0;
      for (const { api } of datas) for (const name of api.open) api.answerNow(name);
      for (const open of gates.splice(0)) open();
      // oxlint-disable-next-line no-await-in-loop -- until no request is left
      await rest(8);
    }
  }

  /** A root shows the records of its controller. */
  #wrongController(at: number, text: string): string[] {
    const { datas, roots } = this.stage;
    const { home } = datas[roots[at]?.provided.at ?? 0] ?? {};
    const others = datas.filter((data) => data.home !== home);
    const ofProvider = text.replaceAll(/\[[^\]]*\]/g, '');
    return others
      .filter((other) => new RegExp(` ${other.home}[up]\\d`).test(ofProvider))
      .map((other) => `shows controller ${other.home} at rest, not ${home}: ${text}`);
  }

  /** When nothing is pending, a screen shows the versions of the store. */
  #wrongVersions(name: string, versions: readonly string[], text: string): string[] {
    const [, home = '', kind, id = ''] = /^([ab]?)([up])(\d+)$/.exec(name) ?? [];
    const data = this.stage.datas.find((one) => one.home === home);
    if (kind === undefined || data === undefined) return [];
    const found = recordOf(data, kind as 'u' | 'p', id);
    const version = found === undefined ? 'none' : String(found.version);
    return versions
      .filter((shown) => shown.split('>')[0] !== version)
      .map((shown) => `${name} is ${shown} at rest, not ${version}: ${text}`);
  }

  /** Ends all transitions, because an open one would delay those of the next history. */
  async end(): Promise<void> {
    for (const open of this.stage.gates.splice(0)) open();
    await rest(2);
    for (const shown of this.#shown) shown.unmount();
    for (const { controller } of this.stage.datas) controller.dispose();
  }
}

/** Stores the first data. */
function fill(data: Data, pick: Random['pick']): void {
  const { controller, api } = data;
  for (const id of USERS) data.writeUser(id);
  for (const id of POSTS) data.refer(id, pick(USERS));
  data.relist(POSTS);
  for (const id of POSTS) void controller.setResponse(getPost, { id }, api.answerOf(id));
  void controller.setResponse(getCollected, api.answerOf('collected'));
  void controller.setResponse(getFeed, { page: 1 }, api.answerOf('feed 1'));
}

function recordOf({ controller }: Data, kind: 'u' | 'p', id: string): User | Post | undefined {
  return controller.get(kind === 'u' ? User : Post, { id });
}

/** Runs one history, and returns the laws that it broke. */
export async function play(seed: number, options: HistoryOptions): Promise<ReactOutcome> {
  const history = new History(seed, options.without);
  await history.play(seed, options);
  await history.end();
  const { faults, log, frames } = history;
  return { frames, faults, log };
}

/** The words that tell which law was broken. */
export function kindOf(fault: string): string | undefined {
  return /\b(?:falls back|controllers|and|at once|at rest|for ever|times)\b/.exec(fault)?.[0];
}
