import { memo } from '../../std/memo.ts';
import { warn } from '../../std/warn.ts';
import { memberText } from './collection-key.ts';
import type { NormalizeDelegate } from './schema.ts';

/** The evidence of answers about the rule of one argument. */
interface Evidence {
  /** Whether a member of an answered list confirmed the rule. */
  isConfirmed: boolean;
  /** The values of the argument, as JSON, for which an answer contradicted the rule. */
  readonly refuted: Set<string>;
  /** How many records in a row joined a list by the rule and were missing in the next answer. */
  leftOut: number;
}

/** The finding of an answer about lists of a table, for the warning. */
export interface ListFinding {
  readonly table: string;
  readonly what: string;
}

/**
 * How many records must be missing before a confirmed rule is dropped. A single record can be missing because another user has changed it.
 */
const MAX_LEFT_OUT = 3;

/**
 * Which rules of a collection are trusted. An answer that contradicts a rule turns it off: for this value of the argument if other answers
 * confirmed the rule, otherwise for all values. Lists that depend on a rule that is off are requested from the server.
 */
export class Trust {
  readonly #evidence = new Map<string, Evidence>();
  #areNamesPks = false;
  /**
   * The pages that no page follows: they were not full when they arrived, or their total said so. With each, whether it came inside an
   * object, which may name the next page.
   */
  readonly #last = new Map<string, boolean>();
  /** The full pages that came in an object without a total and without other values, such as the cursor of a next page. */
  readonly #unnamed = new Map<string, true>();
  /** The sizes with which lists arrived that no argument makes a page, and whose total says that they are only the first one. */
  readonly #first = new Map<string, number>();
  /** Whether lists arrive with other values beside them that may depend on their members, such as the cursor of the next page. */
  isAccompanied = false;
  /** By list: the last request that had been sent when the list arrived. */
  readonly #arrivals = new Map<string, number>();
  #lastArrival = 0;
  /** By list: members that joined by a rule since the last answer. */
  readonly #joined = new Map<string, Set<unknown>>();

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
    for (const notes of [this.#last, this.#unnamed, this.#first, this.#arrivals, this.#joined])
      for (const list of notes.keys()) if (!lists.has(list)) notes.delete(list);
  }

  /** Returns a function that restores what is noted now of a list, and of the rules of its arguments. */
  restorer(list: string, conditions: Iterable<readonly [name: string, expected: unknown]>): () => void {
    const { isAccompanied } = this;
    const [arePks, lastArrival] = [this.#areNamesPks, this.#lastArrival];
    const maps: readonly Map<string, unknown>[] = [
      this.#last,
      this.#unnamed,
      this.#first,
      this.#arrivals,
      this.#joined,
    ];
    const known = maps.map((map) => map.get(list));
    const evidence = Array.from(conditions, ([name]) => {
      const found = this.#evidence.get(name);
      return { name, found: found && { ...found }, count: found?.refuted.size };
    });
    return () => {
      this.isAccompanied = isAccompanied;
      this.#areNamesPks = arePks;
      this.#lastArrival = lastArrival;
      for (const [at, map] of maps.entries()) put(map, list, known[at]);
      for (const { name, found, count } of evidence) {
        // The set is not copied for each answer: values that came later are at its end.
        for (const value of [...(found?.refuted ?? [])].slice(count)) found?.refuted.delete(value);
        put(this.#evidence, name, found);
      }
    };
  }

  /** Notes whether more pages may follow a page. `isUnnamed`: it is full, and its answer names no next page. */
  noteSent(list: string, isFollowed: boolean, isInObject = false, isUnnamed = false): void {
    if (isFollowed) this.#last.delete(list);
    else this.#last.set(list, isInObject);
    if (isUnnamed) this.#unnamed.set(list, true);
    else this.#unnamed.delete(list);
  }

  /** Notes the size of a list that is only the first page by its total, and `undefined` for a list that is whole. */
  noteFirst(list: string, size: number | undefined): void {
    if (size === undefined) this.#first.delete(list);
    else this.#first.set(list, size);
  }

  /** Whether any list is only the first page, by its total. */
  get isAnyFirst(): boolean {
    return this.#first.size > 0;
  }

  /** Returns whether a list of this size is only the first page, by its total. Further pages may have been added to it since. */
  isFirst(list: string, size: number): boolean {
    return size <= Number(this.#first.get(list));
  }

  /** Returns whether a page may be the last, and its answer would name the next page if there was one. */
  mayNameNext(list: string): boolean {
    return this.#last.get(list) ?? (this.isAccompanied && this.#unnamed.has(list));
  }

  /**
   * For a page that no page followed when it arrived: whether its answer may name the next page, if there is one. Otherwise `undefined`, also
   * for a restored list.
   */
  lastPage(list: string): boolean | undefined {
    return this.#last.get(list);
  }

  /** Notes the last request that had been sent when a list arrived. */
  noteArrival(list: string, latest: number): void {
    this.#arrivals.set(list, latest);
    this.#lastArrival = Math.max(this.#lastArrival, latest);
  }

  /** Returns whether any list arrived after a request was sent. */
  hasAnyArrivedSince(sent: number): boolean {
    return this.#lastArrival >= sent;
  }

  /** Returns whether a list arrived after a request was sent. False for a restored list. */
  hasArrivedSince(list: string, sent: number): boolean {
    return Number(this.#arrivals.get(list)) >= sent;
  }

  /** Notes whether the names in a map that arrived are the pks of its entries. New entries then get their pk as the name. */
  noteNames(arePks: boolean): void {
    this.#areNamesPks = arePks;
  }

  /** Whether names in maps are pks, by the last map with entries. */
  get areNamesPks(): boolean {
    return this.#areNamesPks;
  }

  noteJoined(list: string, members: readonly unknown[], delegate: Pick<NormalizeDelegate, 'onUndo'>): void {
    const known = memo(this.#joined, list, () => new Set());
    const added = members.filter((member) => !known.has(member));
    for (const member of added) known.add(member);
    delegate.onUndo(() => added.forEach((member) => known.delete(member)));
  }

  /** Returns the members that joined a list by its rules since its last answer, and forgets them. */
  takeJoined(list: string): Iterable<unknown> {
    const joined = this.#joined.get(list);
    this.#joined.delete(list);
    return joined ?? [];
  }

  isOff(name: string, expected: unknown): boolean {
    const evidence = this.#evidence.get(name);
    if (evidence === undefined || evidence.refuted.size === 0) return false;
    return !evidence.isConfirmed || evidence.refuted.has(memberText(expected));
  }

  /** Returns whether the rule of an argument is off for any value. */
  isDoubtful(name: string): boolean {
    return (this.#evidence.get(name)?.refuted.size ?? 0) > 0;
  }

  confirm(name: string): void {
    this.#of(name).isConfirmed = true;
  }

  /** Notes that a record which had joined a list by its rules is in the next answer. */
  keep(name: string): void {
    this.#of(name).leftOut = 0;
  }

  /** Notes that a record which had joined a list by its rules is missing in the next answer. */
  leaveOut(name: string, expected: unknown, finding: ListFinding): void {
    const evidence = this.#of(name);
    if (++evidence.leftOut >= (evidence.isConfirmed ? MAX_LEFT_OUT : 1)) this.refute(name, expected, finding);
  }

  refute(name: string, expected: unknown, { table, what }: ListFinding): void {
    this.#of(name).refuted.add(memberText(expected));
    const quoted = name.includes('[') ? `'${name}'` : name;
    warn(
      this,
      'list-rule-refuted',
      () =>
        `Lists of ${table} do not follow changes of records where ${name} is ${memberText(expected)}: ${what}. ` +
        `They are fetched again instead. Write a rule that agrees with the server: where: { ${quoted}: (record) => … }, or { ${quoted}: undecidable }.`,
    );
  }

  #of(name: string): Evidence {
    return memo(this.#evidence, name, () => ({ isConfirmed: false, refuted: new Set(), leftOut: 0 }));
  }
}

function put<Value>(map: Map<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) map.delete(name);
  else map.set(name, value);
}
