import { equalPlain } from '../../std/plain.ts';
import { canRead, formOf } from '../denormalize/form.ts';
import type { Space } from '../tables/space.ts';
import type { StateSource } from './request-cells.ts';
import type { Note, RequestState, Result } from './request-state.ts';

const NOTHING: RequestState = { results: [], note: undefined };
/** The result of a request that only has a guess. It is stale, so that readers fetch it. */
const GUESSED: Result = {
  schema: undefined,
  args: [],
  stored: undefined,
  stamp: { issue: 0, fetchedAt: 0, date: 0, expiresAt: 1 },
};

/** The state of each request, by request key. */
export class RequestStates {
  /** In the order of use, without guesses. */
  readonly #states = new Map<string, RequestState>();
  /** The states that guesses have changed. */
  readonly #guessed = new Map<string, RequestState>();
  readonly #space: Space;

  constructor(space: Space) {
    this.#space = space;
  }

  /** Returns the state that readers see. */
  get(key: string): RequestState | undefined {
    return this.#guessed.get(key) ?? this.#states.get(key);
  }

  /** Reads the states without guesses. */
  readonly confirmed: StateSource = {
    get: (key) => this.#states.get(key),
    readable: (state, schema) => this.readable(state, schema),
  };

  entries(): IterableIterator<[string, RequestState]> {
    return this.#states.entries();
  }

  /** Returns the latest result of each request. */
  *results(): Generator<readonly [string, Result]> {
    for (const [key, { results }] of this.#states) for (const result of results.slice(0, 1)) yield [key, result];
  }

  /**
   * Returns the state of a key with a new result. The answer of an earlier request does not replace the stored one, unless that is the answer of a
   * page which the list has lost by this write (`isCut`).
   */
  withResult(key: string, result: Result, isCut: boolean = false): RequestState {
    const state = this.#states.get(key) ?? NOTHING;
    return state.results.length === 0 ? { ...state, results: [result] } : this.#withResultAmong(state, result, isCut);
  }

  #withResultAmong(state: RequestState, result: Result, isCut: boolean): RequestState {
    const { results, note } = state;
    // A result of another store has no schema, so its data is compared with the schemas of the others.
    const before = results.find((known) =>
      result.schema === undefined ? this.#isOfForm(result, known.schema) : this.#isOfForm(known, result.schema),
    );
    // A new array, so that an earlier store, which does not have the later answer, sees that an answer arrived.
    const isLost = isCut && before?.isOfPage === true;
    if (!isLost && before !== undefined && before.stamp.issue > result.stamp.issue)
      return { results: [...results], note };
    const isSame = before !== undefined && equalPlain(before.stored, result.stored);
    const next = isSame ? { ...result, stored: before.stored } : result;
    const others = results.filter((known) => known !== before);
    const later = others.filter(({ stamp }) => stamp.issue > result.stamp.issue);
    return { results: [...later, next, ...others.filter((other) => !later.includes(other))], note };
  }

  /** Returns the state of a key with a note. */
  withNote(key: string, note: Note | undefined): RequestState | undefined {
    const state = this.#states.get(key);
    const { results } = state ?? NOTHING;
    if (state?.note === note) return state;
    return results.length === 0 && note === undefined ? undefined : { results, note };
  }

  /** Returns the state of a key without results. */
  withoutResults(key: string): RequestState | undefined {
    const { note } = this.#states.get(key) ?? NOTHING;
    return note && { results: [], note };
  }

  /** Sets the latest result as guesses change it. `guessOver` returns undefined if no guess changes it. */
  guess(key: string, guessOver: (stored: unknown) => { readonly stored: unknown } | undefined): void {
    const { results, note } = this.#states.get(key) ?? NOTHING;
    const [latest = GUESSED, ...others] = results;
    const guessed = guessOver(latest.stored);
    const isNothing = results.length === 0 && guessed?.stored === undefined;
    if (guessed === undefined || isNothing) this.#guessed.delete(key);
    else this.#guessed.set(key, { results: [{ ...latest, ...guessed }, ...others], note });
  }

  /** Returns a copy of the state of a key. */
  copyOf(key: string): RequestState {
    return { ...NOTHING, ...this.#states.get(key) };
  }

  set(key: string, state: RequestState | undefined): void {
    // Deleted first, so that the key moves to the end of the order.
    this.#states.delete(key);
    if (state !== undefined) this.#states.set(key, state);
  }

  /** Returns the result that a schema can read. Without a schema, the latest one. */
  readable(state: RequestState | undefined, schema: unknown): Result | undefined {
    const results = state?.results;
    return schema === undefined ? results?.[0] : results?.find((result) => this.#isOfForm(result, schema));
  }

  /** Returns whether a schema can read a result. A restored result has no schema, so only its data is compared. */
  #isOfForm(result: Result, schema: unknown): boolean {
    if (result.schema === schema) return true;
    const { planOf } = this.#space;
    if (result.schema === undefined) return canRead(planOf(schema), result.stored, planOf);
    return formOf(planOf(result.schema), planOf) === formOf(planOf(schema), planOf);
  }

  /** Marks a request as used now. Of the requests that nothing shows, the least recently used one is removed first. */
  use(key: string): void {
    this.set(key, this.#states.get(key));
  }
}
