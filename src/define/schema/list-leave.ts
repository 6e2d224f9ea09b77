import { differencesOf } from '../../std/splice.ts';
import { includes, nameOf, withoutAll } from './collection-members.ts';
import { type ListEdit, removedBy } from './list-edits.ts';

/**
 * The members that the edits of guesses remove from a list. When an answer removes them from the list below, readers see no change. The time to
 * repeat all edits would grow with their number.
 */
export class LeaveEdits {
  /** The list below the edits. */
  #base: readonly unknown[];
  /** How many edits remove a member, by its name. */
  readonly #counts = new Map<unknown, number>();
  /** The members that no edit removes any more, by name. */
  readonly #left = new Map<unknown, unknown>();

  private constructor(base: readonly unknown[]) {
    this.#base = base;
  }

  /** Returns the edits of a list. `undefined` if it is not a list, or if an edit does not remove members. */
  static of(base: unknown, edits: readonly ListEdit[]): LeaveEdits | undefined {
    if (!Array.isArray(base)) return undefined;
    const made = new LeaveEdits(base);
    return made.add(edits) ? made : undefined;
  }

  /** Adds the edits of a new guess. Returns false if one of them does not remove members. */
  add(edits: readonly ListEdit[]): boolean {
    if (this.#left.size > 0 || edits.some(({ repeat }) => repeat !== withoutAll)) return false;
    for (const member of membersOf(edits)) {
      const name = nameOf(member);
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    }
    return true;
  }

  /** Removes the edits of a guess that is over. */
  remove(edits: readonly ListEdit[]): void {
    for (const member of membersOf(edits)) {
      const name = nameOf(member);
      const count = this.#counts.get(name) as number;
      if (count > 1) {
        this.#counts.set(name, count - 1);
        continue;
      }
      this.#counts.delete(name);
      this.#left.set(name, member);
    }
  }

  /** Returns the list that readers see, if it is the same over a base. `undefined` if the edits have to be repeated. */
  over(base: unknown, shown: object): object | undefined {
    if (!Array.isArray(base)) return undefined;
    const changes = differencesOf(this.#base, base);
    const { at = 0, added = 0 } = changes.at(-1) ?? {};
    const isHidden = (member: unknown): boolean => this.#counts.has(nameOf(member));
    const wasHidden = (member: unknown): boolean => isHidden(member) || this.#left.has(nameOf(member));
    const isSame =
      removedBy(this.#base, changes).every(wasHidden) &&
      base.slice(at, at + added).every(isHidden) &&
      ![...this.#left.values()].some((member) => includes(base, member));
    this.#base = base;
    this.#left.clear();
    return isSame ? shown : undefined;
  }
}

function membersOf(edits: readonly ListEdit[]): readonly unknown[] {
  return edits.flatMap(({ incoming }) => Object.values(incoming) as readonly unknown[]);
}
