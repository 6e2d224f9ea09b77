import { changedNames, withEntries } from '../../std/map-entries.ts';
import { equalPlain } from '../../std/plain.ts';
import { isObject } from './fields.ts';
import { assign } from './collection-members.ts';
import type { RepeatEdits, RowEdit, RowState } from './row.ts';
import type { TrackedEdits } from './tracked-edits.ts';

/** Sets entries of a map. */
export const ASSIGN: RepeatEdits = {
  over: (map, edits) => assign(map, Object.fromEntries(edits.flatMap(({ incoming }) => Object.entries(incoming)))),
};

type EditedMap = Readonly<Record<string, unknown>>;

/**
 * The entries that the edits of guesses set in a map. When an edit is over, or the map below has changed, only the entries concerned are set
 * again. The time to repeat all edits would grow with their number.
 */
export class MapEdits implements TrackedEdits {
  /** The map below the edits. `undefined` until the edits are applied for the first time. */
  #base: EditedMap | undefined = undefined;
  /** The edits that set an entry, by its name. The last one decides. */
  readonly #byName = new Map<string, EditedMap[]>();
  /** The names of entries whose edits have changed. */
  readonly #touched = new Set<string>();

  /** Returns the edits of a map. `undefined` if it is not a map, or if an edit does not set entries. */
  static of(base: RowState, edits: readonly RowEdit[]): MapEdits | undefined {
    if (!isObject(base) || Array.isArray(base)) return undefined;
    const made = new MapEdits();
    return made.add(edits) ? made : undefined;
  }

  /** Adds the edits of a new guess. Returns false if one of them does not set entries. */
  add(edits: readonly RowEdit[]): boolean {
    if (edits.some(({ repeat }) => repeat !== ASSIGN)) return false;
    for (const { incoming } of edits)
      for (const name of Object.keys(incoming)) {
        const others = this.#byName.get(name);
        if (others === undefined) this.#byName.set(name, [incoming as EditedMap]);
        else others.push(incoming as EditedMap);
        this.#touched.add(name);
      }
    return true;
  }

  /** Removes the edits of a guess that is over. */
  remove(edits: readonly RowEdit[]): void {
    for (const { incoming } of edits)
      for (const name of Object.keys(incoming)) {
        const others = this.#byName.get(name) as EditedMap[];
        others.splice(others.indexOf(incoming as EditedMap), 1);
        if (others.length === 0) this.#byName.delete(name);
        this.#touched.add(name);
      }
  }

  applyTo(base: RowState, shown: RowState): object | undefined {
    if (!isObject(base) || Array.isArray(base)) return undefined;
    const known = this.#base;
    const changed = known === undefined ? [] : (changedNames(known, base) ?? differing(known, base));
    const names = new Set([...this.#touched, ...changed]);
    this.#base = base;
    this.#touched.clear();
    const isFirst = known === undefined;
    if (this.#byName.size === 0) {
      const isSame = isFirst ? equalPlain(base, shown) : haveSame(names, base, shown as EditedMap);
      return isSame ? (shown as object) : base;
    }
    const entries: [string, unknown][] = [];
    const gone: string[] = [];
    for (const name of names) {
      const from = this.#byName.get(name)?.at(-1) ?? base;
      if (Object.hasOwn(from, name)) entries.push([name, from[name]]);
      else gone.push(name);
    }
    const made = withEntries(isFirst ? base : (shown as object), entries, gone);
    return isFirst && equalPlain(made, shown) ? (shown as object) : made;
  }
}

/** Returns whether two maps have the same entries of these names. */
function haveSame(names: Iterable<string>, one: EditedMap, other: EditedMap): boolean {
  for (const name of names)
    if (Object.hasOwn(one, name) !== Object.hasOwn(other, name) || !equalPlain(one[name], other[name])) return false;
  return true;
}

/** Returns the names of entries that only one of two maps has, or that differ. */
function differing(old: EditedMap, now: EditedMap): readonly string[] {
  if (old === now) return [];
  const isOther = (name: string): boolean => !Object.hasOwn(old, name) || !equalPlain(old[name], now[name]);
  return [...Object.keys(now).filter(isOther), ...Object.keys(old).filter((name) => !Object.hasOwn(now, name))];
}
