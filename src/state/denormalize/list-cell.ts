import { Cell, type Failed, MAX_LENGTH_TO_SEARCH, type Parts } from '../graph/cell.ts';
import { isParent } from '../graph/edges.ts';
import type { ListPlan } from '../tables/plan.ts';
import type { Cells } from './cells.ts';
import {
  copyOf,
  differencesOf,
  type ListParts,
  replaceStretch,
  setListParts,
  type Splice,
  withRange,
} from '../../std/splice.ts';
import { Gaps, NO_GAPS } from './gaps.ts';
import { Items } from './items.ts';
import { USUAL, type Variant } from './variant.ts';

/**
 * The value of a stored list. A long list is patched: the array is copied, and only the slots of changed members are updated. Missing and
 * invalid members are left out.
 */
export class ListCell extends Cell implements ListParts {
  readonly plan: ListPlan;
  /** The cells of the members. The array belongs to this cell and is changed in place. */
  override parts: (Cell | undefined)[] = [];
  readonly #items: Items;
  readonly #isFrozen: boolean;
  #stored: readonly unknown[];
  #linked: readonly unknown[] | undefined = undefined;
  /** Members that other records may have replaced since the list was linked, because their pks became aliases. */
  #renamed: readonly Cell[] = NO_MEMBERS;
  /** The members that have changed since the last build. `undefined`: not known, so the next build reads all of them. */
  #changedMembers: Cell[] | undefined = undefined;
  /** The differences to the members of the last build: see `differencesOf`. */
  #splices: readonly Splice[] = NO_SPLICES;
  /** The first of the slots that were filled last. The members that joined last are those that most often change. */
  #lastFilled = 0;
  /** Whether a member is, or was, in more than one slot. */
  hasRepeats = false;
  #gaps = NO_GAPS;
  /** The value that `isChanged` built to compare it with the old one. */
  #nextValue: readonly unknown[] | undefined = undefined;

  constructor(plan: ListPlan, cells: Cells, variant: Variant, stored: readonly unknown[]) {
    super();
    this.plan = plan;
    this.#items = new Items(plan.item, cells, variant);
    this.#isFrozen = cells.isFrozen;
    this.#stored = stored;
  }

  store(stored: readonly unknown[]): void {
    this.#stored = stored;
    this.clean = this.clean && stored === this.#linked;
  }

  /** Whether the list shows the usual values of its members. */
  get isUsual(): boolean {
    return this.#items.variant === USUAL;
  }

  override get isInside(): boolean {
    return true;
  }

  override noteReplaced(part?: Cell): void {
    if (part !== undefined) {
      this.#renamed = [...this.#renamed, part];
      return;
    }
    for (const member of this.parts) member?.unlinkFrom(this);
    this.parts = [];
    this.#linked = undefined;
    this.#renamed = NO_MEMBERS;
  }

  override markUncleanBy(part: Cell): boolean {
    if (this.#changedMembers !== undefined) {
      if (this.#changedMembers.length === 0) this.#changedMembers = [part];
      else if (this.#changedMembers.length < this.parts.length) this.#changedMembers.push(part);
      else this.#changedMembers = undefined;
    }
    return super.markUncleanBy(part);
  }

  override fail(failed: Failed): void {
    super.fail(failed);
    this.#changedMembers = undefined;
    this.#splices = NO_SPLICES;
    this.#nextValue = undefined;
  }

  override prepare(): Parts {
    if (!this.isLinkedTo(this.#stored)) this.#link();
    if (this.#changedMembers === undefined) return this.parts;
    const last = this.#splices.at(-1);
    if (last === undefined) return this.#changedMembers;
    return [...this.#changedMembers, ...this.parts.slice(last.at, last.at + last.added)];
  }

  /** Updates the members from the stored list. Usually all are the same except for one range in the middle. */
  #link(): void {
    const now = this.#stored;
    const old = this.#linked;
    this.#linked = now;
    if (old === undefined) {
      this.hasRepeats = false;
      const members = new Array<Cell | undefined>(now.length);
      for (let slot = 0; slot < now.length; slot++) this.#linkTo((members[slot] = this.#items.cellOf(now[slot])));
      this.parts = members;
      this.#changedMembers = undefined;
      return;
    }
    // Set at the first change and not at the first build: until a full garbage collection, the entry keeps the cells of a dropped store in memory, such as that of a page rendered on a server.
    if (now.length > MAX_LENGTH_TO_SEARCH) setListParts(now, this);
    for (const part of this.#renamed) this.#findRenamed(part, old);
    this.#renamed = NO_MEMBERS;
    const splices = differencesOf(old, now);
    if (splices.length === 0) return;
    this.#relink(splices, now);
    // Members that were added in an earlier splice may have moved again, so patching is given up.
    const isContinued = this.#splices.every(({ added }) => added === 0);
    if (isContinued) this.#splices = [...this.#splices, ...splices];
    else this.#changedMembers = undefined;
  }

  /** Finds the cells again for the slots of this member. */
  #findRenamed(part: Cell, old: readonly unknown[]): void {
    part.unlinkFrom(this);
    this.#changedMembers = this.#changedMembers?.filter((member) => member !== part);
    for (let slot = this.#slotOf(part, 0); slot >= 0; slot = this.#nextSlot(part, slot)) {
      // The slot has a record again.
      const member = this.#items.cellOf(old[slot]) as Cell;
      this.parts[slot] = member;
      this.#linkTo(member);
      this.#changedMembers?.push(member);
    }
  }

  #relink(splices: readonly Splice[], now: readonly unknown[]): void {
    const gone = new Set<Cell | undefined>();
    let added: readonly (Cell | undefined)[] = [];
    for (const splice of splices) {
      added = now.slice(splice.at, splice.at + splice.added).map((stored) => this.#items.cellOf(stored));
      for (const member of replaceStretch(this.parts, splice, added)) gone.add(member);
      this.#lastFilled = splice.at;
    }
    for (const member of added) if (!gone.delete(member)) this.#linkTo(member);
    gone.delete(undefined);
    // A member can be in the list twice. It stays linked while one of its slots is left.
    if (this.hasRepeats && gone.size > 0) for (const member of this.parts) gone.delete(member);
    if (gone.size === 0) return;
    for (const member of gone) member?.unlinkFrom(this);
    // Removed members need not be built.
    if (this.#changedMembers !== undefined && this.#changedMembers.length > 0)
      this.#changedMembers = this.#changedMembers.filter((member) => !gone.has(member));
  }

  #linkTo(member: Cell | undefined): void {
    if (member === undefined) return;
    if (isParent(member.parents, this)) this.hasRepeats = true;
    else member.linkTo(this);
  }

  has(member: unknown): boolean {
    return member instanceof Cell && isParent(member.parents, this);
  }

  isLinkedTo(list: readonly unknown[]): boolean {
    return list === this.#linked && this.#renamed.length === 0;
  }

  memberOf(stored: unknown): Cell | undefined {
    return this.isUsual ? this.#items.cellOf(stored) : undefined;
  }

  override isChanged(): boolean {
    const old = this.value as readonly unknown[] | undefined;
    if (old === undefined) return true;
    const patched = this.#patched(old);
    this.#nextValue = patched ?? this.#whole();
    return patched === undefined ? !haveSameItems(old, this.#nextValue) : patched !== old;
  }

  override open(isInCycle: boolean): void {
    if (isInCycle) this.value = [];
  }

  override fill(isInCycle: boolean): void {
    if (isInCycle) {
      const value = this.value as unknown[];
      value.length = 0;
      for (const item of this.#whole()) value.push(item);
      return;
    }
    this.value = this.#nextValue ?? this.#whole();
  }

  override seal(): void {
    this.#changedMembers = NO_MEMBERS;
    this.#splices = NO_SPLICES;
    this.#nextValue = undefined;
    if (this.#isFrozen) Object.freeze(this.value);
  }

  #whole(): unknown[] {
    // A copy to overwrite, because appending item by item would leave unused capacity in the array.
    const value: unknown[] = this.parts.slice();
    let count = 0;
    this.#gaps = NO_GAPS;
    for (let slot = 0; slot < this.parts.length; slot++) {
      const item = this.#shown(slot);
      if (item === undefined) this.#addGap(slot);
      else value[count++] = item;
    }
    value.length = count;
    return value;
  }

  /** Returns the old array with the changes applied, or `undefined` if there are too many to apply one by one. */
  #patched(old: readonly unknown[]): readonly unknown[] | undefined {
    const changed = this.#changedMembers;
    if (changed === undefined || changed.length + this.#splices.length > MAX_PATCHED) return undefined;
    if ((this.#splices.at(-1)?.added ?? 0) > MAX_PATCHED) return undefined;
    let value: unknown[] | undefined;
    for (const splice of this.#splices) value = this.#spliced(splice, old, value);
    let last = 0;
    for (const member of changed) {
      for (let slot = this.#slotOf(member, last); slot >= 0; slot = this.#nextSlot(member, slot)) {
        value = this.#put(slot, old, value);
        last = slot;
      }
    }
    // One change may have removed what another has put back.
    return value === undefined || (this.#splices.length > 1 && haveSameItems(old, value)) ? old : value;
  }

  /** Returns the first slot of a member. Members mostly change in the order of the list, so it is searched after the last found slot first. */
  #slotOf(member: Cell, last: number): number {
    if (this.hasRepeats) return this.parts.indexOf(member);
    if (this.parts[this.#lastFilled] === member) return this.#lastFilled;
    const after = this.parts.indexOf(member, last);
    return after >= 0 ? after : this.parts.indexOf(member);
  }

  #nextSlot(member: Cell, slot: number): number {
    return this.hasRepeats ? this.parts.indexOf(member, slot + 1) : -1;
  }

  /** Applies a splice to `copy`. Without a copy, makes one from the old array if the splice changes it. */
  #spliced(splice: Splice, old: readonly unknown[], copy: unknown[] | undefined): unknown[] | undefined {
    const at = this.#gaps.indexOf(splice.at);
    const removed = this.#gaps.indexOf(splice.at + splice.removed) - at;
    this.#gaps.replace(splice);
    const items: unknown[] = [];
    for (let slot = splice.at; slot < splice.at + splice.added; slot++) {
      const item = this.#shown(slot);
      if (item === undefined) this.#addGap(slot);
      else items.push(item);
    }
    const value = copy ?? old;
    if (items.length === removed && items.every((item, index) => item === value[at + index])) return copy;
    const stretch = { at, removed, added: items.length };
    if (copy === undefined) return withRange(old, stretch, items);
    replaceStretch(copy, stretch, items);
    return copy;
  }

  /** Applies the value of a slot to `copy`. Without a copy, makes one from the old array if the slot has changed. */
  #put(slot: number, old: readonly unknown[], copy: unknown[] | undefined): unknown[] | undefined {
    const item = this.#shown(slot);
    const hasGaps = this.#gaps !== NO_GAPS;
    const at = hasGaps ? this.#gaps.indexOf(slot) : slot;
    const wasGap = hasGaps && this.#gaps.has(slot);
    if (wasGap ? item === undefined : item === (copy ?? old)[at]) return copy;
    const value = copy ?? copyOf(old);
    if (item === undefined) {
      this.#addGap(slot);
      value.splice(at, 1);
    } else if (wasGap) {
      this.#gaps.delete(slot);
      value.splice(at, 0, item);
    } else value[at] = item;
    return value;
  }

  #addGap(slot: number): void {
    if (this.#gaps === NO_GAPS) this.#gaps = new Gaps();
    this.#gaps.add(slot);
  }

  #shown(slot: number): unknown {
    return this.#items.valueOf(this.parts[slot], this.#stored[slot]);
  }
}

/** Shared by all lists without changed members. Never changed. */
const NO_MEMBERS: Cell[] = [];

const NO_SPLICES: readonly Splice[] = [];

/** With more changes than this, rebuilding the whole list is faster than finding the slots. */
const MAX_PATCHED = 64;

function haveSameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  // From the end, because long lists mostly change there.
  for (let at = one.length - 1; at >= 0; at--) if (one[at] !== other[at]) return false;
  return true;
}
