import { includes } from './collection-members.ts';
import { isObject } from './fields.ts';
import type { Move } from './list-move.ts';
import type { Candidate } from './candidate.ts';
import { sizeOf } from './list-place.ts';
import type { FollowedCollection } from './list-rules.ts';
import type { CollectionQuery, NormalizeDelegate } from './delegate.ts';
import type { StoredCollection, TableRef } from './row.ts';
import { countOf, TotalChange, totalPk, totalsOf } from './total.ts';
import type { Trust } from './trust.ts';

/** Corrects the totals of a collection when records join or leave its lists. */
export class ListTotals {
  /** The table of the totals. */
  readonly table: string;
  readonly #collection: FollowedCollection;
  readonly #delegate: NormalizeDelegate;
  readonly #trust: Trust;

  constructor(collection: FollowedCollection, delegate: NormalizeDelegate, trust: Trust) {
    this.table = totalsOf(collection.key);
    this.#collection = collection;
    this.#delegate = delegate;
    this.#trust = trust;
  }

  /** Handles a changed or deleted record. A total that was requested after this write already includes the change. */
  follow(member: unknown, move: Move, cause: NormalizeDelegate['source']): void {
    const { meta } = this.#delegate;
    for (const total of this.#delegate.getCollections(this.table, move.affectedLists(cause, false, false)))
      if (total.issue < meta.issue) this.#count(total, member, move);
  }

  /**
   * Handles a created record. A list that was read while the create was pending may have it already. If the record was stored already, as when a message
   * and the answer of its create bring it, it has been counted.
   */
  create(member: unknown, made: Candidate, query: CollectionQuery): void {
    // A guess that has read a list is made again whenever the list changes, so it does not read lists here.
    const isGuess = this.#delegate.source === 'guess';
    const { table, pk } = this.#collection.schema.kinds.refOf(member) as TableRef;
    const isKnown = !isGuess && isObject(this.#delegate.rowBefore(table, pk));
    for (const total of this.#delegate.getCollections(this.table, query)) {
      const list = isGuess ? undefined : this.#delegate.rowBefore(this.#collection.key, total.pk);
      if (isObject(list) && includes(list, member)) continue;
      const belonging = made.belongsTo(total.args, this.#trust);
      if (belonging === 'maybe' || (isKnown && !isObject(list))) this.#delegate.doubt(this.table, total.pk);
      else if (belonging === 'yes') this.#add(total, 1, false);
    }
  }

  #count(total: StoredCollection, member: unknown, move: Move): void {
    const { args, pk, row } = total;
    const [belonged, belongs] = move.in(args);
    // If the whole list of this total is stored, the total counts exactly its members. A list that is loaded page by page may be shorter.
    const stored = this.#delegate.rowBefore(this.#collection.key, pk);
    const list = isObject(stored) && (includes(stored, member) || sizeOf(stored) >= countOf(row)) ? stored : undefined;
    const isUnsure = total.issue > move.doubtedSince;
    if (isUnsure && !isObject(list)) this.#delegate.doubt(this.table, pk);
    const isCounted = isObject(list)
      ? includes(list, member)
      : belonged === 'yes' && !(belongs === 'no' && this.#isOmittedByWholePage(total, member));
    if (!move.wasAlive) {
      if (belongs !== 'no' || (move.wasUnknown && list === undefined)) this.#delegate.doubt(this.table, pk);
    } else if (belonged === 'maybe' || belongs === 'maybe') {
      if (!move.isAlive || move.concernsKey(args)) this.#delegate.doubt(this.table, pk);
    } else if ((belonged !== belongs || isUnsure) && isCounted !== (belongs === 'yes')) {
      const isOfRead = this.#delegate.source === 'read';
      this.#add(total, belongs === 'yes' ? 1 : -1, isOfRead);
      // If the total is newer than the former row of the record, it may already count the change.
      const { change } = move;
      const isLater = total.issue > Number(this.#delegate.stampBefore(change.table, change.pk)?.issue);
      if (isOfRead && isLater && !isObject(list)) this.#delegate.doubtAlways(this.table, pk);
    }
  }

  /** Returns whether a page has all members that a total counts, but not this one. */
  #isOmittedByWholePage({ args, pk, row }: StoredCollection, member: unknown): boolean {
    const { key } = this.#collection;
    const query: CollectionQuery = {
      selects: (name) => Object.hasOwn(args, name),
      valuesOf: (name) => [args[name]],
    };
    return this.#delegate.getCollections(key, query).some((page) => {
      const list = totalPk(this.#collection, page.args) === pk && this.#delegate.rowBefore(key, page.pk);
      return isObject(list) && sizeOf(list) >= countOf(row) && !includes(list, member);
    });
  }

  /** Changes a total. If the total arrived while the mutation was in flight, it may already count the record, so it is in doubt. */
  #add({ pk }: StoredCollection, by: number, isOfRead: boolean): void {
    if (Number(this.#delegate.notes(this.table).get(pk)) >= this.#delegate.sent) this.#delegate.doubt(this.table, pk);
    this.#delegate.mergeEntity(new TotalChange(this.table, isOfRead), pk, { count: by });
  }
}
