import { pksIn, withPks } from '../../control/controller/pks-in-text.ts';
import { isPlain } from '../../std/plain.ts';
import { replaceTexts } from '../../std/plain-text.ts';

/** The records of a store, as far as they tell which pks have replaced temporary ones. */
interface CreatedRecords {
  pkOf(table: string, pk: string): string;
  row(table: string, pk: string): unknown;
}

/**
 * Temporary pks differ from one start of the application to the next. Kept entries have those of the start in which they were made; this
 * table translates them to those of this start, and back.
 */
export class TemporaryNames {
  readonly #own = new Map<string, unknown>();
  readonly #kept = new Map<string, unknown>();

  /** The record that a kept entry creates has another temporary pk in this start. */
  learn(kept: string, own: string): void {
    this.#own.set(kept, own);
    this.#kept.set(own, kept);
  }

  /** The record was created: `id` is what the server calls it. */
  settle(kept: string, id: unknown): void {
    const own = this.#own.get(kept);
    if (typeof own === 'string') this.#kept.set(own, id);
    this.#kept.set(kept, id);
    this.#own.delete(kept);
  }

  /** Kept arguments in the terms of this start. */
  own(args: readonly unknown[]): readonly unknown[] {
    return withReplaced(args, this.#own);
  }

  /** Arguments of this start in the terms of kept entries. */
  kept(args: readonly unknown[]): readonly unknown[] {
    return withReplaced(args, this.#kept);
  }

  /** What the server calls a record, by the pk in kept arguments. `undefined` if it has no other pk now. */
  idOf(store: CreatedRecords, table: string, kept: string): unknown {
    const [own] = this.own([kept]);
    const pk = store.pkOf(table, String(own));
    if (pk === own) return undefined;
    const { id } = Object(store.row(table, pk)) as { readonly id?: unknown };
    return String(id) === pk ? id : pk;
  }

  clear(): void {
    this.#own.clear();
    this.#kept.clear();
  }
}

/** A copy of arguments in which some pks are replaced. The same arguments if none is in them. */
export function withReplaced(args: readonly unknown[], replaced: ReadonlyMap<string, unknown>): readonly unknown[] {
  return replaceTexts(args, (text) =>
    withPks(text, (pk) => (replaced.has(pk) ? replaced.get(pk) : pk)),
  ) as readonly unknown[];
}

/** All texts in arguments, and the temporary pks inside longer texts. */
export function namesIn(args: readonly unknown[]): ReadonlySet<string> {
  return new Set(Array.from(textsIn(args), (text) => [text, ...pksIn(text)]).flat());
}

/** All texts in arguments. */
export function textsIn(value: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value === 'string') found.add(value);
  else if (value instanceof FormData) for (const [, field] of value) textsIn(field, found);
  else if (isPlain(value)) for (const member of Object.values(value)) textsIn(member, found);
  return found;
}
