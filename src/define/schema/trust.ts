import { warn } from '../../std/warn.ts';
import { textOf } from './collection-key.ts';
import type { NormalizeDelegate } from './schema.ts';

/** What answers have said of the rule of one argument. */
interface Evidence {
  /** Whether an answer held what the rule says. */
  isConfirmed: boolean;
  /** The values of the argument, as JSON, for which an answer held something else. */
  readonly refuted: Set<string>;
  /** How many records, one after the other, had joined a list by the rule and were not in the next answer. */
  leftOut: number;
}

/** What an answer has said, of the lists of which table. */
export interface ListFinding {
  readonly table: string;
  readonly what: string;
}

/**
 * How many records are to be left out before that ends a rule which members have borne out. One may be left out because someone else has
 * changed it meanwhile.
 */
const MOST_LEFT_OUT = 3;

/**
 * Which rules of a collection are believed. An answer that a rule does not explain ends it: for that value of the
 * argument where another value bore the rule out, else for all. What it would decide, the server is asked instead.
 */
export class Trust {
  readonly #evidence = new Map<string, Evidence>();
  #areNamesPks = false;
  /** The pages that had room when they were sent: nothing comes behind them. */
  readonly #last = new Set<string>();
  /** By list: the members that it has because of a rule, and that no answer has borne out yet. */
  readonly #joined = new Map<string, Set<unknown>>();

  /** The one of a table of collections. */
  static in(table: string, delegate: NormalizeDelegate): Trust {
    const notes = delegate.notes(table);
    const known = notes.get('trust');
    if (known instanceof Trust) return known;
    const made = new Trust();
    notes.set('trust', made);
    return made;
  }

  /** The server has sent a page, or more has come to be behind it. */
  noteSent(list: string, isFull: boolean): void {
    if (isFull) this.#last.delete(list);
    else this.#last.add(list);
  }

  /** Whether nothing came behind a page when it was sent. Of one that was restored, that is not known. */
  wasLast(list: string): boolean {
    return this.#last.has(list);
  }

  /** A map has come. Whether its names are the pks of its entries tells under which name others join. */
  noteNames(arePks: boolean): void {
    this.#areNamesPks = arePks;
  }

  /** Whether the names in maps are pks, by the last map that came with entries. */
  get areNamesPks(): boolean {
    return this.#areNamesPks;
  }

  noteJoined(list: string, members: Iterable<unknown>): void {
    const known = this.#joined.get(list) ?? new Set();
    this.#joined.set(list, known);
    for (const member of members) known.add(member);
  }

  /** Those that a list has by its rules since it was sent last. */
  takeJoined(list: string): Iterable<unknown> {
    const joined = this.#joined.get(list);
    this.#joined.delete(list);
    return joined ?? [];
  }

  isOff(name: string, kept: unknown): boolean {
    const evidence = this.#evidence.get(name);
    if (evidence === undefined || evidence.refuted.size === 0) return false;
    return !evidence.isConfirmed || evidence.refuted.has(textOf(kept));
  }

  /** Whether the rule of an argument is off for any value. */
  isDoubtful(name: string): boolean {
    return (this.#evidence.get(name)?.refuted.size ?? 0) > 0;
  }

  confirm(name: string): void {
    this.#of(name).isConfirmed = true;
  }

  /** A record that had joined a list by its rules is in the next answer. */
  keep(name: string): void {
    this.#of(name).leftOut = 0;
  }

  /** A record that had joined a list by its rules is not in the next answer. */
  leaveOut(name: string, kept: unknown, said: ListFinding): void {
    const evidence = this.#of(name);
    if (++evidence.leftOut >= (evidence.isConfirmed ? MOST_LEFT_OUT : 1)) this.refute(name, kept, said);
  }

  refute(name: string, kept: unknown, { table, what }: ListFinding): void {
    this.#of(name).refuted.add(textOf(kept));
    const quoted = name.includes('[') ? `'${name}'` : name;
    warn(
      this,
      'list-rule-refuted',
      () =>
        `Lists of ${table} do not follow changes of records where ${name} is ${textOf(kept)}: ${what}. ` +
        `They are asked for again instead. Say how the argument decides: where: { ${quoted}: (record) => … }, or { ${quoted}: undecidable }.`,
    );
  }

  #of(name: string): Evidence {
    let evidence = this.#evidence.get(name);
    if (evidence === undefined)
      this.#evidence.set(name, (evidence = { isConfirmed: false, refuted: new Set(), leftOut: 0 }));
    return evidence;
  }
}
