import { type Platform, platform } from '../../std/platform.ts';
import { PreparedWrite, type AnswerToPrepare } from '../../state/store/prepared-write.ts';
import type { Ticket } from '../../state/store/tickets.ts';
import type { Store } from '../../state/store/store.ts';
import { isPlain } from '../../std/plain.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** The options of `Slices`. */
export interface SlicesOptions {
  /** The number of records, by an estimate, from which on an answer is processed in slices. Default: 5,000. */
  readonly above?: number;
  /** The longest duration of a slice, in milliseconds. Default: 8. */
  readonly milliseconds?: number;
  readonly platform?: Pick<Platform, 'now' | 'setTimeout'>;
}

/** Processes a large answer in slices. */
export interface Slicing {
  /**
   * `undefined` if the answer is not that of a read, or not large. Otherwise the promise resolves when all that is left is to
   * store the answer. It resolves to a function to call after that. The work stops as soon as the answer is not wanted any more.
   */
  slice(
    store: Store,
    request: Pick<RequestInFlight, 'call' | 'sentArgs' | 'ticket'>,
    response: unknown,
    isWanted: () => boolean,
  ): Promise<() => Promise<void>> | undefined;
}

/**
 * Processes large answers without long tasks: the page stays responsive while an answer is stored and while its values are built.
 * Readers see all of an answer or nothing of it.
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

  slice(
    ...[store, { call, sentArgs, ticket }, input, isWanted]: Parameters<Slicing['slice']>
  ): ReturnType<Slicing['slice']> {
    const { endpoint } = call;
    if (endpoint.sideEffect || endpoint.whole === true || !endpoint.schema || sizeOf(input, MAX_DEPTH) < this.#above)
      return undefined;
    return this.#prepare(store, ticket, { schema: endpoint.schema, input, args: sentArgs ?? call.args }, isWanted);
  }

  async #prepare(
    store: Store,
    request: Ticket,
    given: AnswerToPrepare,
    isWanted: () => boolean,
  ): Promise<() => Promise<void>> {
    const { writer } = store;
    const prepared = writer.prepare(request, new PreparedWrite(writer, request, given));
    await this.#run(prepared.walk(), isWanted);
    return () => this.#run(prepared.read(), isWanted);
  }

  async #run(work: Generator<undefined>, isWanted: () => boolean): Promise<void> {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one slice after another
      await this.#yieldToPage();
      if (!isWanted()) return;
      const end = this.#platform.now() + this.#milliseconds;
      do if (work.next().done === true) return;
      while (this.#platform.now() < end);
    }
  }

  /** Yields to other tasks. */
  #yieldToPage(): Promise<void> {
    return new Promise((resolve) => void this.#platform.setTimeout(resolve, 0));
  }
}

/** How deep an answer is searched for lists. */
const MAX_DEPTH = 6;

/** Estimates the number of records: all items of a list count as much as its first item. */
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
