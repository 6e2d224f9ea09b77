import { DataError } from '../../src/index.ts';
import { isEqual, refsIn, printed } from './equality.ts';
import type { VisibleState } from './visible-state.ts';
import { ANSWERS, EVERY, Ref, Temporary, UNREADABLE, nameOf } from './placeholders.ts';
import { refsOf } from './refs.ts';
import type { Fields, Lists, Tables } from './shape.ts';

/** The store differs from the model. */
export class Divergence extends Error {}

/** One record, list or answer as it was last read. */
interface Sighting {
  readonly object: unknown;
  readonly step: number;
  readonly structure: unknown;
  readonly inner: readonly unknown[];
}

type Known = Map<string, { readonly structure: unknown; readonly since: number }>;

/**
 * Compares a store with the model, including records in circles: two values are equal if they have the same refs at the same places, and
 * the records of these refs are equal. Keeps the objects that were read, to compare identity.
 */
export class Comparison {
  readonly #unnamed: ReadonlySet<Temporary> | undefined;
  readonly #tables: Tables;
  readonly #lists: Lists;
  #step = 0;
  /** The structure of every record and list, and the step in which it last changed. */
  #structures: Known = new Map();
  /** The row of every record and list, and the step in which it last changed. */
  #raw: Known = new Map();
  #sightings = new Map<string, Sighting>();
  /** The objects that were read in this step. */
  #met = new Map<string, unknown>();
  readonly #ahead: Ref[] = [];
  #inner: unknown[] = [];

  /** `unnamed`: the records that have temporary pks at the moment that is compared. */
  constructor(tables: Tables, lists: Lists, unnamed?: ReadonlySet<Temporary>) {
    this.#unnamed = unnamed;
    this.#tables = tables;
    this.#lists = lists;
  }

  /** Begins a step. The store is compared with `visible` until the next step. */
  begin(visible: VisibleState, answers: ReadonlyMap<string, unknown>): void {
    this.#step++;
    this.#beginRaw(visible, answers);
    this.#met = new Map();
    const structures: Known = new Map();
    for (const [name, value] of visible.values) this.#keep(structures, this.#structures, name, value);
    for (const name of this.#structures.keys())
      if (!structures.has(name)) this.#keep(structures, this.#structures, name, undefined);
    this.#structures = structures;
  }

  #beginRaw(visible: VisibleState, answers: ReadonlyMap<string, unknown>): void {
    const raw: Known = new Map();
    for (const [table, rows] of visible.rows)
      for (const [pk, row] of rows) this.#keep(raw, this.#raw, nameOf(table, pk), row);
    for (const [key, answer] of answers) this.#keep(raw, this.#raw, nameOf(ANSWERS, key), answer);
    for (const name of this.#raw.keys()) if (!raw.has(name)) this.#keep(raw, this.#raw, name, undefined);
    this.#raw = raw;
  }

  get step(): number {
    return this.#step;
  }

  /** Forgets all objects that were read, because the store was replaced. */
  forget(): void {
    this.#sightings = new Map();
  }

  /** Forgets the objects that were read, except those of these readers and records. */
  forgetAllBut(readers: readonly { readonly name: string }[], records: ReadonlySet<string>): void {
    const kept = new Set([...records, ...readers.map(({ name }) => name)]);
    for (const name of [...this.#sightings.keys()]) if (!kept.has(name)) this.#sightings.delete(name);
  }

  #keep(now: Known, before: Known, name: string, structure: unknown): void {
    const known = before.get(name);
    now.set(
      name,
      known !== undefined && isEqual(known.structure, structure) ? known : { structure, since: this.#step },
    );
  }

  /** Returns the step of the last change in `structure`, including the records that it contains. */
  changedIn(structure: unknown): number {
    let last = 0;
    const seen = new Set<string>();
    const ahead = refsIn(structure);
    for (let ref = ahead.pop(); ref !== undefined; ref = ahead.pop()) {
      if (seen.has(ref.name)) continue;
      seen.add(ref.name);
      const known = this.#structures.get(ref.name);
      last = Math.max(last, known?.since ?? 0);
      refsIn(known?.structure, ahead);
    }
    return last;
  }

  /** Returns whether a row that these roots lead to has changed after a step. */
  isTouched(roots: readonly Ref[], after: number): boolean {
    for (const name of this.reach(roots)) if ((this.#raw.get(name)?.since ?? 0) > after) return true;
    return false;
  }

  /** Returns the names of all rows that these roots lead to, including missing rows. */
  reach(roots: readonly Ref[]): ReadonlySet<string> {
    const reached = new Set<string>();
    const ahead = [...roots];
    for (let ref = ahead.pop(); ref !== undefined; ref = ahead.pop()) {
      if (reached.has(ref.name)) continue;
      reached.add(ref.name);
      if (ref.pk === EVERY) ahead.push(...this.#everyOf(ref.table));
      const row = this.#raw.get(ref.name)?.structure;
      const list = this.#lists.get(ref.table);
      if (list !== undefined) refsOf(list.content, row, ahead);
      else refsOf({ kind: 'object', fields: this.#tables[ref.table]?.fields ?? {} }, row, ahead);
    }
    return reached;
  }

  #everyOf(table: string): Ref[] {
    const names = [...this.#raw.keys()].filter((name) => name.startsWith(`${table} `));
    return names.map((name) => new Ref(table, name.slice(table.length + 1)));
  }

  /** Compares a value that was read. `object` is the value whose identity counts, if `actual` is a copy of it. */
  compare(name: string, roots: readonly Ref[], expected: unknown, actual: unknown, object: unknown): void {
    this.#inner = [];
    if (expected instanceof Ref) this.#match(expected, actual, name);
    else this.#compareObject(name, roots, expected, actual, object);
    for (let ref = this.#ahead.pop(); ref !== undefined; ref = this.#ahead.pop()) {
      const met = this.#met.get(ref.name);
      this.#compareObject(ref.name, [ref], this.#structures.get(ref.name)?.structure, met, met);
    }
  }

  #compareObject(name: string, roots: readonly Ref[], structure: unknown, actual: unknown, object: unknown): void {
    this.#inner = [];
    this.#match(structure, actual, name);
    if (typeof object !== 'object' || object === null) return void this.#sightings.delete(name);
    this.#compareIdentity(name, roots, structure, object);
    this.#sightings.set(name, { object, step: this.#step, structure, inner: this.#inner });
  }

  #compareIdentity(name: string, roots: readonly Ref[], structure: unknown, actual: object): void {
    const before = this.#sightings.get(name);
    if (before === undefined) return;
    if (before.object === actual) {
      if (!isEqual(before.structure, structure) || !sameObjects(before.inner, this.#inner))
        throw new Divergence(
          `${name} has changed inside: it was ${printed(before.structure)}, is ${printed(structure)}`,
        );
      return;
    }
    if (!this.isTouched(roots, before.step))
      throw new Divergence(`${name} is another object although nothing of it has changed: ${printed(structure)}`);
  }

  #match(expected: unknown, actual: unknown, path: string): void {
    if (expected instanceof Ref) return this.#meet(expected, actual, path);
    if (expected instanceof Temporary) return this.#match(this.#pkOf(expected), actual, path);
    if (expected === UNREADABLE && actual instanceof DataError) return;
    if (typeof expected !== 'object' || expected === null || expected instanceof Date) {
      if (!isEqual(expected, actual))
        throw new Divergence(`${path} should be ${printed(expected)}, is ${printed(actual)}`);
      return;
    }
    if (typeof actual !== 'object' || actual === null || Array.isArray(expected) !== Array.isArray(actual))
      throw new Divergence(`${path} should be ${printed(expected)}, is ${printed(actual)}`);
    const names = Object.keys(expected);
    if (names.length !== Object.keys(actual).length)
      throw new Divergence(`${path} should have ${names.join()}, has ${Object.keys(actual).join()}`);
    for (const name of names) {
      if (!Object.hasOwn(actual, name)) throw new Divergence(`${path} should have ${names.join()}, lacks ${name}`);
      this.#match((expected as Fields)[name], (actual as Fields)[name], `${path}.${name}`);
    }
  }

  #pkOf(temporary: Temporary): string | undefined {
    return this.#unnamed?.has(temporary) === true ? temporary.actual : (temporary.becomes ?? temporary.actual);
  }

  #meet(ref: Ref, actual: unknown, path: string): void {
    this.#inner.push(actual);
    const met = this.#met.get(ref.name);
    if (met === undefined) {
      const list = this.#lists.get(ref.table);
      const isOfClass = list
        ? Array.isArray(actual) === (list.content.kind === 'list')
        : (actual as { constructor?: { key?: string } } | null | undefined)?.constructor?.key === ref.table;
      if (!isOfClass) throw new Divergence(`${path} should be ${ref.name}, is ${printed(actual)}`);
      this.#met.set(ref.name, actual);
      this.#ahead.push(ref);
    } else if (met !== actual) {
      throw new Divergence(`${path} should be the one object of ${ref.name}, is ${printed(actual)}`);
    }
  }
}

/** Returns whether two values contain the same objects. The names of a map have no order. */
function sameObjects(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.every((object, at) => object === other[at])) return true;
  return one.length === other.length && one.every((object) => other.includes(object));
}
