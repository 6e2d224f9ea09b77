import { firstIndex } from '../../std/first-index.ts';
import { memo } from '../../std/memo.ts';
import { closeList, spliced } from '../../std/splice.ts';
import { indexIn, type MergeMembers, missingIn, memberName } from './collection-members.ts';
import type { Issued, NormalizeDelegate } from './delegate.ts';
import type { Row, StoredCollection } from './row.ts';

/** Where mutations add members to a list: at an end, or in the order of the list. */
export type JoinTarget = 'first' | 'last' | 'ordered';

/** A member that a mutation has added. */
interface IssuedMember {
  readonly member: unknown;
  readonly target: JoinTarget;
  /** When the mutation was issued. */
  readonly issue: number;
}

/** Returns the index of a member in a list, or -1. */
type Find = (list: readonly unknown[], member: unknown) => number;

/**
 * The members that mutations have added to a list while earlier mutations were pending. When one of these adds a member, it stands before the members
 * of later mutations, or, at the start of the list, behind them.
 */
export class JoinedMembers {
  /** All members, in the order of issue. */
  readonly #all: IssuedMember[] = [];
  readonly #byName = new Map<unknown, IssuedMember>();

  /** Returns a member with its issue, if a mutation has added it. */
  of(member: unknown): IssuedMember | undefined {
    return this.#all.length === 0 ? undefined : this.#byName.get(memberName(member));
  }

  /** Returns the index for a member that is added at an end of a list: at this end, or beside the member that was issued next. */
  indexAt(end: JoinTarget, list: readonly unknown[], issue: number, find: Find = indexIn): number {
    for (let at = this.#firstAfter(issue); at < this.#all.length; at++) {
      const { member, target } = this.#all[at] as IssuedMember;
      const index = target === end ? find(list, member) : -1;
      if (index >= 0) return end === 'first' ? index + 1 : index;
    }
    return end === 'first' ? 0 : list.length;
  }

  /** Notes members that a mutation has added. */
  note(members: Iterable<unknown>, target: JoinTarget, issue: number): void {
    for (const member of members) {
      const joined = { member, target, issue };
      this.#byName.set(memberName(member), joined);
      this.#all.splice(this.#firstAfter(issue), 0, joined);
    }
  }

  /** Forgets the members of earlier mutations than one. */
  forgetBefore(issue: number): void {
    for (const { member } of this.#all.splice(0, this.#firstAfter(issue))) this.#byName.delete(memberName(member));
  }

  /** Returns whether a list has the members at its ends, in the order of issue. */
  areAtEndsOf(list: readonly unknown[]): boolean {
    const indexesOf = (end: JoinTarget): number[] =>
      this.#all
        .map(({ member, target }) => (target === end ? indexIn(list, member) : -1))
        .filter((index) => index >= 0);
    const [first, last] = [indexesOf('first').reverse(), indexesOf('last')];
    return (
      first.every((index, at) => index === at) && last.every((index, at) => index === list.length - last.length + at)
    );
  }

  /** Returns the index in `#all` of the first member that was issued after an issue. */
  #firstAfter(issue: number): number {
    return firstIndex(this.#all, (other) => other.issue > issue);
  }
}

/** The joined members of the lists of a table, by list. */
class JoinedLists extends Map<string, JoinedMembers> {
  /** Forgets all lists but these. */
  forget(lists: Pick<ReadonlyMap<string, unknown>, 'has'>): void {
    for (const list of this.keys()) if (!lists.has(list)) this.delete(list);
  }
}

type Notes = ReadonlyMap<string, unknown>;

function listsIn(notes: Notes): JoinedLists | undefined {
  return notes.get('joined') as JoinedLists | undefined;
}

/** Returns the joined members of a list, given the notes of its table. */
export function joinedIn(notes: Notes, list: string): JoinedMembers | undefined {
  return listsIn(notes)?.get(list);
}

/** Forgets the joined members of a list that was read, unless the server has them in the order of issue too. */
export function compareWithJoined(table: string, { pk, row }: StoredCollection, delegate: NormalizeDelegate): void {
  const lists = listsIn(delegate.notes(table));
  if (lists?.get(pk)?.areAtEndsOf(row as readonly unknown[]) === false) lists.delete(pk);
}

/** Adds the members of the answer of a mutation to a list, in the order of issue. */
export class IssueOrder {
  readonly #joined: JoinedMembers;
  readonly #issued: Issued;

  constructor(joined: JoinedMembers, issued: Issued) {
    this.#joined = joined;
    this.#issued = issued;
  }

  /** Returns the issue order of a list. `undefined` if no member was added while an earlier mutation was pending. */
  static of(table: string, list: StoredCollection, delegate: NormalizeDelegate): IssueOrder | undefined {
    const { issued } = delegate;
    if (issued === undefined) return undefined;
    const known = delegate.notes(table);
    if (issued.issue > issued.oldestPending) {
      const lists = memo(known, 'joined', () => new JoinedLists()) as JoinedLists;
      memo(lists, list.pk, () => new JoinedMembers());
    }
    const joined = joinedIn(known, list.pk);
    // `note` reads the list as it was before.
    if (joined !== undefined) closeList(list.row);
    return joined && new IssueOrder(joined, issued);
  }

  /** Returns a function that adds members at an end of the list, in the order of issue. */
  merge(end: 'first' | 'last'): MergeMembers {
    return (existing: readonly unknown[], incoming: readonly unknown[]) => {
      const added = missingIn(existing, incoming);
      if (added.length === 0) return existing;
      return spliced(existing, this.#joined.indexAt(end, existing, this.#issued.issue), 0, added);
    };
  }

  /** Returns whether members at the end of a list were issued later. */
  hasLaterAtEnd(list: Row): boolean {
    const members = list as readonly unknown[];
    return this.#joined.indexAt('last', members, this.#issued.issue) < members.length;
  }

  /** Returns whether a member was issued later. */
  isLater(member: unknown): boolean {
    return Number(this.#joined.of(member)?.issue) > this.#issued.issue;
  }

  /** Notes that members were added. `list` is the list before that. */
  note(list: Row, members: readonly unknown[], target: JoinTarget): void {
    const { issue, oldestPending } = this.#issued;
    if (issue > oldestPending) this.#joined.note(missingIn(list as readonly unknown[], members), target, issue);
    this.#joined.forgetBefore(oldestPending);
  }
}
