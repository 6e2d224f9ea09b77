import type { Store } from '../../state/store/store.ts';
import type { Flight } from './flight.ts';
import { nameOf } from './subject.ts';

/** The lines in which mutations wait for each other: `serial` of their endpoints. */
export class Turns {
  readonly #store: Store;
  /** Those that are not over, in the order of issue, with the promise that they and those before them are. */
  readonly #lines = new Map<Flight, Promise<unknown>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Puts a mutation at the end of its line. Resolves when the one before it is over; `undefined` where none is. */
  take(flight: Flight): Promise<unknown> | undefined {
    const line = this.#lineOf(flight);
    if (line === undefined) return undefined;
    let turn: Promise<unknown> | undefined;
    for (const [other, over] of this.#lines) if (this.#lineOf(other) === line) turn = over;
    // One that is ended while it waits does not let the next one pass those before it.
    const over = Promise.allSettled([turn, flight.promise]).then(() => this.#lines.delete(flight));
    this.#lines.set(flight, over);
    return turn;
  }

  /** Names the line: a record that was still being created when it was asked for has another pk now. */
  #lineOf({ asked: { endpoint, args, key }, mutation }: Flight): string | undefined {
    const { serial } = endpoint;
    if (typeof serial === 'function') return serial(...args);
    if (serial !== true) return undefined;
    const { entity, pk } = mutation?.subject ?? {};
    return entity === undefined || pk === undefined ? key : nameOf(entity.key, this.#store.pkOf(entity.key, pk));
  }
}
