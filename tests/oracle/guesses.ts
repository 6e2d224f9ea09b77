import type { All, Store } from '../../src/index.ts';
import type { Change } from './history.ts';
import type { Model } from './model.ts';
import { Temporary } from './placeholders.ts';
import { callOf, everyOf, guessOf, recordsWithoutPk, named, tableOf, writeOf } from './changes.ts';
import type { Fields } from './shape.ts';
import { addGuess } from '../../src/state/store/layer.ts';

export interface Pending {
  readonly layer: ReturnType<typeof addGuess>;
  readonly change: Change;
  /** One temporary pk for each record of the guess that has no pk. */
  readonly temporaries: readonly Temporary[];
  /** The record that the guess edits, if another guess creates that record. */
  readonly about: Temporary | undefined;
  /** Which fields of nested records the guess edits. */
  readonly edits: Map<string, boolean>;
}

/** The pending guesses of a history, in the order in which they were made. */
export class Guesses {
  readonly #pending = new Map<number, Pending>();
  /** The records without a pk of all guesses that were ever made. */
  readonly all: Temporary[] = [];
  #serverPks = 0;
  /** The temporary pks that have been read from this store. */
  readonly #known = new Set<string>();

  guess(store: Store, at: number, change: Change): void {
    if (this.#pending.has(at)) return;
    const temporaries = recordsWithoutPk(change).map(() => this.#temporary());
    const about = change.kind === 'touch' ? this.#pending.get(change.layer)?.temporaries[0] : undefined;
    if (change.kind === 'touch' && about?.actual === undefined) return;
    const layer = addGuess(store, (snapshot) => {
      const made = guessOf(change, about?.actual, (table, pk) => snapshot.row(table, pk));
      if (made === undefined) return undefined;
      const { schema, input, args } = callOf(made);
      return { schema, response: input, args };
    });
    this.#pending.set(at, { layer, change, temporaries, about, edits: new Map() });
  }

  #temporary(): Temporary {
    const temporary = new Temporary(`temporary ${this.all.length}`);
    this.all.push(temporary);
    return temporary;
  }

  /** Returns the name of a record in the model, given its pk in the store. */
  nameOf(pk: string): string {
    return this.all.find(({ actual }) => actual === pk)?.name ?? pk;
  }

  /** Reads the temporary pks of new records from the store. Not to be called inside a batch, because it reads. */
  learn(store: Store): void {
    for (const { change, temporaries } of this.#pending.values()) {
      if (temporaries.every(({ actual }) => actual !== undefined)) continue;
      const all = (store.get(everyOf.get(tableOf(change)) as All) ?? []) as readonly { id: string }[];
      const fresh = all.map(({ id }) => id).filter((id) => id.startsWith('temp:') && !this.#known.has(id));
      for (const [nth, temporary] of temporaries.entries()) temporary.actual = fresh[nth];
      for (const { actual } of temporaries) if (actual !== undefined) this.#known.add(actual);
    }
  }

  /** Returns a function that restores the present guesses. It returns whether any of them had been removed. */
  memo(): () => boolean {
    const pending = [...this.#pending];
    const known = [...this.#known];
    const names = pending.flatMap(([, { temporaries }]) => temporaries.map((one) => [one, one.becomes] as const));
    return () => {
      const isWhole = pending.every(([at, one]) => this.#pending.get(at) === one);
      this.#pending.clear();
      for (const [at, one] of pending) this.#pending.set(at, one);
      for (const [one, becomes] of names) one.becomes = becomes;
      for (const pk of known) this.#known.add(pk);
      return !isWhole;
    };
  }

  take(at: number): Pending | undefined {
    const pending = this.#pending.get(at);
    this.#pending.delete(at);
    return pending;
  }

  /** The records that have no pk of the server yet. */
  get unnamed(): ReadonlySet<Temporary> {
    const all = [...this.#pending.values()].flatMap(({ temporaries, about }) => [
      ...temporaries,
      ...(about ? [about] : []),
    ]);
    return new Set(all.filter(({ becomes }) => becomes === undefined));
  }

  /** Whether no pending guess creates or edits a record with a temporary pk. */
  get areAllNamed(): boolean {
    return [...this.#pending.values()].every(
      ({ temporaries, about }) => temporaries.length === 0 && about === undefined,
    );
  }

  clear(): void {
    this.#pending.clear();
    this.#known.clear();
  }

  /** Returns the answer of a guess. The answer of a create has the same records, with pks of the server. Any other guess gets `given`. */
  confirmation({ change, temporaries }: Pending, given: Change): Change {
    if (temporaries.length === 0 || (change.kind !== 'push' && change.kind !== 'unshift')) return given;
    const left = [...temporaries];
    const serverPk = (): string => `s${++this.#serverPks}`;
    const name = (record: Fields): Fields => {
      if ('id' in record) return record;
      const id = serverPk();
      (left.shift() as Temporary).becomes = id;
      return { ...record, id };
    };
    const input = Array.isArray(change.input) ? change.input.map(name) : name(change.input as Fields);
    return { ...change, input };
  }

  /** Returns what readers should see now: the confirmed model, with every pending guess made again over it. */
  over(base: Model): Model {
    if (this.#pending.size === 0) return base;
    const visible = base.copy();
    for (const { change, about, edits, temporaries } of this.#pending.values()) {
      const made = guessOf(named(change, temporaries), about, (table, pk) => visible.row(table, pk));
      if (made !== undefined) visible.write(writeOf(made), Number.POSITIVE_INFINITY, { edits, confirmed: base });
    }
    return visible;
  }
}
