import { type Platform, platform } from '../../std/platform.ts';
import { PreparedWrite, type AnswerToPrepare } from '../../state/store/prepared-write.ts';
import type { Ticket } from '../../state/store/tickets.ts';
import type { Store } from '../../state/store/store.ts';
import { isPlain } from '../../std/plain.ts';
import type { RequestInFlight } from './request-in-flight.ts';

export interface SlicesOptions {
  /** From how many records on an answer counts as large, by an estimate. Default: 5,000. */
  readonly above?: number;
  /** How many milliseconds a slice may take. Default: 8. */
  readonly milliseconds?: number;
  readonly platform?: Pick<Platform, 'now' | 'setTimeout'>;
}

/** Does the work of a large answer in slices. */
export interface Slicing {
  /**
   * `undefined` for an answer that is not that of a read, or not large. Otherwise the promise is kept when there is nothing left to do but to
   * store it, and returns what is to be done when it has been stored. Nothing more is done as soon as it is not wanted any more.
   */
  slice(
    store: Store,
    request: Pick<RequestInFlight, 'asked' | 'ticket'>,
    response: unknown,
    isWanted: () => boolean,
  ): Promise<() => Promise<void>> | undefined;
}

/**
 * Large answers without long tasks: the page goes on moving while one is filed away and while its values are made.
 * Readers see all of it at once, or nothing.
 */
export class Slices implements Slicing {
  readonly #above: number;
  readonly #milliseconds: number;
  readonly #platform: Pick<Platform, 'now' | 'setTimeout'>;

  constructor({ above = 5000, milliseconds = 8, platform: clock = platform }: SlicesOptions = {}) {
    this.#above = above;
    this.#milliseconds = milliseconds;
    this.#platform = clock;
  }

  slice(...[store, { asked, ticket }, input, isWanted]: Parameters<Slicing['slice']>): ReturnType<Slicing['slice']> {
    const { args, endpoint } = asked;
    if (endpoint.sideEffect || endpoint.whole === true || !endpoint.schema || sizeOf(input, DEEPEST) < this.#above)
      return undefined;
    return this.#prepare(store, ticket, { schema: endpoint.schema, input, args }, isWanted);
  }

  async #prepare(
    store: Store,
    request: Ticket,
    given: AnswerToPrepare,
    isWanted: () => boolean,
  ): Promise<() => Promise<void>> {
    const { writer } = store;
    const ahead = writer.prepare(request, new PreparedWrite(writer, request, given));
    await this.#run(ahead.walk(), isWanted);
    return () => this.#run(ahead.read(), isWanted);
  }

  async #run(work: Generator<undefined>, isWanted: () => boolean): Promise<void> {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one slice after another
      await this.#turn();
      if (!isWanted()) return;
      const end = this.#platform.now() + this.#milliseconds;
      do if (work.next().done === true) return;
      while (this.#platform.now() < end);
    }
  }

  /** Lets everything else that waits have its turn. */
  #turn(): Promise<void> {
    return new Promise((resolve) => void this.#platform.setTimeout(resolve, 0));
  }
}

/** How far down an answer is looked at. */
const DEEPEST = 6;

/** About how many records there are, if those of a list are as its first. */
function sizeOf(value: unknown, depth: number): number {
  if (depth === 0) return 0;
  if (Array.isArray(value)) return value.length * sizeOf(value[0], depth - 1);
  if (!isPlain(value)) return 0;
  let size = 1;
  for (const name in value) {
    const inside = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof inside === 'object' && inside !== null) size += sizeOf(inside, depth - 1);
  }
  return size;
}
