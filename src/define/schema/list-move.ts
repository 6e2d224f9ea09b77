import { equalPlain, type Fields } from '../../std/plain.ts';
import { isSort } from './argument-names.ts';
import type { CollectionKey } from './collection-key.ts';
import { type Belonging, type Candidate, conditionsOf, isNested, type Ruled, selects } from './list-rules.ts';
import type { CollectionQuery, RecordChange, WriteSource } from './schema.ts';
import type { Trust } from './trust.ts';

/** A record before and after a write, and the lists that it belonged to and belongs to. */
export class Move {
  readonly #of: Ruled;
  readonly #trust: Trust;
  readonly change: RecordChange;
  readonly #was: Candidate | undefined;
  readonly #is: Candidate | undefined;
  /** Whether a mutation is about it of which nothing was known before. */
  readonly wasUnknown: boolean;
  /** Since when it is in doubt what it was before: lists that were asked for later may know already. */
  readonly doubtedSince: number;

  constructor(
    of: Ruled,
    trust: Trust,
    change: RecordChange,
    {
      was,
      is,
      isMutated,
      doubtedSince = Number.POSITIVE_INFINITY,
    }: {
      readonly was: Candidate | undefined;
      readonly is: Candidate | undefined;
      readonly isMutated: boolean;
      readonly doubtedSince?: number | undefined;
    },
  ) {
    this.#of = of;
    this.#trust = trust;
    this.change = change;
    this.#was = was;
    this.#is = is;
    this.wasUnknown = was === undefined && isMutated;
    this.doubtedSince = doubtedSince;
  }

  /** Whether it is still there. */
  get isAlive(): boolean {
    return this.#is !== undefined;
  }

  /** Whether it was there before. */
  get wasAlive(): boolean {
    return this.#was !== undefined;
  }

  /** Whether it belonged to the list, and whether it does. */
  in(args: CollectionKey): readonly [was: Belonging, is: Belonging] {
    return [this.#was?.belongsTo(args, this.#trust) ?? 'no', this.#is?.belongsTo(args, this.#trust) ?? 'no'];
  }

  /** The lists that it may leave or join, or where only the server knows; with `isOrdered`, those in which it may move. */
  asked(source: WriteSource, isOrdered: boolean, isSorted: boolean): CollectionQuery {
    return {
      selects: (name) => selects(this.#of, name) && !isNested(this.#of, name) && this.#isDecided(name),
      valuesOf: (name) => [...(this.#was?.valuesOf(name) ?? []), ...(this.#is?.valuesOf(name) ?? [])],
      concerns: (names) => {
        if (!this.wasAlive || this.#wasInDoubt) return true;
        if (!this.isAlive)
          return !isOrdered || (source === 'mutation' && names.some((name) => this.#of.isPaging(name)));
        return (
          names.some(
            (name) =>
              selects(this.#of, name) &&
              (isNested(this.#of, name) || this.#isChanged(name) || (source === 'mutation' && this.#isUnclear(name))),
          ) ||
          (isOrdered && (isSorted || (source === 'mutation' && names.some(isSort))))
        );
      },
    };
  }

  /** Whether a list with this key depends on anything that has changed of a record that was there, or on what cannot be decided. */
  concernsKey(args: CollectionKey): boolean {
    return conditionsOf(this.#of, args).some(
      ([name, kept]) =>
        this.#isChanged(name) || (this.#was as Candidate).isUndecidable(name) || this.#trust.isOff(name, kept),
    );
  }

  /** Whether what the key sorts by may have changed: a field that it names, or something that no field is called. */
  mayReorder(args: CollectionKey): boolean {
    const { before = {}, after = {} } = this.change;
    const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const changed = fields.filter((field) => !equalPlain((before as Fields)[field], (after as Fields)[field]));
    const words = Object.keys(args)
      .filter(isSort)
      .flatMap((name) => JSON.stringify(args[name]).split(/[^A-Za-z0-9_]/));
    return words.some((word) => changed.includes(word)) || !words.some((word) => fields.includes(word));
  }

  get #wasInDoubt(): boolean {
    return this.doubtedSince < Number.POSITIVE_INFINITY;
  }

  #isDecided(name: string): boolean {
    // It may have been in any list.
    if (this.wasUnknown || this.#wasInDoubt) return false;
    return this.#was?.isDecided(name) !== false && this.#is?.isDecided(name) !== false && !this.#trust.isDoubtful(name);
  }

  #isChanged(name: string): boolean {
    return !equalPlain(this.#was?.valueOf(name), this.#is?.valueOf(name));
  }

  #isUnclear(name: string): boolean {
    return this.#was?.isUndecidable(name) === true || this.#trust.isDoubtful(name);
  }
}

/** Which lists a record may belong to that is created. Of those that only the server can tell, a guess knows none. */
export function joined(of: Ruled, trust: Trust, made: Candidate, source: WriteSource): CollectionQuery {
  const isDecided = (name: string): boolean => made.isDecided(name) && !trust.isDoubtful(name);
  return {
    selects: (name) => selects(of, name) && !isNested(of, name) && isDecided(name),
    valuesOf: (name) => made.valuesOf(name),
    concerns: (names) =>
      source === 'mutation' ||
      names.every((name) => !selects(of, name) || isNested(of, name) || isDecided(name) || made.isAsked(name)),
  };
}
