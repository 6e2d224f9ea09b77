import { memo } from '../../std/memo.ts';
import { listsToJoin, Move } from './list-move.ts';
import { hasRules, isDecidedBy, isNamedIn, memberKind, namingRelated, Related } from './list-related.ts';
import { Candidate } from './candidate.ts';
import { conditionsOf, pageIn } from './list-arguments.ts';
import type { FollowedCollection } from './list-rules.ts';
import { ListTotals } from './list-totals.ts';
import { ListWriter } from './list-writer.ts';
import { type ListedMembers, includes, type MergeMembers, push } from './collection-members.ts';
import type { RowAccess } from './record-view.ts';
import { INVALID, type Invalid, type RecordChange, type Row, type StoredCollection } from './row.ts';
import type { NormalizeDelegate } from './delegate.ts';
import { isInDoubt } from './stamp.ts';
import { Trust } from './trust.ts';

/** Moves changed records between the lists of a collection. */
export class ListFollower {
  readonly #collection: FollowedCollection;
  readonly #delegate: NormalizeDelegate;
  readonly #trust: Trust;
  readonly #totals: ListTotals | undefined = undefined;
  readonly #lists: ListWriter;

  constructor(collection: FollowedCollection, delegate: NormalizeDelegate) {
    this.#collection = collection;
    this.#delegate = delegate;
    this.#trust = Trust.in(collection.key, delegate);
    this.#lists = new ListWriter(collection, delegate);
    if (collection.total !== undefined) this.#totals = new ListTotals(collection, delegate, this.#trust);
  }

  /** Handles a changed or deleted record: it leaves lists to which it no longer belongs, and joins others. */
  follow(change: RecordChange): void {
    const { args, source } = this.#delegate;
    const { table, before, after } = change;
    const doubtedSince = this.#doubtedSince(change);
    if (before !== undefined && before === after && doubtedSince === undefined)
      return this.#doubtListsWithout(change, () => true);
    // The parameters of a mutation, such as the owner in the path, describe the record before and after: the mutation does not change them.
    const asked = source === 'read' || args.length < 2 ? [] : [args[0]];
    const former = before && this.#candidate(table, before, asked, this.#rowsBefore);
    this.#follow(change, former, after && this.#candidate(table, after, asked), doubtedSince);
    const isChange = source === 'mutation' && before !== undefined && after !== undefined;
    if (isChange && this.#trust.hasAnyArrivedSince(this.#delegate.sent))
      this.#doubtListsWithout(change, ({ pk }) => this.#mayBeOlder(pk));
  }

  /** Reads rows as they were before the write. */
  get #rowsBefore(): RowAccess {
    return { getEntity: (table, pk) => this.#delegate.rowBefore(table, pk) };
  }

  /** The tables of the lists and of their totals. */
  get #tables(): readonly string[] {
    const { key } = this.#collection;
    return this.#totals === undefined ? [key] : [key, this.#totals.table];
  }

  /** If the record was in doubt before a mutation: returns when its former row was requested. */
  #doubtedSince({ table, pk }: RecordChange): number | undefined {
    const stamp = this.#delegate.source === 'mutation' ? this.#delegate.stampBefore(table, pk) : undefined;
    return stamp && isInDoubt(stamp) ? stamp.issue : undefined;
  }

  /**
   * Puts lists in doubt to which the record of a mutation belongs, and that lack it. `isUnsure` returns whether a list may be out of date. If these
   * lists are pages, they are in doubt only if the place of the record is on one of them.
   */
  #doubtListsWithout({ table, pk, after }: RecordChange, isUnsure: (list: StoredCollection) => boolean): void {
    const candidate = this.#candidate(table, after as Row, []);
    const member = this.#collection.schema.kinds.ref(memberKind(this.#collection, table)[0], pk);
    const query = listsToJoin(this.#collection, this.#trust, candidate, 'guess');
    const isWithout = (list: StoredCollection): boolean =>
      isUnsure(list) && candidate.belongsTo(list.args, this.#trust) === 'yes' && !includes(list.row, member);
    const lists = this.#delegate.getCollections(this.#collection.key, query).filter(isWithout);
    const gaps = lists.map((list) => this.#lists.hasGapFor(list, member));
    if (gaps.includes(true))
      for (const [at, { pk: list }] of lists.entries()) if (gaps[at] !== undefined) this.#lists.doubt(list);
  }

  /**
   * Handles two versions of a record, either of which may be the one on the server. Lists that have the record by only one of them are in
   * doubt.
   */
  contradict({ after, before, pk, table }: RecordChange): void {
    const was = this.#candidate(table, before as Row, []);
    const is = after && this.#candidate(table, after, []);
    const move = new Move(this.#collection, this.#trust, { table, pk, before, after }, { was, is, isMutated: true });
    for (const name of this.#tables)
      for (const list of this.#delegate.getCollections(name, move.affectedLists('mutation', false, false))) {
        const [belonged, belongs] = move.in(list.args);
        if (belonged !== belongs || belonged === 'maybe') this.#delegate.doubt(name, list.pk);
      }
  }

  /** Handles changed or deleted records to which members refer, and those that a mutation left as they were. */
  followRelated(changed: readonly RecordChange[]): void {
    const isNews = changed.some(({ after, before }) => before !== after);
    if (isNews && hasRules(this.#collection)) this.#judgeRelated(changed);
    if (this.#delegate.source !== 'mutation') return;
    const isDecided = isNews ? isNamedIn : isDecidedBy;
    const query = isNews ? namingRelated(this.#collection) : undefined;
    for (const { args, issue, pk } of this.#delegate.getCollections(this.#collection.key, query))
      if (issue < this.#delegate.meta.issue && (isNews || this.#mayBeOlder(pk)))
        if (isDecided(this.#collection, args, changed)) this.#lists.doubt(pk);
  }

  /** Puts the members that the write moves in their places. */
  settle(): void {
    this.#lists.isOfRead = this.#delegate.source === 'read';
    this.#lists.settle();
  }

  /** Returns whether a list arrived while the mutation was pending. The server may have answered it before the mutation. */
  #mayBeOlder(pk: string): boolean {
    return this.#trust.hasArrivedSince(pk, this.#delegate.sent);
  }

  /** Judges the members again whose rules read the changed records. */
  #judgeRelated(changed: readonly RecordChange[]): void {
    const related = Related.in(this.#collection, this.#delegate, ({ table, pk }) =>
      this.#candidate(table, this.#rowOf(table, pk) as Row, []),
    );
    for (const member of related.membersOf(changed)) {
      const row = this.#rowOf(member.table, member.pk);
      // A member that changed itself was judged in `follow`.
      if (row === undefined || row !== this.#delegate.rowBefore(member.table, member.pk)) continue;
      const present = this.#candidate(member.table, row, []);
      const former = this.#candidate(member.table, row, [], this.#rowsBefore);
      this.#follow({ ...member, before: row, after: row }, former, present);
      related.note(member, present);
    }
    this.#doubtListsWith(related.argumentsOf(changed));
  }

  /** Puts lists with these arguments in doubt, because records that are not stored here may have joined or left them. */
  #doubtListsWith(names: ReadonlySet<string>): void {
    if (names.size === 0 || this.#delegate.source !== 'mutation') return;
    for (const table of this.#tables)
      for (const { args, issue, pk } of this.#delegate.getCollections(table))
        if (issue < this.#delegate.meta.issue && conditionsOf(this.#collection, args).some(([name]) => names.has(name)))
          this.#delegate.doubt(table, pk);
  }

  #follow(
    change: RecordChange,
    former: Candidate | undefined,
    present: Candidate | undefined,
    doubtedSince?: number,
  ): void {
    const { source } = this.#delegate;
    this.#lists.isOfRead = source === 'read';
    const { table, pk } = change;
    const isMutated = this.#delegate.isMutated(table, pk);
    const move = new Move(this.#collection, this.#trust, change, { was: former, is: present, isMutated, doubtedSince });
    const cause = isMutated ? 'mutation' : source;
    const member = this.#collection.schema.kinds.ref(memberKind(this.#collection, table)[0], pk);
    const isSorted = this.#collection.orderBy !== undefined;
    for (const list of this.#delegate.getCollections(this.#collection.key, move.affectedLists(cause, true, isSorted)))
      // A list that was requested after this write already includes the change.
      if (list.issue < this.#delegate.meta.issue) this.#move(list, member, move);
      else this.#compare(list, member, move);
    this.#totals?.follow(member, move, cause);
  }

  /** Handles created records: they join the lists to which they belong. `merge` adds them to lists that are complete. */
  create(members: ListedMembers, merge: MergeMembers): void {
    const joining = new Map<string, { readonly list: StoredCollection; readonly members: unknown[] }>();
    for (const member of members) {
      const ref = this.#collection.schema.kinds.refOf(member);
      const row = ref && this.#rowOf(ref.table, ref.pk);
      // If the member is not a record, or only its pk is known, the arguments decide where it belongs.
      const made = this.#candidate(ref?.table, row ?? {}, this.#delegate.args);
      const query = listsToJoin(this.#collection, this.#trust, made, this.#delegate.source);
      for (const list of this.#delegate.getCollections(this.#collection.key, query)) {
        const belonging = made.belongsTo(list.args, this.#trust);
        if (belonging === 'maybe') this.#lists.doubt(list.pk);
        if (belonging !== 'yes') continue;
        memo(joining, list.pk, () => ({ list, members: [] })).members.push(member);
      }
      if (row !== undefined) this.#totals?.create(member, made, query);
    }
    for (const { list, members: all } of joining.values()) this.#lists.join(list, all, merge);
  }

  /**
   * Handles a list that was requested after this read. While a mutation was pending, the server may have answered the list first. If the
   * list and the record disagree, the list is in doubt.
   */
  #compare({ args, pk, row, issue }: StoredCollection, member: unknown, move: Move): void {
    if (issue === this.#delegate.meta.issue) return;
    const [belonged, belongs] = move.in(args);
    const isThere = includes(row, member);
    const isAsBefore =
      move.wasAlive && (belongs === 'yes' ? belonged === 'yes' : belongs === 'maybe' && !move.concernsKey(args));
    const isConsistent = isAsBefore || isThere === (belongs !== 'no');
    if (!isConsistent) this.#lists.doubt(pk);
  }

  #move(list: StoredCollection, member: unknown, move: Move): void {
    const { args, pk } = list;
    if (this.#delegate.source === 'guess') return this.#moveUnread(list, member, move);
    const page = this.#lists.pageOf(list);
    const [belonged, belongs] = move.in(args);
    const { row } = list;
    const isUnsure = list.issue > move.doubtedSince;
    if (isUnsure && page !== undefined && !(belongs === 'yes' && includes(row, member))) this.#lists.doubt(pk);
    if (!move.wasAlive) {
      // Only the server knows to which lists the record belonged before.
      if (belongs === 'no' ? move.wasUnknown && page !== undefined : !includes(row, member)) this.#lists.doubt(pk);
      // The schema of the mutation, a `move`, has added it at the end.
      else if (belongs === 'yes' && this.#lists.orderOf(args) !== undefined) this.#lists.sort(list, member, move);
    } else if (!move.isAlive) {
      if (belonged !== 'no' && page !== undefined) this.#lists.doubt(pk);
    } else if (belongs === 'no') {
      if (belonged === 'no') return;
      if (includes(row, member)) this.#lists.leave(list, [member]);
      if (page !== undefined) this.#lists.doubt(pk);
    } else if (belongs === 'maybe' && move.concernsKey(args)) this.#lists.doubt(pk);
    else if (includes(row, member) || (page !== undefined && belonged === belongs))
      this.#lists.sort(list, member, move);
    else if (belongs === 'maybe' || (belonged === 'yes' && !isUnsure)) return;
    // A whole list without the record shows that the record did not belong to it.
    else if (belonged === 'no' || page === undefined) this.#lists.moveIn(list, member);
    else this.#lists.doubt(pk);
  }

  /** Moves the member of a guess. The list is not read, so that the guess need not be made again when it changes. */
  #moveUnread(list: StoredCollection, member: unknown, move: Move): void {
    const { args } = list;
    const [belonged, belongs] = move.in(args);
    if (!move.wasAlive || !move.isAlive || (belongs === 'maybe' && move.concernsKey(args))) return;
    if (belongs === 'no') return belonged === 'no' ? undefined : this.#lists.edit(list, 'out', [member]);
    const order = this.#lists.orderOf(args);
    if (order !== undefined && move.mayReorder(args, order)) this.#lists.edit(list, 'moved', [member]);
    const isWhole = pageIn(this.#collection, args) === undefined;
    if (belongs === 'yes' && (belonged === 'no' || (belonged === 'maybe' && isWhole)))
      this.#lists.join(list, [member], push);
  }

  #rowOf(table: string, pk: string): Row | undefined {
    const row: Row | Invalid | undefined = this.#delegate.getEntity(table, pk);
    return row === INVALID ? undefined : row;
  }

  #candidate(
    table: string | undefined,
    row: Row,
    asked: readonly unknown[],
    rows: RowAccess = this.#delegate,
  ): Candidate {
    return new Candidate(this.#collection, { entity: memberKind(this.#collection, table)[1], row, asked }, rows);
  }
}
