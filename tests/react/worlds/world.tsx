/** A world: a server in memory, an application, other users, and a user who clicks. A seed decides everything. */
import { createContext, type ReactNode, useContext, useState } from 'react';
import { vi } from 'vitest';
import { Controller, type Manager } from 'rejoin';
import { AsyncBoundary, DataProvider } from 'rejoin/react';
import { seedsInTurn } from '../../turn.ts';
import { show, type Shown, turn } from '../harness.tsx';
import { type HistoryOptions, type Outcome, playAll, type Played } from '../histories.ts';
import { type Random, random } from '../random.ts';
import { type Call, type Network, type Reply, turns } from './network.ts';
import { clickAny, freshText } from './page.ts';
import { Watch } from './watch.ts';

/** What the user has chosen on the page. A fresh page begins with it. */
const Choices = createContext({ kept: new Map<string, unknown>(), isFresh: false });

export function useIsFresh(): boolean {
  return useContext(Choices).isFresh;
}

/** As `useState`, for what a fresh page has to begin with. */
export function useChoice<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const { kept, isFresh } = useContext(Choices);
  const [value, setValue] = useState(() => (kept.has(name) ? (kept.get(name) as Value) : initial));
  const choose = (next: Value): void => {
    if (!isFresh) kept.set(name, next);
    setValue(next);
  };
  return [value, choose];
}

/** A button. It has no text, so that the text of a page is its data. */
export function Button({ name, onClick }: { readonly name: string; readonly onClick: () => void }): ReactNode {
  return <button aria-label={name} onClick={onClick} />;
}

interface WorldServer {
  answer(call: Call): Reply;
  /** Does what another user could do, and returns what it was. */
  other(choice: Random): string | undefined;
}

export abstract class World {
  readonly log: string[] = [];
  readonly faults: string[] = [];
  readonly network: Network;
  readonly watch = new Watch();
  readonly choice: Random;
  /** Other users have changed data, and the page has not been told. */
  isBehind = false;
  /** Whether the page is in React's StrictMode. */
  readonly isStrict: boolean = false;
  readonly #kept = new Map<string, unknown>();
  #controller: Controller | undefined;
  #shown: Shown | undefined;

  constructor(seed: number, network: Network) {
    this.network = network;
    this.choice = random(seed);
    network.begin(seed, (call) => this.server.answer(call));
  }

  abstract readonly server: WorldServer;
  abstract page(): ReactNode;
  /** Another user does something. */
  other(choice: Random): string | undefined {
    return this.server.other(choice);
  }
  managers(): readonly Manager[] {
    return [];
  }
  /** After this time, the page has polled everything that it shows. */
  get polls(): number {
    return 0;
  }
  /** Whether streams are connected. */
  isQuiet(): boolean {
    return true;
  }
  /** The part of a text of the page that must be equal. */
  comparable(text: string, _other: string): string {
    return text;
  }
  /** The faults of what the store has after a commit. */
  inspect(_controller: Controller): readonly string[] {
    return [];
  }
  /** The user makes sure that the page is up to date. */
  refresh(): void {
    void this.#controller?.expireAll({ testKey: () => true });
  }

  async play(seed: number, { only, steps, without }: HistoryOptions): Promise<void> {
    const managers = this.managers();
    this.#controller = new Controller({ managers, now: this.network.now });
    this.#controller.store.onCommit(() => this.#inspect());
    this.#shown = this.#show(this.#controller, false);
    this.watch.frames = this.#shown.frames;
    await this.#settle();
    if (!without.has('troubles'))
      this.network.troubles = this.choice.isLucky(0.5) ? { failed: 0.1, lost: 0.1 } : { failed: 0, lost: 0 };
    for (let at = 0; at < steps && this.faults.length === 0; at++) {
      if (only?.has(at) === false) continue;
      const choice = random(seed * 1000 + at);
      this.#act(choice, without);
      // oxlint-disable-next-line no-await-in-loop -- steps follow each other
      await (choice.isLucky(0.3) ? this.#settle() : this.network.pass(choice.below(90)));
    }
    if (this.faults.length > 0) return;
    await this.#settle();
    this.network.troubles = { failed: 0, lost: 0 };
    if (this.faults.length > 0) return;
    this.note('refreshes');
    this.refresh();
    this.isBehind = false;
    await this.#settle();
  }

  #inspect(): void {
    if (this.#controller && this.faults.length === 0) this.faults.push(...this.inspect(this.#controller));
  }

  note(text: string): void {
    this.log.push(...this.network.log.splice(0), text);
  }

  #act(choice: Random, without: ReadonlySet<string>): void {
    const isOther = choice.isLucky(0.25) && !without.has('others');
    if (isOther) {
      const done = this.other(choice);
      if (done !== undefined) return this.note(`other: ${done}`);
    }
    const clicked = this.#shown && clickAny(this.#shown, choice);
    if (clicked !== undefined) this.note(`clicks ${clicked}`);
  }

  async #settle(): Promise<void> {
    if (!(await this.network.rest(() => this.isQuiet()))) this.faults.push('never comes to rest');
    if (this.isBehind && this.polls > 0) {
      await this.network.pass(this.polls);
      await this.network.rest(() => this.isQuiet());
      this.isBehind = false;
    }
    await this.#compare();
    this.faults.push(...this.watch.faults());
    if (this.faults.length > 0) this.note('wrong');
  }

  async #compare(): Promise<void> {
    if (this.isBehind || this.faults.length > 0) return;
    const due = await freshText(this.network, (controller) => this.#show(controller, true));
    const wrong = (): string | undefined => {
      const found = this.#shown?.text() ?? '';
      return this.comparable(found, due) === this.comparable(due, found) ? undefined : `shows\n${found}, due\n${due}`;
    };
    // React delays some renders.
    // oxlint-disable-next-line no-await-in-loop -- until the screen is right
    for (let tries = 0; tries < 400 && wrong() !== undefined; tries++) await turn();
    const fault = wrong();
    if (fault !== undefined) this.faults.push(fault);
  }

  #show(controller: Controller, isFresh: boolean): Shown {
    return show(
      <Choices.Provider value={{ kept: this.#kept, isFresh }}>
        <DataProvider controller={controller}>
          <AsyncBoundary fallback=" waiting" errorComponent={({ error }) => ` failed ${error.message}`}>
            {this.page()}
          </AsyncBoundary>
        </DataProvider>
      </Choices.Provider>,
      { isStrict: this.isStrict && !isFresh },
    );
  }

  async end(): Promise<void> {
    this.#shown?.unmount();
    await turns(3);
    this.#controller?.dispose();
  }
}

/** Plays 24 random histories of a world, in `npm test` one of `parts` equal parts of them, and returns those that broke a law. */
export async function playWorld(
  make: (seed: number) => World,
  parts = 12,
): Promise<Pick<Played<Outcome>, 'failed' | 'least'>> {
  const logs = (['warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => undefined));
  const play = async (seed: number, options: HistoryOptions): Promise<Outcome> => {
    const world = make(seed);
    await world.play(seed, options);
    await world.end();
    return { faults: world.faults, log: world.log };
  };
  const options = { steps: 20, without: new Set(process.env['REJOIN_WITHOUT']?.split(',')) };
  const kindOfFault = (fault: string): string => fault.replaceAll(/[^a-z ]/g, '').slice(0, 12);
  const { failed, least } = await playAll(play, seedsInTurn(24, parts), options, kindOfFault);
  for (const log of logs) log.mockRestore();
  return { failed, least };
}
