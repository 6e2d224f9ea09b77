import { equalPlain, type Fields } from '../../std/plain.ts';
import { isSort } from './argument-names.ts';
import type { CollectionKey } from './collection-key.ts';
import { type ListOrder, sortWordsOf } from './list-order.ts';
import type { Belonging, Candidate } from './candidate.ts';
import { conditionsOf, isConditionObject, selects } from './list-arguments.ts';
import type { RuledCollection } from './list-rules.ts';
import type { CollectionQuery, WriteSource } from './delegate.ts';
import type { RecordChange } from './row.ts';
import type { Trust } from './trust.ts';

/** A record before and after a write. Tells to which lists it belonged and belongs. */
export class Move {
  readonly #collection: RuledCollection;
  readonly #trust: Trust;
  readonly change: RecordChange;
  readonly #candidateBefore: Candidate | undefined;
  readonly #candidateAfter: Candidate | undefined;
  /** Whether a mutation changed the record, and the store had no row of it before. */
  readonly wasUnknown: boolean;
  /** If the former row was in doubt: when it was requested. Lists that were requested later may already include the change. */
  readonly doubtedSince: number;

  constructor(
    collection: RuledCollection,
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
    this.#collection = collection;
    this.#trust = trust;
    this.change = change;
    this.#candidateBefore = was;
    this.#candidateAfter = is;
    this.wasUnknown = was === undefined && isMutated;
    this.doubtedSince = doubtedSince;
  }

  /** Whether the record exists after the write. */
  get isAlive(): boolean {
    return this.#candidateAfter !== undefined;
  }

  /** Whether the record was known before the write. */
  get wasAlive(): boolean {
    return this.#candidateBefore !== undefined;
  }

  /** Returns whether the record belonged to the list, and whether it belongs to it now. */
  in(args: CollectionKey): readonly [belonged: Belonging, belongs: Belonging] {
    return [
      this.#candidateBefore?.belongsTo(args, this.#trust) ?? 'no',
      this.#candidateAfter?.belongsTo(args, this.#trust) ?? 'no',
    ];
  }

  /**
   * Selects the lists that the record may leave or join, and those of which only the server knows whether it does. With `isOrdered`, also the
   * lists in whose order it may move. `isSorted`: whether the collection declares an order.
   */
  affectedLists(source: WriteSource, isOrdered: boolean, isSorted: boolean): CollectionQuery {
    return {
      selects: (name) =>
        selects(this.#collection, name) && !isConditionObject(this.#collection, name) && this.#isDecided(name),
      valuesOf: (name) => [
        ...(this.#candidateBefore?.valuesOf(name) ?? []),
        ...(this.#candidateAfter?.valuesOf(name) ?? []),
      ],
      concerns: (names) => {
        if (!this.wasAlive || this.#wasInDoubt) return true;
        if (!this.isAlive) {
          const isPage = this.#trust.isAnyFirst || names.some((name) => this.#collection.isPaging(name));
          return !isOrdered || (source === 'mutation' && isPage);
        }
        return (
          names.some(
            (name) =>
              selects(this.#collection, name) &&
              (isConditionObject(this.#collection, name) ||
                this.#isChanged(name) ||
                (source === 'mutation' && this.#isUndecided(name))),
          ) ||
          (isOrdered && (isSorted || (source === 'mutation' && names.some(isSort))))
        );
      },
    };
  }

  /** Returns whether membership in a list with this key depends on a changed value, or on one that only the server knows. */
  concernsKey(args: CollectionKey): boolean {
    return conditionsOf(this.#collection, args).some(
      ([name, kept]) =>
        this.#isChanged(name) ||
        (this.#candidateBefore as Candidate).isUndecidable(name) ||
        this.#trust.isOff(name, kept),
    );
  }

  /**
   * Returns whether the record may have another place in a list. If the order is not known: whether a field that the key sorts by has
   * changed, or the key sorts by something that is not a field.
   */
  mayReorder(args: CollectionKey, order: ListOrder | undefined): boolean {
    if (order !== undefined) return order.compare(this.#candidateBefore, this.#candidateAfter as Candidate) !== 0;
    const words = sortWordsOf(args);
    if (words.length === 0) return false;
    const { before = {}, after = {} } = this.change;
    const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const changed = fields.filter((field) => !equalPlain((before as Fields)[field], (after as Fields)[field]));
    return words.some((word) => changed.includes(word)) || !words.some((word) => fields.includes(word));
  }

  /** Returns whether the record has moved towards the start of an order. */
  isUpward(order: ListOrder): boolean {
    return Number(order.compare(this.#candidateBefore, this.#candidateAfter as Candidate)) > 0;
  }

  get #wasInDoubt(): boolean {
    return this.doubtedSince < Number.POSITIVE_INFINITY;
  }

  #isDecided(name: string): boolean {
    // The record may have been in any list.
    if (this.wasUnknown || this.#wasInDoubt) return false;
    return (
      this.#candidateBefore?.isDecided(name) !== false &&
      this.#candidateAfter?.isDecided(name) !== false &&
      !this.#trust.isRefuted(name)
    );
  }

  #isChanged(name: string): boolean {
    const [before, after] = [this.#candidateBefore as Candidate, this.#candidateAfter as Candidate];
    if (!equalPlain(before.valueOf(name), after.valueOf(name))) return true;
    // The rule cannot decide, and it has read other records than before.
    return !after.isDecided(name) && !after.hasSameReads(name, before);
  }

  #isUndecided(name: string): boolean {
    return this.#candidateBefore?.isUndecidable(name) === true || this.#trust.isRefuted(name);
  }
}

/** Selects the lists to which a created record may belong. A guess skips lists for which only the server can decide. */
export function listsToJoin(
  collection: RuledCollection,
  trust: Trust,
  made: Candidate,
  source: WriteSource,
): CollectionQuery {
  const isDecided = (name: string): boolean => made.isDecided(name) && !trust.isRefuted(name);
  return {
    selects: (name) => selects(collection, name) && !isConditionObject(collection, name) && isDecided(name),
    valuesOf: (name) => made.valuesOf(name),
    concerns: (names) =>
      source === 'mutation' ||
      names.every(
        (name) =>
          !selects(collection, name) ||
          isConditionObject(collection, name) ||
          isDecided(name) ||
          made.isInRequest(name),
      ),
  };
}
