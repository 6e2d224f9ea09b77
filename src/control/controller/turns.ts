import type { Store } from '../../state/store/store.ts';
import type { RequestInFlight } from './request-in-flight.ts';
import { nameOf } from './mutated-record.ts';

/** A mutation in its line. */
interface Turn {
  readonly request: RequestInFlight;
  /** Kept when it and those before it are over. */
  readonly over: Promise<unknown>;
  /** Its place among all. */
  readonly place: number;
}

/** The lines in which mutations wait for each other: `serial` of their endpoints. */
export class Turns {
  readonly #store: Store;
  /** The last one of each line. */
  readonly #last = new Map<string, Turn>();
  /** The last ones of the lines of records that were still being created: these lines have other names since. */
  readonly #unnamed = new Map<string, Turn>();
  #count = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Puts a mutation at the end of its line. Resolves when the one before it is over; `undefined` where none is. */
  take(request: RequestInFlight): Promise<unknown> | undefined {
    const line = this.#lineOf(request);
    if (line === undefined) return undefined;
    const before = this.#lastOf(line)?.over;
    const { pk } = request.mutation?.subject ?? {};
    const lines = pk !== undefined && this.#store.isTemporary(pk) ? this.#unnamed : this.#last;
    // One that is ended while it waits does not let the next one pass those before it.
    const over = Promise.allSettled([before, request.promise]);
    const turn: Turn = { request, over, place: ++this.#count };
    lines.set(line, turn);
    void over.then(() => lines.get(line) === turn && lines.delete(line));
    return before;
  }

  #lastOf(line: string): Turn | undefined {
    let last = this.#last.get(line);
    for (const turn of this.#unnamed.values())
      if (turn.place > (last?.place ?? 0) && this.#lineOf(turn.request) === line) last = turn;
    return last;
  }

  /** Names the line: a record that was still being created when it was asked for has another pk now. */
  #lineOf({ asked: { endpoint, args, key }, mutation }: RequestInFlight): string | undefined {
    const { serial } = endpoint;
    if (typeof serial === 'function') return serial(...args);
    if (serial !== true) return undefined;
    const { entity, pk } = mutation?.subject ?? {};
    return entity === undefined || pk === undefined ? key : nameOf(entity.key, this.#store.pkOf(entity.key, pk));
  }
}
