import { pksIn, withPks } from '../../control/controller/pks-in-text.ts';
import { isPlain } from '../../std/plain.ts';
import { replaceTexts } from '../../std/plain-text.ts';

/** The records of a store, as far as they tell which pks have replaced temporary ones. */
interface CreatedRecords {
  pkOf(table: string, pk: string): string;
  row(table: string, pk: string): unknown;
}

/**
 * Temporary pks differ from one start of the application to the next. Saved entries have those of the start in which they were made. This
 * table translates them to those of the present start, and back.
 */
export class SavedPks {
  readonly #present = new Map<string, unknown>();
  readonly #saved = new Map<string, unknown>();

  /** Notes that the record that a saved entry creates has another temporary pk in this start. */
  noteTemporary(saved: string, present: string): void {
    this.#present.set(saved, present);
    this.#saved.set(present, saved);
  }

  /** Notes that a record was created: `id` is its pk on the server. */
  noteCreated(saved: string, id: unknown): void {
    const present = this.#present.get(saved);
    if (typeof present === 'string') this.#saved.set(present, id);
    this.#saved.set(saved, id);
    this.#present.delete(saved);
  }

  /** The arguments of a saved entry, with the pks of this start. */
  toPresent(args: readonly unknown[]): readonly unknown[] {
    return withReplaced(args, this.#present);
  }

  /** Arguments of this start, with the pks of saved entries. */
  toSaved(args: readonly unknown[]): readonly unknown[] {
    return withReplaced(args, this.#saved);
  }

  /** The pk of a record on the server, by the pk in saved arguments. `undefined` if it has no other pk now. */
  idOf(store: CreatedRecords, table: string, saved: string): unknown {
    const [present] = this.toPresent([saved]);
    const pk = store.pkOf(table, String(present));
    if (pk === present) return undefined;
    const { id } = Object(store.row(table, pk)) as { readonly id?: unknown };
    return String(id) === pk ? id : pk;
  }

  clear(): void {
    this.#present.clear();
    this.#saved.clear();
  }
}

/** A copy of arguments in which some pks are replaced. The same arguments if none is in them. */
export function withReplaced(args: readonly unknown[], replaced: ReadonlyMap<string, unknown>): readonly unknown[] {
  if (replaced.size === 0) return args;
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
