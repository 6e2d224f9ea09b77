import { fieldOfArgument } from './argument-names.ts';
import { type CollectionKey, equalityFilter, memberText } from './collection-key.ts';
import type { NormalizeDelegate } from './delegate.ts';
import type { EntityInterface } from './entity.ts';
import { isFull, sizeOf } from './list-place.ts';
import { entitiesOf, memberKinds } from './list-related.ts';
import { Candidate } from './candidate.ts';
import { conditionsOf, isRuled, type ListConditions, pageIn } from './list-arguments.ts';
import type { FollowedCollection } from './list-rules.ts';
import { includes, type ListedMembers, missingIn } from './collection-members.ts';
import { isObject } from './fields.ts';
import { orderOf } from './order-of.ts';
import type { Invalid, Row, StampedRow, StoredCollection } from './row.ts';
import { isInDoubt, type Stamp } from './stamp.ts';
import { type ListFinding, Trust } from './trust.ts';

/**
 * Facts about the objects around lists: whether the object has other values, such as the cursor of the next page; whether its total says that the
 * list has all records; whether it has a total; and the total, which is `NaN` if there is none.
 */
const envelopes = new WeakMap<Row, readonly [hasOthers: boolean, isAll: boolean, isCounted: boolean, total: number]>();

/** Notes the other values of an answer beside a list. `key` and `total` are the fields with the list and with its total. */
export function noteEnvelope(list: Row, answer: object, key: string | undefined, total = ''): void {
  const hasOthers = Object.keys(answer).some((name) => name !== key && name !== total);
  const count = Number(Reflect.get(answer, total));
  envelopes.set(list, [hasOthers, count <= sizeOf(list), !Number.isNaN(count), count]);
}

/** Returns whether other values came beside a list, such as the cursor of the next page. */
export function isAccompanied(list: Row): boolean {
  return envelopes.get(list)?.[0] === true;
}

/** Returns the total that came beside a list, or `NaN` if none came. */
export function totalBeside(list: Row): number {
  return envelopes.get(list)?.[3] ?? Number.NaN;
}

/**
 * Compares a list that the server sent with the rules of its arguments, and notes which rules its members confirm or refute. `sentList`: the
 * list of this answer, before deleted members were removed.
 */
export function compareWithRules(
  collection: FollowedCollection,
  { args, issue, pk, row }: StoredCollection,
  sentList: Row,
  delegate: NormalizeDelegate,
): void {
  if (issue !== delegate.meta.issue) return;
  const trust = Trust.in(collection.key, delegate);
  const conditions = conditionsOf(collection, args);
  delegate.onUndo(trust.restorer(pk, conditions));
  trust.noteArrival(pk, delegate.latest);
  const envelope = envelopes.get(sentList);
  if (envelope?.[0] || collection.isAccompanied) trust.isAccompanied = true;
  const page = pageIn(collection, args);
  if (page !== undefined) {
    const isFullPage = isFull(page, sentList);
    // No value in the object tells whether another page follows.
    const isUnnamed = isFullPage && envelope?.some(Boolean) === false;
    trust.notePage(pk, isFullPage && !envelope?.[1], envelope !== undefined, isUnnamed);
  } else trust.noteFirst(pk, envelope?.[1] === false && envelope[2] ? sizeOf(sentList) : undefined);
  const joined = trust.takeJoined(pk);
  const entries = collection.isMap ? Object.entries(row) : [];
  if (entries.length > 0)
    trust.noteNames(entries.every(([name, entry]) => collection.schema.kinds.refOf(entry)?.pk === name));
  // The total of this answer counts the deleted members too.
  if (collection.total !== undefined && sizeOf(row) < sizeOf(sentList)) delegate.doubtAlways(collection.key, pk);
  if (conditions.length === 0 && page === undefined) return;
  const sent = new SentList(collection, args, conditions, trust, delegate);
  const areCurrent = sent.checkMembers(row);
  const isWhole = page === undefined && !trust.isFirst(pk, 0);
  if (!areCurrent || sent.lacksNewer(row, delegate.rowBefore(collection.key, pk)))
    delegate.doubtAlways(collection.key, pk);
  if (isWhole) for (const member of joined) sent.checkJoined(member, includes(row, member));
}

/** A list as the server sent it, compared with the rules of its arguments. */
class SentList {
  readonly #collection: FollowedCollection;
  readonly #args: CollectionKey;
  readonly #conditions: ListConditions;
  readonly #trust: Trust;
  readonly #delegate: NormalizeDelegate;
  /** The arguments without a rule: the field of the same name decides. */
  readonly #byField: ReadonlySet<string>;
  /** The arguments whose rule at least one member confirms. */
  readonly #confirmed = new Set<string>();

  constructor(
    collection: FollowedCollection,
    args: CollectionKey,
    conditions: ListConditions,
    trust: Trust,
    delegate: NormalizeDelegate,
  ) {
    this.#collection = collection;
    this.#args = args;
    this.#conditions = conditions;
    this.#trust = trust;
    this.#delegate = delegate;
    this.#byField = new Set(conditions.map(([name]) => name).filter((name) => !isRuled(collection, name)));
  }

  /**
   * Compares each member with the rules. A rule that excludes a member is refuted, but only by records that came with the list, because
   * others may be newer or older. Returns false if a newer record of a member no longer belongs to the list.
   */
  checkMembers(list: Row): boolean {
    let areCurrent = true;
    const { kinds } = this.#collection.schema;
    const { issue } = this.#delegate.meta;
    for (const [name, entity] of memberKinds(this.#collection)) {
      const rowOf = this.#delegate.rowsOf(entity.key);
      for (const member of Array.isArray(list) ? (list as unknown[]) : Object.values(list)) {
        const pk = name === undefined ? member : kinds.pkOf(member, name);
        const found = typeof pk === 'string' ? rowOf(pk) : undefined;
        const memberIssue = Number(found?.stamp?.issue);
        if (found === undefined || !(memberIssue >= issue)) continue;
        if (memberIssue === issue) this.#checkMember(entity, found);
        else if (this.#isExcluded(entity, found)) areCurrent = false;
      }
    }
    for (const name of this.#confirmed) this.#trust.confirm(name);
    return areCurrent;
  }

  #isExcluded(entity: EntityInterface, { row }: StampedRow): boolean {
    const candidate = new Candidate(this.#collection, { entity, row: Object(row) as Row, asked: [] }, this.#delegate);
    return candidate.belongsTo(this.#args, this.#trust) === 'no';
  }

  #checkMember(entity: EntityInterface, { row }: StampedRow): void {
    let candidate: Candidate | undefined;
    for (const [name, expected] of this.#conditions) {
      if (this.#byField.has(name)) {
        // A missing field neither confirms nor refutes. The comparison by field comes first, because it is fast and decides for most
        // records.
        const field = fieldOfArgument(name);
        if (!Object.hasOwn(row as Row, field)) continue;
        if (equalsArgument(row, field, expected)) {
          this.#confirmed.add(name);
          continue;
        }
      }
      candidate ??= new Candidate(this.#collection, { entity, row: row as Row, asked: [] }, this.#delegate);
      const belonging = candidate.agreesWith(name, expected);
      if (belonging === 'yes') this.#confirmed.add(name);
      else if (belonging === 'no' && this.#areRelatedCurrent(candidate)) {
        const value = memberText(candidate.valueOf(name));
        this.#trust.refute(name, expected, this.#finding(`has a record whose ${name} is ${value}`));
      }
    }
  }

  #finding(what: string): ListFinding {
    return { table: this.#collection.key, what: `the answer to ${memberText(this.#args)} ${what}` };
  }

  /** Returns whether all related records that the rules read came with the list. */
  #areRelatedCurrent({ related }: Candidate): boolean {
    const { issue } = this.#delegate.meta;
    return [...related.values()].every(([table, pk]) => this.#stampOf(table, pk)?.issue === issue);
  }

  /** Returns whether a record is not in doubt, no mutation of it is pending, and it has not changed since the list was requested. */
  #isSettled([table, pk]: TableAndPk): boolean {
    const stamp = Object(this.#stampOf(table, pk)) as Stamp;
    const delegate = this.#delegate;
    return !isInDoubt(stamp) && !(stamp.issue >= delegate.meta.issue) && !delegate.isMutated(table, pk);
  }

  #stampOf(table: string, pk: string): Stamp | undefined {
    return this.#delegate.rowsOf(table)(pk)?.stamp;
  }

  /**
   * Checks a record that had joined the list by its rules. If the server's list lacks it, a rule is wrong, unless the record has changed
   * since.
   */
  checkJoined(member: unknown, isThere: boolean): void {
    const reads = isThere ? [] : this.#readsOf(member);
    // Data that is older than the list, and not in doubt.
    const isAbsent = reads.length > 0 && reads.every((read) => this.#isSettled(read));
    for (const [name, expected] of this.#conditions) {
      if (isThere) this.#trust.noteKept(name);
      else if (isAbsent)
        this.#trust.noteAbsent(name, expected, this.#finding('lacks a record that belongs to it by that rule'));
    }
  }

  /**
   * Returns whether a list lacks a member of the former list that belongs to it by data which is newer than the answer. The member has moved to another
   * page of the list if these data came with that page, or if its place in the order is behind this page.
   */
  lacksNewer(list: Row, before: Row | Invalid | undefined): boolean {
    if (!isObject(before) || before === list) return false;
    const { issue } = this.#delegate.meta;
    const members = Object.values(list);
    return missingIn(members, Object.values(before)).some((member) => {
      const issues = this.#readsOf(member).map(([table, pk]) => Number(this.#stampOf(table, pk)?.issue));
      const newer = issues.filter((at) => at > issue);
      return newer.length > 0 && !this.#isOnPageSince(Math.max(...newer), member) && !this.#isBehind(members, member);
    });
  }

  /** Returns whether a list is a full page, and the place of a record is behind it. */
  #isBehind(list: ListedMembers, member: unknown): boolean {
    const page = pageIn(this.#collection, this.#args);
    const order = orderOf(this.#collection, this.#args, this.#delegate);
    if (page?.size === undefined || !isFull(page, list) || order === undefined) return false;
    return order.indexFor(list, member) === list.length && order.isSure;
  }

  /** Returns whether another page of the list has a member, and was requested with this issue or later. */
  #isOnPageSince(issue: number, member: unknown): boolean {
    const own = memberText(this.#withoutPage(this.#args));
    const { query } = equalityFilter([this.#args], (name) => !this.#collection.isPaging(name));
    return this.#delegate
      .getCollections(this.#collection.key, query)
      .some(
        (page) => page.issue >= issue && includes(page.row, member) && memberText(this.#withoutPage(page.args)) === own,
      );
  }

  /** Returns the arguments of a list without those that name its page. */
  #withoutPage(args: CollectionKey): CollectionKey {
    return Object.fromEntries(Object.entries(args).filter(([name]) => !this.#collection.isPaging(name)));
  }

  /** Returns the record of a member, and the records that the rules read for it. Empty if it is not certain that it belongs to the list. */
  #readsOf(member: unknown): readonly TableAndPk[] {
    const ref = this.#collection.schema.kinds.refOf(member);
    // The list of a server may have items that are not records.
    if (ref === undefined) return [];
    const { table, pk } = ref;
    const entity = entitiesOf(this.#collection).find(({ key }) => key === table) as EntityInterface;
    const found = this.#delegate.rowsOf(table)(pk);
    // A deleted record has no fields to compare.
    const candidate = new Candidate(
      this.#collection,
      { entity, row: Object(found?.row) as Row, asked: [] },
      this.#delegate,
    );
    if (candidate.belongsTo(this.#args, this.#trust) !== 'yes') return [];
    return [[table, pk], ...candidate.related.values()];
  }
}

type TableAndPk = readonly [table: string, pk: string];

/** Returns whether a field equals the value of the argument with its name. A number or a boolean equals its text. */
function equalsArgument(row: StampedRow['row'], name: string, expected: unknown): boolean {
  const value = (row as Readonly<Record<string, unknown>>)[name];
  return (
    value === expected || ((typeof value === 'number' || typeof value === 'boolean') && String(value) === expected)
  );
}
