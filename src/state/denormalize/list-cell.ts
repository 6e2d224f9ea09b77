import { INVALID } from '../../define/schema/schema.ts';
import { freezePlain } from '../../std/plain.ts';
import { Cell, type Failed, FEW, membership, type Parts } from '../graph/cell.ts';
import type { ListPlan } from '../tables/plan.ts';
import { converted } from './converted.ts';
import type { Cells } from './cells.ts';
import { differenceOf, replaceStretch, type Splice, withStretch } from '../../std/splice.ts';
import { USUAL, type Variant } from './variant.ts';

/**
 * The value of a stored list. A long list is patched: the array is copied and only the slots of members that changed
 * are looked at. Members that are missing or invalid have no slot; while there are any, the list is made anew.
 */
export class ListCell extends Cell {
  readonly plan: ListPlan;
  /** The cells of its members. Its own: changed in place. */
  override parts: (Cell | undefined)[] = [];
  readonly #cells: Cells;
  readonly #variant: Variant;
  #stored: readonly unknown[];
  #linked: readonly unknown[] | undefined = undefined;
  /** The members that changed since the last build; `undefined` when any may have. */
  #dirty: Cell[] | undefined = undefined;
  /** How the members differ from those of the last build, while they differ in one place at the most. */
  #splice: Splice | undefined = undefined;
  #hasGaps = false;
  /** The value that `isChanged` made to compare it with the old one. */
  #made: readonly unknown[] | undefined = undefined;

  constructor(plan: ListPlan, cells: Cells, variant: Variant, stored: readonly unknown[]) {
    super();
    this.plan = plan;
    this.#cells = cells;
    this.#variant = variant;
    this.#stored = stored;
  }

  store(stored: readonly unknown[]): void {
    this.#stored = stored;
    this.clean = this.clean && stored === this.#linked;
  }

  /** Whether it shows the usual values of its members. */
  get isUsual(): boolean {
    return this.#variant === USUAL;
  }

  override get isInside(): boolean {
    return true;
  }

  override replaced(): void {
    for (const member of this.parts) member?.unlinkFrom(this);
    this.parts = [];
    this.#linked = undefined;
  }

  override spoil(part: Cell): boolean {
    if (this.#dirty !== undefined) {
      if (this.#dirty.length < this.parts.length) this.#dirty.push(part);
      else this.#dirty = undefined;
    }
    return super.spoil(part);
  }

  override fail(failed: Failed): void {
    super.fail(failed);
    this.#dirty = undefined;
    this.#splice = undefined;
    this.#made = undefined;
  }

  override prepare(): Parts {
    if (this.#stored !== this.#linked) this.#link();
    if (this.#dirty === undefined) return this.parts;
    if (this.#splice === undefined) return this.#dirty;
    const { at, added } = this.#splice;
    return [...this.#dirty, ...this.parts.slice(at, at + added)];
  }

  /** Brings the members in line with what is stored: all but one stretch in the middle are usually the same. */
  #link(): void {
    const now = this.#stored;
    const old = this.#linked;
    this.#linked = now;
    if (old === undefined) {
      this.parts = now.map((stored) => this.#find(stored));
      for (const member of this.parts) member?.linkTo(this);
      this.#dirty = undefined;
      return;
    }
    const splice = differenceOf(old, now);
    if (splice === undefined) return;
    const added = now.slice(splice.at, splice.at + splice.added).map((stored) => this.#find(stored));
    const removed = replaceStretch(this.parts, splice, added);
    for (const member of added) member?.linkTo(this);
    // A member may stand in the list twice: it stays linked while it stands anywhere.
    const stays = removed.length > FEW ? membership(this.parts) : (member: Cell) => this.parts.includes(member);
    for (const member of removed) if (member !== undefined && !stays(member)) member.unlinkFrom(this);
    // A second change before the first was built: too much to keep account of.
    if (this.#splice !== undefined) this.#dirty = undefined;
    this.#splice = splice;
  }

  #find(stored: unknown): Cell | undefined {
    return stored === null ? undefined : this.#cells.find(this.plan.item, stored, this.#variant, undefined);
  }

  override isChanged(): boolean {
    const old = this.value as readonly unknown[] | undefined;
    if (old === undefined) return true;
    const patched = this.#patched(old);
    this.#made = patched ?? this.#whole();
    return patched === undefined ? !sameItems(old, this.#made) : patched !== old;
  }

  override open(inCycle: boolean): void {
    if (inCycle) this.value = [];
  }

  override fill(inCycle: boolean): void {
    if (inCycle) {
      const value = this.value as unknown[];
      value.length = 0;
      for (const item of this.#whole()) value.push(item);
      return;
    }
    this.value = this.#made ?? this.#whole();
  }

  override seal(): void {
    this.#dirty = [];
    this.#splice = undefined;
    this.#made = undefined;
    if (this.#cells.frozen) Object.freeze(this.value);
  }

  #whole(): unknown[] {
    // A copy to write over: growing an array item by item would leave it half empty.
    const value: unknown[] = this.parts.slice();
    let count = 0;
    for (let at = 0; at < this.parts.length; at++) {
      const member = this.parts[at];
      const item = member === undefined ? this.#plain(at) : member.value;
      if (item !== undefined && item !== INVALID) value[count++] = item;
    }
    this.#hasGaps = count < value.length;
    value.length = count;
    return value;
  }

  /** The old array with what changed put in; `undefined` where slots and members are not in step. */
  #patched(old: readonly unknown[]): readonly unknown[] | undefined {
    if (this.#hasGaps || this.#dirty === undefined || this.#dirty.length > MOST_PATCHED) return undefined;
    if (this.#splice !== undefined && this.#splice.added > MOST_PATCHED) return undefined;
    let value: unknown[] | undefined;
    if (this.#splice !== undefined) {
      const { at, added } = this.#splice;
      const items: unknown[] = [];
      for (let slot = at; slot < at + added; slot++) items.push(this.#shown(slot));
      if (items.includes(undefined)) return undefined;
      value = withStretch(old, this.#splice, items);
    }
    for (const member of this.#dirty) {
      for (let slot = this.parts.indexOf(member); slot >= 0; slot = this.parts.indexOf(member, slot + 1)) {
        if (member.value === undefined || member.value === INVALID) return undefined;
        if ((value ?? old)[slot] === member.value) continue;
        value ??= old.slice();
        value[slot] = member.value;
      }
    }
    return value ?? old;
  }

  /** An item that is no record. */
  #plain(slot: number): unknown {
    const { item } = this.plan;
    const stored = this.#stored[slot];
    const value = item.kind === 'convert' ? converted(item.convert, stored, {}) : stored;
    return this.#cells.frozen ? freezePlain(value) : value;
  }

  #shown(slot: number): unknown {
    const member = this.parts[slot];
    if (member === undefined) return this.#plain(slot);
    return member.value === INVALID ? undefined : member.value;
  }
}

/** With more changes than this, going through the whole list is quicker than finding the slots. */
const MOST_PATCHED = 64;

function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
