import { equalPlain } from '../../std/plain.ts';
import { canRead, formOf } from '../denormalize/form.ts';
import type { Space } from '../tables/space.ts';
import type { StateSource } from './request-cells.ts';
import type { Note, RequestState, Result } from './request-state.ts';

const NOTHING: RequestState = { results: [], note: undefined };
/** The result of a request of which there is nothing but a guess. */
const GUESSED: Result = {
  schema: undefined,
  args: [],
  stored: undefined,
  stamp: { issue: 0, fetchedAt: 0, date: 0, expiresAt: Number.POSITIVE_INFINITY },
};

/** What is known of each request, by request key. */
export class RequestStates {
  /** In order of use, without what is guessed. */
  readonly #states = new Map<string, RequestState>();
  /** Those of which guesses make others. */
  readonly #guessed = new Map<string, RequestState>();
  readonly #space: Space;

  constructor(space: Space) {
    this.#space = space;
  }

  /** What readers see. */
  get(key: string): RequestState | undefined {
    return this.#guessed.get(key) ?? this.#states.get(key);
  }

  /** What there is without guesses. */
  readonly confirmed: StateSource = {
    get: (key) => this.#states.get(key),
    readable: (state, schema) => this.readable(state, schema),
  };

  entries(): IterableIterator<[string, RequestState]> {
    return this.#states.entries();
  }

  /** Every latest result, by request key. */
  *results(): Generator<readonly [string, Result]> {
    for (const [key, { results }] of this.#states) for (const result of results.slice(0, 1)) yield [key, result];
  }

  /** What a key is to be known for with a result. The answer to an earlier request than the stored one is not taken. */
  with(key: string, result: Result): RequestState {
    const state = this.#states.get(key) ?? NOTHING;
    return state.results.length === 0 ? { ...state, results: [result] } : this.#withAnother(state, result);
  }

  #withAnother(state: RequestState, result: Result): RequestState {
    const { results, note } = state;
    const before = results.find((known) => this.#isOfForm(known, result.schema));
    // Another array: who does not see the later answer yet, sees that there was one.
    if (before !== undefined && before.stamp.issue > result.stamp.issue) return { results: [...results], note };
    const isSame = before !== undefined && equalPlain(before.stored, result.stored);
    const next = isSame ? { ...result, stored: before.stored } : result;
    const others = results.filter((known) => known !== before);
    const later = others.filter(({ stamp }) => stamp.issue > result.stamp.issue);
    return { results: [...later, next, ...others.filter((other) => !later.includes(other))], note };
  }

  /** What a key is to be known for with a note. */
  noted(key: string, note: Note | undefined): RequestState | undefined {
    const state = this.#states.get(key);
    const { results } = state ?? NOTHING;
    if (state?.note === note) return state;
    return results.length === 0 && note === undefined ? undefined : { results, note };
  }

  /** What a key is to be known for without results. */
  without(key: string): RequestState | undefined {
    const { note } = this.#states.get(key) ?? NOTHING;
    return note && { results: [], note };
  }

  /** Guesses make something else of the latest result; or, with `undefined`, nothing. */
  guess(key: string, over: (stored: unknown) => { readonly stored: unknown } | undefined): void {
    const { results, note } = this.#states.get(key) ?? NOTHING;
    const [latest = GUESSED, ...others] = results;
    const guessed = over(latest.stored);
    if (guessed === undefined) this.#guessed.delete(key);
    else this.#guessed.set(key, { results: [{ ...latest, ...guessed }, ...others], note });
  }

  /** The same that a key is known for, as another object. */
  again(key: string): RequestState {
    return { ...NOTHING, ...this.#states.get(key) };
  }

  set(key: string, state: RequestState | undefined): void {
    // What was answered last stands last.
    this.#states.delete(key);
    if (state !== undefined) this.#states.set(key, state);
  }

  /** The result that a schema can read; without a schema, the latest. */
  readable(state: RequestState | undefined, schema: unknown): Result | undefined {
    return state?.results.find((result) => this.#isOfForm(result, schema));
  }

  /** What was restored knows of no schema, and is read by whichever comes. */
  #isOfForm(result: Result, schema: unknown): boolean {
    if (result.schema === schema || schema === undefined) return true;
    const { planOf } = this.#space;
    if (result.schema === undefined) return canRead(planOf(schema), result.stored);
    return formOf(planOf(result.schema), planOf) === formOf(planOf(schema), planOf);
  }

  /** Counts as used now: of requests that are not observed, the one used longest ago goes first. */
  use(key: string): void {
    this.set(key, this.#states.get(key));
  }
}
