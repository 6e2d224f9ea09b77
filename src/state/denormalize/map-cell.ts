import type { SchemaSimple } from '../../define/schema/schema.ts';
import { changedNames, copyWithout } from '../../std/map-entries.ts';
import { setOwn } from '../../std/plain.ts';
import { Cell, type Failed, type Parts } from '../graph/cell.ts';
import type { Items } from './items.ts';

type MapEntries = Readonly<Record<string, unknown>>;

/** With more changes than this, rebuilding the whole map is faster than finding the entries. */
const MAX_PATCHED = 64;

/**
 * The value of a stored map. It is patched: the value is copied, and only changed entries are set or deleted. Entries that are missing,
 * invalid or falsy are left out.
 */
export class MapCell extends Cell {
  readonly schema: SchemaSimple;
  /** The cells of the entries, in the order of `#names`. The array belongs to this cell and is changed in place. */
  override parts: (Cell | undefined)[] = [];
  #names: string[] = [];
  readonly #items: Items;
  readonly #isFrozen: boolean;
  #stored: MapEntries;
  #linked: MapEntries | undefined = undefined;
  /** The cells of the entries that have changed since the last build. `undefined`: not known, so the next build reads all of them. */
  #changedMembers: Cell[] | undefined = undefined;
  /** The names whose stored entries have changed since the last build. */
  readonly #changedNames = new Set<string>();
  /** The value that `isChanged` built to compare it with the old one. */
  #nextValue: MapEntries | undefined = undefined;

  constructor(schema: SchemaSimple, items: Items, isFrozen: boolean, stored: object) {
    super();
    this.schema = schema;
    this.#items = items;
    this.#isFrozen = isFrozen;
    this.#stored = stored as MapEntries;
  }

  store(stored: object): void {
    this.#stored = stored as MapEntries;
    this.clean = this.clean && stored === this.#linked;
  }

  override get isInside(): boolean {
    return true;
  }

  override noteReplaced(): void {
    for (const part of this.parts) part?.unlinkFrom(this);
    this.parts = [];
    this.#names = [];
    this.#linked = undefined;
  }

  override markUncleanBy(part: Cell): boolean {
    if (this.#changedMembers !== undefined) {
      if (this.#changedMembers.length < this.parts.length) this.#changedMembers.push(part);
      else this.#changedMembers = undefined;
    }
    return super.markUncleanBy(part);
  }

  override fail(failed: Failed): void {
    super.fail(failed);
    this.#changedMembers = undefined;
    this.#nextValue = undefined;
  }

  override prepare(): Parts {
    if (this.#stored !== this.#linked) this.#link();
    return this.#changedMembers ?? this.parts;
  }

  #link(): void {
    const names = this.#linked && changedNames(this.#linked, this.#stored);
    this.#linked = this.#stored;
    if (names === undefined || names.length > MAX_PATCHED) this.#linkAll();
    else for (const name of names) this.#linkOne(name, this.#names.indexOf(name));
  }

  #linkAll(): void {
    const old = new Map(this.#names.map((name, slot) => [name, this.parts[slot]]));
    this.#names = Object.keys(this.#stored);
    this.link(this.#names.map((name) => this.#items.cellOf(this.#stored[name], old.get(name))));
    this.#changedMembers = undefined;
  }

  #linkOne(name: string, slot: number): void {
    const before = this.parts[slot];
    const isThere = Object.hasOwn(this.#stored, name);
    const part = isThere ? this.#items.cellOf(this.#stored[name], before) : undefined;
    if (slot < 0) {
      this.#names.push(name);
      this.parts.push(part);
    } else if (isThere) this.parts[slot] = part;
    else {
      this.#names.splice(slot, 1);
      this.parts.splice(slot, 1);
    }
    // Entries are set in the order in which they arrived.
    this.#changedNames.delete(name);
    this.#changedNames.add(name);
    part?.linkTo(this);
    if (part !== undefined) this.#changedMembers?.push(part);
    if (before === undefined || this.parts.includes(before)) return;
    before.unlinkFrom(this);
    this.#changedMembers = this.#changedMembers?.filter((cell) => cell !== before);
  }

  override isChanged(): boolean {
    const old = this.value as MapEntries | undefined;
    if (old === undefined) return true;
    const patched = this.#patched(old);
    this.#nextValue = patched ?? this.#whole({});
    return patched === undefined ? !hasSameEntries(old, this.#nextValue) : patched !== old;
  }

  override open(isInCycle: boolean): void {
    if (isInCycle) this.value = {};
  }

  override fill(isInCycle: boolean): void {
    if (isInCycle) {
      const value = this.value as Record<string, unknown>;
      for (const name of Object.keys(value)) delete value[name];
      this.#whole(value);
    } else this.value = this.#nextValue ?? this.#whole({});
  }

  override seal(): void {
    this.#changedMembers = [];
    this.#changedNames.clear();
    this.#nextValue = undefined;
    if (this.#isFrozen) Object.freeze(this.value);
  }

  #whole(value: object): MapEntries {
    for (const [slot, name] of this.#names.entries()) {
      const entry = this.#shown(slot);
      if (entry) setOwn(value, name, entry);
    }
    return value as MapEntries;
  }

  /** Returns the old value with the changes applied, or `undefined` if the whole map must be rebuilt. */
  #patched(old: MapEntries): MapEntries | undefined {
    if (this.#changedMembers === undefined || this.#changedMembers.length + this.#changedNames.size > MAX_PATCHED)
      return undefined;
    const slots = new Map<string, number>();
    for (const name of this.#changedNames) slots.set(name, this.#names.indexOf(name));
    for (const part of this.#changedMembers)
      for (let slot = this.parts.indexOf(part); slot >= 0; slot = this.parts.indexOf(part, slot + 1))
        slots.set(this.#names[slot] as string, slot);
    let value = old;
    const gone = Array.from(slots).flatMap(([name, slot]) =>
      this.#shown(slot) || !Object.hasOwn(old, name) ? [] : name,
    );
    const copy = (): Record<string, unknown> => (value === old ? (value = copyWithout(old, gone)) : value);
    if (gone.length > 0) copy();
    for (const [name, slot] of slots) {
      const entry = this.#shown(slot);
      const isShown = Object.hasOwn(value, name);
      if (!entry || (isShown && value[name] === entry)) continue;
      // A new entry can only be added at the end of an object.
      if (!isShown && this.#isBeforeOthers(slot, value)) return undefined;
      setOwn(copy(), name, entry);
    }
    return value;
  }

  #isBeforeOthers(slot: number, value: MapEntries): boolean {
    for (let later = slot + 1; later < this.#names.length; later++)
      if (Object.hasOwn(value, this.#names[later] as string)) return true;
    return false;
  }

  /** Returns the value of a slot. A falsy value is left out. */
  #shown(slot: number): unknown {
    const stored = slot < 0 ? undefined : this.#stored[this.#names[slot] as string];
    return stored && this.#items.valueOf(this.parts[slot], stored);
  }
}

function hasSameEntries(one: MapEntries, other: MapEntries): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && one[name] === other[name])
  );
}
