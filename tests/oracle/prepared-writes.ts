import type { Store } from '../../src/index.ts';
import { PreparedWrite } from '../../src/state/store/prepared-write.ts';
import type { Command, History, Change } from './history.ts';
import { Random } from './random.ts';
import { callOf } from './changes.ts';

type Ticket = ReturnType<Store['begin']>;
type Call = ReturnType<typeof callOf>;

/** How many writes were prepared, and how many of those were stored without being done again. */
export interface Tally {
  begun: number;
  stored: number;
}

/** Prepares writes in slices. A preparation begins with the request, and does a few slices before each step. */
export class PreparedWrites {
  readonly #steps: readonly { readonly command: Command }[];
  readonly #chance: Random;
  readonly #tally: Tally;
  readonly #walks = new Map<Ticket, Generator<undefined>>();
  readonly #calls = new Map<Change, Call>();
  #at = 0;

  constructor(history: History, seed: number, tally: Tally) {
    this.#steps = history.steps;
    this.#chance = new Random(seed);
    this.#tally = tally;
  }

  /** Called before each step. */
  step(at: number): void {
    this.#at = at;
    for (const walk of this.#walks.values()) this.#go(walk, this.#chance.below(3));
  }

  #go(walk: Generator<undefined>, steps: number): void {
    for (let step = 0; step < steps && walk.next().done !== true; step++);
  }

  /** Called when a request begins. Its answer is in a later step of the history. */
  begun(store: Store, slot: number, ticket: Ticket): void {
    const change = this.#answerOf(slot);
    if (change === undefined) return;
    const { schema, input, args } = this.call(change);
    const { writer } = store;
    const ahead = writer.prepare(ticket, new Counted(writer, ticket, { schema, input, args }, this.#tally));
    this.#tally.begun++;
    this.#walks.set(ticket, ahead.walk());
  }

  #answerOf(slot: number): Change | undefined {
    for (const { command } of this.#steps.slice(this.#at + 1)) {
      if (!('slot' in command) || command.slot !== slot) continue;
      return command.do === 'write' ? command.change : undefined;
    }
    return undefined;
  }

  /** Called when a request is answered. In nine of ten cases, the preparation is finished first. */
  answered(ticket: Ticket | undefined): void {
    const walk = ticket && this.#walks.get(ticket);
    if (walk === undefined || ticket === undefined) return;
    this.#walks.delete(ticket);
    if (this.#chance.chance(0.9)) this.#go(walk, Number.POSITIVE_INFINITY);
  }

  /** Returns the call for a change: the same objects each time, as a preparation needs. */
  call(change: Change): Call {
    const call = this.#calls.get(change) ?? callOf(change);
    this.#calls.set(change, call);
    return call;
  }
}

class Counted extends PreparedWrite {
  readonly #tally: Tally;

  constructor(...[writer, ticket, given, tally]: [...ConstructorParameters<typeof PreparedWrite>, tally: Tally]) {
    super(writer, ticket, given);
    this.#tally = tally;
  }

  override take(...given: Parameters<PreparedWrite['take']>): ReturnType<PreparedWrite['take']> {
    const taken = super.take(...given);
    if (taken !== undefined) this.#tally.stored++;
    return taken;
  }
}
