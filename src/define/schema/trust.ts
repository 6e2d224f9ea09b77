import { warn } from '../../std/warn.ts';
import { type CollectionKey, textOf } from './collection-key.ts';
import type { NormalizeDelegate } from './schema.ts';

/** What answers have said of the rule of one argument. */
interface Evidence {
  /** Whether an answer held what the rule says. */
  isConfirmed: boolean;
  /** The values of the argument, as JSON, for which an answer held something else. */
  readonly refuted: Set<string>;
}

/**
 * Which rules of a collection are believed. An answer that a rule does not explain ends it: for that value of the
 * argument where another value bore the rule out, else for all. What it would decide, the server is asked instead.
 */
export class Trust {
  readonly #evidence = new Map<string, Evidence>();
  /** The pages that were full when they were sent. */
  readonly #full = new Set<string>();
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

  /** The server has sent a page. */
  noteSent(list: string, isFull: boolean): void {
    if (isFull) this.#full.add(list);
    else this.#full.delete(list);
  }

  /** Whether there may be more behind a page, although members have left it since. */
  wasFull(list: string): boolean {
    return this.#full.has(list);
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

  refute(name: string, args: CollectionKey, table: string, what: string): void {
    this.#of(name).refuted.add(textOf(args[name]));
    warn(
      this,
      'list-rule-refuted',
      () =>
        `Lists of ${table} do not follow changes of records where ${name} is ${textOf(args[name])}: the answer to ${textOf(args)} ${what}. ` +
        `They are asked for again instead. Say how the argument decides: where: { ${name}: (record) => … }, or { ${name}: undecidable }.`,
    );
  }

  #of(name: string): Evidence {
    let evidence = this.#evidence.get(name);
    if (evidence === undefined) this.#evidence.set(name, (evidence = { isConfirmed: false, refuted: new Set() }));
    return evidence;
  }
}
