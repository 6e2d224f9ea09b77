import { warn } from '../../std/warn.ts';
import { memberText } from './collection-key.ts';
import { memberName } from './collection-members.ts';
import type { NormalizeDelegate } from './delegate.ts';

/** The evidence of answers about the rule of one argument, or about the rule for one value of it. Never changed, only replaced. */
interface Evidence {
  /** Whether a member of an answered list confirmed the rule. */
  readonly isConfirmed?: boolean;
  /** Whether an answer contradicted the rule. */
  readonly isRefuted?: boolean;
  /** How many records in a row joined a list by the rule and were missing in the next answer. */
  readonly absent?: number;
}

/** What is known of a list. Never changed, only replaced. */
interface ListNote {
  /**
   * Set only for a last page: one that was not full when it arrived, or that was the last by its total. The value is whether it came inside an
   * object, which may name the next page.
   */
  readonly last?: boolean | undefined;
  /** Whether it is a full page that came inside an object which had neither a total nor other values, such as the cursor of the next page. */
  readonly isUnnamed?: boolean;
  /** The size of a list that arrived without an argument for pages, and that is only the first page by its total. */
  readonly first?: number | undefined;
  /** The issue of the last request that had been sent when the list arrived. */
  readonly arrival?: number;
  /** Whether it is a page that has more records than its size, because records joined it since it arrived. */
  readonly isGrown?: boolean;
  /** The members that joined by a rule since the last answer. */
  readonly joined?: Set<unknown> | undefined;
  /** The members that were removed since the last answer, without being deleted. */
  readonly left?: Map<unknown, unknown> | undefined;
  /** The members that belonged behind the last one of a page at some time. A further page in flight may lack them. */
  readonly behind?: Map<unknown, unknown> | undefined;
}

/** How an answer contradicts a rule of the lists of a table, for the warning. */
export interface ListFinding {
  readonly table: string;
  readonly what: string;
}

/**
 * How many records must be missing before a confirmed rule is dropped. A single record can be missing because another user has changed it.
 */
const MAX_ABSENT = 3;

/** How many members are noted of a list, because messages may change it for days without another answer. */
const MAX_NOTED = 10_000;

/**
 * Which rules of a collection are trusted. An answer that contradicts a rule turns it off: for this value of the argument if other answers
 * confirmed the rule, otherwise for all values. Lists that depend on a rule that is off are requested from the server.
 */
export class Trust {
  /** By argument, and by argument and value. */
  readonly #evidence = new Map<string, Evidence | undefined>();
  readonly #lists = new Map<string, ListNote | undefined>();
  #areNamesPks = false;
  #isAnyFirst = false;
  #lastArrival = 0;
  /** Whether lists arrive with other values beside them that may depend on their members, such as the cursor of the next page. */
  isAccompanied = false;

  /** Returns the instance for a table of collections. */
  static in(table: string, delegate: Pick<NormalizeDelegate, 'notes'>): Trust {
    const notes = delegate.notes(table);
    const known = notes.get('trust');
    if (known instanceof Trust) return known;
    const made = new Trust();
    notes.set('trust', made);
    return made;
  }

  /** Forgets all lists but these. */
  forget(lists: Pick<ReadonlyMap<string, unknown>, 'has'>): void {
    for (const list of this.#lists.keys()) if (!lists.has(list)) this.#lists.delete(list);
  }

  /** Returns a function that restores what is noted now of a list, and of the rules of its arguments. */
  restorer(list: string, conditions: Iterable<readonly [name: string, expected: unknown]>): () => void {
    const { isAccompanied } = this;
    const [arePks, isAnyFirst, lastArrival] = [this.#areNamesPks, this.#isAnyFirst, this.#lastArrival];
    const known = this.#lists.get(list);
    const evidence = Array.from(conditions, ([name, expected]) => [name, nameOf(name, expected)])
      .flat()
      .map((name) => [name, this.#evidence.get(name)] as const);
    return () => {
      this.isAccompanied = isAccompanied;
      this.#areNamesPks = arePks;
      this.#isAnyFirst = isAnyFirst;
      this.#lastArrival = lastArrival;
      this.#lists.set(list, known);
      for (const [name, one] of evidence) this.#evidence.set(name, one);
    };
  }

  /** Notes whether more pages may follow a page. `isInObject`: it came inside an object. `isUnnamed`: it is full, and its answer names no next page. */
  notePage(list: string, isFollowed: boolean, isInObject = false, isUnnamed = false): void {
    note(this.#lists, list, { last: isFollowed ? undefined : isInObject, isUnnamed });
  }

  /** Notes the size of a list that is only the first page by its total, and `undefined` for a list that is whole. */
  noteFirst(list: string, first: number | undefined): void {
    note(this.#lists, list, { first });
    this.#isAnyFirst ||= first !== undefined;
  }

  /** Whether any list was only the first page, by its total. */
  get isAnyFirst(): boolean {
    return this.#isAnyFirst;
  }

  /** Returns whether a list of this size is only the first page, by its total. Further pages may have been added to it since. */
  isFirst(list: string, size: number): boolean {
    return size <= Number(this.#lists.get(list)?.first);
  }

  /** Returns whether a page may be the last, and its answer would name the next page if there was one. */
  mayNameNext(list: string): boolean {
    const known = this.#lists.get(list);
    return known?.last ?? (this.isAccompanied && known?.isUnnamed === true);
  }

  /**
   * For a page that no page followed when it arrived: whether its answer may name the next page, if there is one. Otherwise `undefined`, also
   * for a restored list.
   */
  lastPage(list: string): boolean | undefined {
    return this.#lists.get(list)?.last;
  }

  /** Notes that a list arrived. `arrival` is the issue of the last request that had been sent then. */
  noteArrival(list: string, arrival: number): void {
    note(this.#lists, list, { arrival, isGrown: false, left: undefined });
    this.#lastArrival = Math.max(this.#lastArrival, arrival);
  }

  /** Notes that a full page keeps its last record although another one joins it. */
  noteGrown(list: string): void {
    note(this.#lists, list, { isGrown: true });
  }

  /** Returns whether a page has more records than its size because of records that joined it, and not because of further pages. */
  isGrown(list: string): boolean {
    return this.#lists.get(list)?.isGrown === true;
  }

  /** Returns whether any list arrived after a request was sent. */
  hasAnyArrivedSince(sent: number): boolean {
    return this.#lastArrival >= sent;
  }

  /** Returns whether a list arrived after a request was sent. False for a restored list. */
  hasArrivedSince(list: string, sent: number): boolean {
    return Number(this.#lists.get(list)?.arrival) >= sent;
  }

  /** Notes whether the names in a map that arrived are the pks of its entries. New entries then get their pk as the name. */
  noteNames(arePks: boolean): void {
    this.#areNamesPks = arePks;
  }

  /** Whether the names in maps are pks, as they were in the last map with entries. */
  get areNamesPks(): boolean {
    return this.#areNamesPks;
  }

  /** Notes members that have joined a list by its rules. */
  noteJoined(list: string, members: readonly unknown[], delegate: Pick<NormalizeDelegate, 'onUndo'>): void {
    const joined = this.#lists.get(list)?.joined ?? new Set();
    note(this.#lists, list, { joined });
    for (const member of members) {
      if (joined.has(member)) continue;
      joined.add(member);
      delegate.onUndo(() => joined.delete(member));
    }
  }

  /** Returns the members that joined a list by its rules since its last answer, and forgets them. */
  takeJoined(list: string): Iterable<unknown> {
    const joined = this.#lists.get(list)?.joined;
    note(this.#lists, list, { joined: undefined });
    return joined ?? [];
  }

  /**
   * Notes members of a list. `left`: they were removed without being deleted. `behind`: they are not on a page, because they belong, or may belong,
   * behind its last member.
   */
  noteMembers(list: string, name: 'behind' | 'left', members: readonly unknown[]): void {
    const known = this.#lists.get(list)?.[name] ?? new Map();
    note(this.#lists, list, { [name]: known });
    for (const member of members) known.set(memberName(member), member);
    for (const oldest of known.keys()) {
      if (known.size <= MAX_NOTED) break;
      known.delete(oldest);
    }
  }

  /** Returns the members that have belonged behind a page at some time. */
  behind(list: string): readonly unknown[] {
    return [...(this.#lists.get(list)?.behind?.values() ?? [])];
  }

  /** Returns whether a member was removed from a list since the last answer, without being deleted. */
  hasLeft(list: string, member: unknown): boolean {
    return this.#lists.get(list)?.left?.has(memberName(member)) === true;
  }

  /** Returns whether the rule of an argument is turned off for a value. */
  isOff(name: string, expected: unknown): boolean {
    if (!this.isRefuted(name)) return false;
    return !this.#evidence.get(name)?.isConfirmed || this.isRefuted(nameOf(name, expected));
  }

  /** Returns whether an answer has contradicted the rule of an argument, for any value. */
  isRefuted(name: string): boolean {
    return this.#evidence.get(name)?.isRefuted === true;
  }

  /** Notes that a member of an answered list confirms the rule of an argument. */
  confirm(name: string): void {
    note(this.#evidence, name, { isConfirmed: true });
  }

  /** Notes that a record which had joined a list by its rules is in the next answer. */
  noteKept(name: string): void {
    note(this.#evidence, name, { absent: 0 });
  }

  /** Notes that a record which had joined a list by its rules is missing in the next answer. */
  noteAbsent(name: string, expected: unknown, finding: ListFinding): void {
    const known = this.#evidence.get(name);
    const absent = (known?.absent ?? 0) + 1;
    note(this.#evidence, name, { absent });
    if (absent >= (known?.isConfirmed ? MAX_ABSENT : 1)) this.refute(name, expected, finding);
  }

  /** Turns off the rule of an argument, and warns. */
  refute(name: string, expected: unknown, { table, what }: ListFinding): void {
    for (const one of [name, nameOf(name, expected)]) note(this.#evidence, one, { isRefuted: true });
    const quoted = name.includes('[') ? `'${name}'` : name;
    warn(
      this,
      'list-rule-refuted',
      () =>
        `Lists of ${table} do not follow changes of records where ${name} is ${memberText(expected)}: ${what}. ` +
        `They are fetched again instead. Write a rule that agrees with the server: where: { ${quoted}: (record) => … }, or { ${quoted}: undecidable }.`,
    );
  }
}

function note<Note extends object>(notes: Map<string, Note | undefined>, name: string, changes: Note): void {
  notes.set(name, { ...notes.get(name), ...changes });
}

/** Returns the name of an argument with one of its values. */
function nameOf(argument: string, value: unknown): string {
  return `${argument}\n${memberText(value)}`;
}
