/** The parts that the worlds of one device share. */
import { expect, inject, vi } from 'vitest';
import { seedsInTurn } from '../../turn.ts';
import { turn } from '../harness.tsx';
import { type HistoryOptions, type Outcome, playAll } from '../histories.ts';
import { type Random, random } from '../random.ts';
import { type Network, turns } from './network.ts';

export abstract class DeviceWorld {
  readonly log: string[] = [];
  readonly faults: string[] = [];
  readonly network: Network;
  readonly choice: Random;

  constructor(seed: number, network: Network) {
    this.network = network;
    localStorage.clear(); // the managers note there what the disk has
    this.choice = random(seed);
  }

  abstract act(choice: Random, without: ReadonlySet<string>): Promise<void> | void;
  /** Waits until the world is quiet, and checks its laws. */
  abstract settle(): Promise<void>;
  /** Ends all troubles, and waits until everything is sent. */
  abstract finish(): Promise<void>;
  abstract end(): void;

  note(text: string): void {
    this.log.push(...this.network.log.splice(0), text);
  }

  /** Waits until a screen shows a text. */
  async shows(what: string, found: () => string, due: string): Promise<void> {
    // React delays some renders.
    // oxlint-disable-next-line no-await-in-loop -- until the screen is right
    for (let tries = 0; tries < 400 && found() !== due; tries++) await turn();
    if (found() !== due) this.faults.push(`${what} shows\n${found()}, due\n${due}`);
  }

  async play(seed: number, { only, steps, without }: HistoryOptions): Promise<void> {
    const settle = async (): Promise<void> => {
      await this.settle();
      if (this.faults.length > 0) this.note('wrong');
    };
    await settle();
    if (!without.has('troubles') && this.choice.isLucky(0.5)) this.network.troubles = { failed: 0.1, lost: 0.1 };
    for (let at = 0; at < steps && this.faults.length === 0; at++) {
      if (only?.has(at) === false) continue;
      const choice = random(seed * 1000 + at);
      // oxlint-disable no-await-in-loop -- steps follow each other
      await this.act(choice, without);
      await (choice.isLucky(0.3) ? settle() : this.network.pass(choice.below(90)));
      // oxlint-enable no-await-in-loop
    }
    if (this.faults.length > 0) return;
    this.note('ends');
    this.network.troubles = { failed: 0, lost: 0 };
    await this.finish();
    if (this.faults.length > 0) this.note('wrong');
  }
}

/** One build of React is enough for what does not depend on it. */
export const isInTurn: boolean = inject('build').mode === 'development' && inject('build').react === '19';

/** Plays random histories of a world. */
export async function expectWorld(steps: number, make: (seed: number) => DeviceWorld): Promise<void> {
  const logs = (['warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => undefined));
  const play = async (seed: number, options: HistoryOptions): Promise<Outcome> => {
    const world = make(seed);
    await world.play(seed, options);
    world.end();
    await turns(3);
    return { faults: world.faults, log: world.log };
  };
  const without = new Set(process.env['REJOIN_WITHOUT']?.split(','));
  const kindOfFault = (fault: string): string => fault.replaceAll(/[^a-z ]/g, '').slice(0, 12);
  const { failed, least } = await playAll(play, seedsInTurn(12, 12), { steps, without }, kindOfFault);
  for (const log of logs) log.mockRestore();
  expect({ failed, least }).toEqual({ failed: [], least: undefined });
}
