import { changedNames, withEntries } from '../../std/entries.ts';
import { equalPlain } from '../../std/plain.ts';
import { assignAll } from './collection-members.ts';
import { isObject } from './fields.ts';
import type { ListEdit } from './list-edits.ts';

type EditedMap = Readonly<Record<string, unknown>>;

/**
 * The entries that the edits of guesses set in a map. When an edit is over, or the map below has changed, only the entries concerned are set
 * again. The time to repeat all edits would grow with their number.
 */
export class MapEdits {
  /** The map below the edits. */
  #base: EditedMap;
  /** The edits that set an entry, by its name. The last one decides. */
  readonly #byName = new Map<string, EditedMap[]>();
  /** The names of entries whose edits are over. */
  readonly #left = new Set<string>();

  private constructor(base: EditedMap) {
    this.#base = base;
  }

  /** Returns the edits of a map. `undefined` if it is not a map, or if an edit does not set entries. */
  static of(base: unknown, edits: readonly ListEdit[]): MapEdits | undefined {
    if (!isObject(base) || Array.isArray(base)) return undefined;
    const made = new MapEdits(base);
    return made.add(edits) ? made : undefined;
  }

  /** Adds the edits of a new guess. Returns false if one of them does not set entries. */
  add(edits: readonly ListEdit[]): boolean {
    if (edits.some(({ repeat }) => repeat !== assignAll)) return false;
    for (const { incoming } of edits)
      for (const name of Object.keys(incoming)) {
        const others = this.#byName.get(name);
        if (others === undefined) this.#byName.set(name, [incoming as EditedMap]);
        else others.push(incoming as EditedMap);
      }
    return true;
  }

  /** Removes the edits of a guess that is over. */
  remove(edits: readonly ListEdit[]): void {
    for (const { incoming } of edits)
      for (const name of Object.keys(incoming)) {
        const others = this.#byName.get(name) as EditedMap[];
        others.splice(others.indexOf(incoming as EditedMap), 1);
        if (others.length === 0) this.#byName.delete(name);
        this.#left.add(name);
      }
  }

  /**
   * Returns the map with the present edits over a base. `shown` is the map with the former edits over the former base. `undefined` if the
   * base is not a map.
   */
  over(base: unknown, shown: object): object | undefined {
    if (!isObject(base) || Array.isArray(base)) return undefined;
    const names = new Set([...this.#left, ...(changedNames(this.#base, base) ?? differing(this.#base, base))]);
    this.#base = base;
    this.#left.clear();
    if (this.#byName.size === 0) return base;
    const entries: [string, unknown][] = [];
    const gone: string[] = [];
    for (const name of names) {
      const from = this.#byName.get(name)?.at(-1) ?? base;
      if (Object.hasOwn(from, name)) entries.push([name, from[name]]);
      else gone.push(name);
    }
    return withEntries(shown, entries, gone);
  }
}

/** Returns the names of entries that only one of two maps has, or that differ. */
function differing(old: EditedMap, now: EditedMap): readonly string[] {
  if (old === now) return [];
  const isOther = (name: string): boolean => !Object.hasOwn(old, name) || !equalPlain(old[name], now[name]);
  return [...Object.keys(now).filter(isOther), ...Object.keys(old).filter((name) => !Object.hasOwn(now, name))];
}
