/** Runs random histories on pages with hooks: their records change, move, are deleted and are restored. */
import { type ReactNode, startTransition } from 'react';
import { DataProvider } from 'rejoin/react';
import { rest, show, type Shown, until } from './harness.tsx';
import { type Page, pageOf, Root } from './history-page.tsx';
import { draw, leftOut, newPlace, type Stage } from './history-steps.ts';
import { Data, Post, POSTS, User, USERS } from './history-world.ts';
import { type Random, random } from './random.ts';

/** More renders than any step has a reason for. */
const MOST_RENDERS = 3000;

/**
 * How long React may delay a render, in milliseconds. React 18 delays a render that would hide content by the time that it has taken, up to
 * 4,320 ms (`jnd` in its source). Each further render begins this delay again.
 */
const LONGEST_DELAY = 5000;

export interface Outcome {
  readonly seed: number;
  readonly frames: number;
  /** The broken laws. Empty if all held. */
  readonly faults: readonly string[];
  /** The steps that ran. */
  readonly told: readonly string[];
}

export interface HistoryOptions {
  readonly steps: number;
  /** The steps to play. Default: all. */
  readonly only?: ReadonlySet<number> | undefined;
  /** Kinds of steps that are left out. */
  readonly without?: ReadonlySet<string>;
  /** Called before a history is played. */
  readonly onBegin?: (seed: number) => void;
}

/** Every version of each record that a frame shows. */
function versionsIn(frame: string): Map<string, Set<string>> {
  const versions = new Map<string, Set<string>>();
  for (const [, name = '', version = ''] of frame.matchAll(/ (\w+):([\w.>]*)/g))
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  return versions;
}

class History {
  readonly data = new Data();
  readonly faults: string[] = [];
  readonly told: string[] = [];
  readonly stage: Stage;
  readonly #shown: readonly Shown[];
  readonly #judged: number[];
  readonly options: string;

  constructor(seed: number, without: ReadonlySet<string>) {
    const choice = random(seed);
    const { isLucky, pick, below } = choice;
    const roots = Array.from({ length: isLucky(0.3) ? 2 : 1 }, () => new Root(this.data));
    const isCalm = isLucky(0.3);
    const left = new Set([...without, ...leftOut(choice, isCalm)]);
    this.stage = { data: this.data, roots, without: left, isCalm, gates: [] };
    this.#fill(pick);
    const keepsScreen = isLucky(0.3) && !without.has('keepsScreen');
    const isStrict = isLucky(0.3);
    this.options = `${roots.length} roots${keepsScreen ? ', keepsScreen' : ''}${isStrict ? ', strict' : ''}${isCalm ? ', calm' : ''}`;
    this.#shown = roots.map((root) => this.#show(root, { ...choice, below }, keepsScreen, isStrict));
    this.#judged = roots.map(() => 0);
    this.told.push(
      this.options,
      ...roots.map(({ page }) => page.places.map(({ where, hook, id }) => `${where} ${hook} ${id}`).join()),
    );
  }

  #fill(pick: Random['pick']): void {
    const { data } = this;
    const { controller, api, getPost, getCollected, getFeed } = data;
    for (const id of USERS) data.writeUser(id);
    for (const id of POSTS) data.refer(id, pick(USERS));
    data.relist(POSTS);
    for (const id of POSTS) void controller.setResponse(getPost, { id }, api.answerOf(id));
    void controller.setResponse(getCollected, api.answerOf('collected'));
    void controller.setResponse(getFeed, { page: 1 }, api.answerOf('feed 1'));
  }

  #show(root: Root, choice: Random, keepsScreen: boolean, isStrict: boolean): Shown {
    const page: Page = { ...root.page, places: Array.from({ length: 6 }, () => newPlace(choice)) };
    root.page = page;
    const PageView = pageOf(root);
    const element: ReactNode = (
      <DataProvider controller={this.data.controller} keepsScreen={keepsScreen}>
        <PageView />
      </DataProvider>
    );
    return show(element, { isStrict });
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
    this.#judge();
  }

  async #step(seed: number): Promise<void> {
    const { name, run, written } = draw(this.stage, seed);
    this.told.push(name);
    for (const root of this.stage.roots) root.renders = 0;
    const before = written && this.#recordOf(...written);
    const failures = this.#failures;
    run();
    // A guess can hide the written data. React delays a render that throws: see react-itself.test.tsx.
    const isAtOnce = this.#failures === failures;
    if (isAtOnce && written && this.#recordOf(...written) !== before) this.#expectAtOnce(written);
    await rest(random(seed + 0.5).below(4));
    for (const { renders } of this.stage.roots) if (renders > MOST_RENDERS) this.fault(`renders ${renders} times`);
    this.#judge();
  }

  get #failures(): number {
    return this.stage.roots.reduce((sum, { failures }) => sum + failures, 0);
  }

  #recordOf(kind: 'u' | 'p', id: string): User | Post | undefined {
    return this.data.controller.get(kind === 'u' ? User : Post, { id });
  }

  #expectAtOnce([kind, id]: readonly ['u' | 'p', string]): void {
    const version = String(this.#recordOf(kind, id)?.version);
    for (const text of this.texts)
      for (const shown of versionsIn(text).get(kind + id) ?? [])
        if (shown.split('>')[0] !== version) this.fault(`${kind + id} is not ${version} at once: ${text}`);
  }

  #judge(): void {
    for (const [at, { frames }] of this.#shown.entries()) {
      for (const frame of frames.slice(this.#judged[at])) {
        if (this.stage.isCalm && frame.includes('waiting')) this.fault(`falls back: ${frame}`);
        for (const [name, versions] of versionsIn(frame))
          if (versions.size > 1) this.fault(`${name} is ${[...versions].join(' and ')}: ${frame}`);
      }
      this.#judged[at] = frames.length;
    }
  }

  /** Answers all requests, and checks the screens after that. */
  async #rest(): Promise<void> {
    const { stage } = this;
    startTransition(() => stage.roots.forEach((root) => root.change({ isHidden: false })));
    for (let tries = 0; tries < 6; tries++) {
      // oxlint-disable-next-line no-await-in-loop -- until no request is left
      await this.#calm();
      if (this.texts.some((text) => text.includes('failed'))) for (const root of stage.roots) root.retry();
    }
    await this.#calm();
    for (const end = Date.now() + LONGEST_DELAY; this.#wrongAtRest().length > 0 && Date.now() < end;) await rest(1);
    this.faults.push(...this.#wrongAtRest());
  }

  #wrongAtRest(): string[] {
    const faults: string[] = [];
    for (const text of this.texts) {
      if (text.includes('waiting')) faults.push(`waits for ever: ${text}`);
      if (text.includes('failed') && !this.data.hasDeleted) faults.push(`fails at rest: ${text}`);
      for (const [name, versions] of versionsIn(text)) faults.push(...this.#wrongVersions(name, [...versions], text));
    }
    return faults;
  }

  async #calm(): Promise<void> {
    const { api } = this.data;
    for (let calm = 0; calm < 5; calm++) {
      const { gates } = this.stage;
      if (api.open.length + gates.length > 0) calm = 0;
      for (const name of api.open) api.answerNow(name);
      for (const open of gates.splice(0)) open();
      // oxlint-disable-next-line no-await-in-loop -- until no request is left
      await rest(8);
    }
  }

  /** When nothing is pending, a screen shows the versions of the store. */
  #wrongVersions(name: string, versions: readonly string[], text: string): string[] {
    if (!/^[up]\d+$/.test(name)) return [];
    const found = this.#recordOf(name.startsWith('u') ? 'u' : 'p', name.slice(1));
    const version = found === undefined ? 'none' : String(found.version);
    return versions
      .filter((shown) => shown.split('>')[0] !== version)
      .map((shown) => `${name} is ${shown} at rest, not ${version}: ${text}`);
  }

  /** Ends all transitions, because an open one would block those of the next history. */
  async end(): Promise<void> {
    for (const open of this.stage.gates.splice(0)) open();
    await rest(2);
    for (const shown of this.#shown) shown.unmount();
    this.data.controller.dispose();
  }
}

/** Runs one history, and returns the laws that it broke. */
export async function play(seed: number, options: HistoryOptions): Promise<Outcome> {
  options.onBegin?.(seed);
  const history = new History(seed, options.without ?? new Set());
  await history.play(seed, options);
  await history.end();
  const { faults, told, frames } = history;
  return { seed, frames, faults, told };
}

/** Which law was broken. */
function kindOf(fault: string): string | undefined {
  return /\b(?:falls back|and|at once|at rest|for ever|times)\b/.exec(fault)?.[0];
}

/** Removes steps from a failing history as long as it breaks the same law. */
export async function shrink(seed: number, options: HistoryOptions): Promise<Outcome> {
  let kept = Array.from({ length: options.steps }, (_, at) => at);
  let best = await play(seed, options);
  const kind = kindOf(best.faults[0] ?? '');
  for (let size = kept.length / 2; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < kept.length;) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
      // oxlint-disable-next-line no-await-in-loop -- each try depends on the one before
      const outcome = await play(seed, { ...options, only: new Set(fewer) });
      if (outcome.faults.some((fault) => kindOf(fault) === kind)) [kept, best] = [fewer, outcome];
      else at += size;
    }
  }
  return best;
}
