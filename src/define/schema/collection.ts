import { correctChangedMembers, joinBehind, mergeOvertaken } from './overtaken-list.ts';
import { fallBack } from '../../std/fall-back.ts';
import type { Fields } from '../../std/plain.ts';
import { fieldOfArgument, isPaging, isPresentation } from './argument-names.ts';
import type { ArraySchema } from './array.ts';
import { contentOf, orderMissing, tableKey } from './collection-content.ts';
import { type CollectionKey, type KeyFilter, collectionPk, equalityFilter, isEmptyKey } from './collection-key.ts';
import {
  type CollectionContent,
  type CollectionItem,
  type CollectionOptions,
  methodsOf,
  type RemoveCursor,
} from './collection-options.ts';
import type { DefaultArgs, Denormalize, Loose, Member, SchemaTypes } from './infer-schema.ts';
import { isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import { compareWithJoined } from './joined-members.ts';
import { compareWithRules, noteEnvelope } from './list-evidence.ts';
import { ListFollower } from './list-follow.ts';
import { entitiesOf, tablesBehind } from './list-related.ts';
import { isConditionObject, isRuled, selects } from './list-arguments.ts';
import type { FollowedCollection, ListOptions } from './list-rules.ts';
import { type ChangeableCollection, MemberChange } from './collection-change.ts';
import { assign, type CollectionFilter, type MergeMembers, push, unshift, without } from './collection-members.ts';
import {
  addPage,
  isLatePage,
  type PageMembers,
  stampOfFirstPage,
  stampWithoutPages,
  stampWithPage,
  stampWithPages,
  withPages,
} from './collection-pages.ts';
import { CollectionMove } from './collection-move.ts';
import { MergeRules } from './merge-rules.ts';
import type { DenormalizeDelegate, NormalizeDelegate, QueryDelegate, Unvisit } from './delegate.ts';
import type { RecordChange, Row, StoredCollection, TableRef } from './row.ts';
import type { RowSchema, SchemaPart } from './schema.ts';
import type { Stamp } from './stamp.ts';
import { Total } from './total.ts';
import { Values } from './values.ts';

/** A list or a map with an identity: records that join it appear wherever it is shown. `new Collection([Post])`. */
export class Collection<
  S extends CollectionContent = Loose,
  Args extends readonly unknown[] = DefaultArgs,
  Parent = Loose,
>
  extends MergeRules
  implements RowSchema, FollowedCollection
{
  declare readonly '~types': SchemaTypes<Denormalize<S>, Denormalize<S> | undefined, string, Args>;
  readonly keepsRows: true = true;
  override readonly key: string;
  /** The schema of the row. */
  readonly schema: ArraySchema | Values;
  /** See `ListOptions`. */
  readonly where: NonNullable<ListOptions['where']> = {};
  declare readonly page?: ListOptions['page'];
  declare readonly total?: ListOptions['total'];
  declare readonly create?: ListOptions['create'];
  declare readonly orderBy?: ListOptions['orderBy'];
  /** @internal */
  declare hasPages?: boolean;
  /** @internal */
  declare isAccompanied?: boolean;
  // Members and not getters, so that a subclass can set its own: `this.push = this.addWith(…)`, or a field.
  /** Creates members at the end. A member that is in the list already keeps its place. */
  declare push: MemberChange<Member<CollectionItem<S>>>;
  /** Creates members at the start. A member that is in the list already keeps its place. */
  declare unshift: MemberChange<Member<CollectionItem<S>>>;
  /** Sets entries of a map. */
  declare assign: MemberChange<Record<string, Member<CollectionItem<S>>>>;
  /** Removes members. */
  declare remove: MemberChange<Member<CollectionItem<S>>>;
  /** Changes members, and moves each to the collections to which it now belongs. */
  declare move: CollectionMove<Member<CollectionItem<S>>>;

  constructor(schema: S, options: CollectionOptions<Args, Parent, Member<CollectionItem<S>>> = {}) {
    super();
    this.schema = contentOf(schema);
    this.key = tableKey(this.schema, this.isMap);
    Object.assign(this, methodsOf(options));
    if (this.create === 'sorted' && this.orderBy === undefined) throw orderMissing(this.key);
  }

  argsKey(...args: Args): CollectionKey {
    return { ...(args[0] as object | undefined) };
  }

  nestKey?(parent: Parent, key: string): CollectionKey;

  /** Returns whether an argument does not select records, because it sorts them or asks for more fields. */
  nonFilterArgumentKeys(key: string): boolean {
    return isPresentation(key);
  }

  /** Returns whether an argument selects a page of a list. `size` does not, if records have a text of that name, such as the size of a shirt. */
  isPaging(name: string): boolean {
    if (this.page !== undefined) return this.page.includes(name);
    return isPaging(name) && !this.nonFilterArgumentKeys(name) && !this.#isOfRecord(name);
  }

  /** Returns whether an argument has the name of a field that is a text or a boolean. A number of that name may be a page. */
  #isOfRecord(name: string): boolean {
    return entitiesOf(this).some(({ defaults }) => ['string', 'boolean'].includes(typeof (defaults as Fields)[name]));
  }

  /** Selects the collections for which every filtering argument of the key has its value in the params or in the body. */
  createCollectionFilter(...args: Args): (collectionKey: Record<string, string>) => boolean {
    return equalityFilter(args.slice(0, 2), (name) => !this.nonFilterArgumentKeys(name));
  }

  /** Returns the pk. `undefined` for the list of a record whose `nestKey` has no values yet, for example of a record without an id. */
  pk(
    _value: unknown,
    parent: Loose,
    key: string | undefined,
    args: readonly unknown[],
    parentEntity?: unknown,
  ): string | undefined {
    if (parentEntity === undefined || this.nestKey === undefined) {
      return collectionPk(this.argsKey(...(args as Args)), this.key);
    }
    const nested = this.nestKey(parent, String(key));
    return isEmptyKey(nested) ? undefined : collectionPk(nested, this.key);
  }

  normalize(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
    parentEntity?: unknown,
  ): string | undefined {
    const pk = this.pk(input, parent, key, delegate.args, parentEntity);
    // `this.schema` throws if the input is not a list or a map.
    const row = delegate.visit(this.schema, input, parent, key) as Row;
    if (pk === undefined) return pk;
    const isInEnvelope = parentEntity === undefined && Boolean(key) && isObject(parent) && !Array.isArray(parent);
    if (isInEnvelope) noteEnvelope(row, parent, key, this.total);
    delegate.mergeEntity(this, pk, row);
    return pk;
  }

  /** @internal */
  partsOf(input: unknown, parent: unknown, key: string | undefined): readonly SchemaPart[] {
    return [[this.schema, input, parent, key]];
  }

  /** A list that arrives as a whole replaces the stored list. */
  override merge(_existing: unknown, incoming: unknown): unknown {
    return incoming;
  }

  override mergeWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: unknown, incoming: unknown): unknown {
    const merged = super.mergeWithStore(stampWithoutPages(existingMeta), incomingMeta, existing, incoming);
    const lists = [merged, existing] as [PageMembers, PageMembers];
    return merged === incoming ? withPages(...lists, existingMeta, incomingMeta) : merged;
  }

  override mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: unknown, incoming: unknown): Stamp {
    const known = stampWithoutPages(existingMeta);
    const meta = super.mergeMetaWithStore(known, incomingMeta, existing, incoming);
    return meta === known
      ? existingMeta
      : stampWithPages(meta, existingMeta, incoming as PageMembers, existing as PageMembers);
  }

  get isMap(): boolean {
    return this.schema instanceof Values;
  }

  /**
   * Undefined for a collection with a filter of its own, and if a member can be anything but a record: such lists do not follow changes.
   */
  get follows(): readonly string[] | undefined {
    const isFiltered = this.createCollectionFilter !== Collection.prototype.createCollectionFilter;
    if (isFiltered || !this.schema.kinds.entries().every(([, kind]) => isEntity(kind))) return undefined;
    return entitiesOf(this).map(({ key }) => key);
  }

  /** Whether the collection has options for its lists beyond their arguments. */
  get isRuled(): boolean {
    return Object.keys(this.where).length > 0 || (this.page ?? this.total ?? this.create ?? this.orderBy) !== undefined;
  }

  follow(change: RecordChange, delegate: NormalizeDelegate): void {
    new ListFollower(this, delegate).follow(change);
  }

  /** The tables of the records to which members refer. */
  get reads(): ReadonlySet<string> {
    return (this.#reads ??= tablesBehind(this));
  }

  #reads: ReadonlySet<string> | undefined = undefined;

  contradict(change: RecordChange, delegate: NormalizeDelegate): void {
    new ListFollower(this, delegate).contradict(change);
  }

  followRelated(changed: readonly RecordChange[], delegate: NormalizeDelegate): void {
    new ListFollower(this, delegate).followRelated(changed);
  }

  settle(delegate: NormalizeDelegate): void {
    if (this.orderBy !== undefined) new ListFollower(this, delegate).settle();
  }

  arrived(list: StoredCollection, sent: Row, delegate: NormalizeDelegate): void {
    if (delegate.source === 'read') compareWithRules(this, list, sent, delegate);
    if (this.isMap) return;
    compareWithJoined(this.key, list, delegate);
    mergeOvertaken(this, list, sent, delegate);
    correctChangedMembers(this, list, sent, delegate);
    const isFurtherPage = this.mergeWithStore === addPage;
    if (isFurtherPage) joinBehind(this, list, delegate);
  }

  dependsOn(fields: readonly string[], names: Iterable<string>): boolean {
    if (this.orderBy !== undefined) return true;
    return Array.from(names).some(
      (name) =>
        selects(this, name) &&
        (isRuled(this, name) || isConditionObject(this, name) || fields.includes(fieldOfArgument(name))),
    );
  }

  /** The fields that belong beside a list in an answer: its total. */
  get beside(): Readonly<Record<string, (example: unknown) => Total>> {
    return this.total === undefined ? {} : { [this.total]: (example) => new Total(this, example) };
  }

  denormalize(stored: unknown, delegate: DenormalizeDelegate): Denormalize<S> {
    return delegate.unvisit(this, stored) as Denormalize<S>;
  }

  refOf(stored: unknown): TableRef | undefined {
    return this.schema.kinds.refOf(stored);
  }

  queryKey(args: readonly unknown[], _unvisit: Unvisit, delegate: QueryDelegate): string | undefined {
    const pk = this.pk(undefined, undefined, undefined, args);
    return pk !== undefined && delegate.hasEntity(this.key, pk) ? pk : undefined;
  }

  /** As `push`, with a function that merges the members, and a filter for the collections that get them. */
  addWith<Value = Member<CollectionItem<S>>>(
    merge: MergeMembers,
    createCollectionFilter?: (...args: Args) => (collectionKey: Record<string, string>) => boolean,
  ): MemberChange<Value> {
    const createFilter = createCollectionFilter as CollectionFilter | undefined;
    return new MemberChange(changeable(this as unknown as Collection), { merge, method: 'create', createFilter });
  }

  /**
   * Returns a schema for further pages. Their records are added to the stored list of the same arguments without the cursor, even if a page
   * arrives late. They do not replace the list. Pages are added in the order of their requests. `isAfterCursor`: the removed argument is no number of
   * pages or records, so it depends on the list that is there when the page is requested.
   *
   * @internal
   */
  pagesWith(withoutCursor: RemoveCursor, isAfterCursor: boolean = false): Collection<S, Args, Parent> {
    this.hasPages = true;
    const { where, page, total, create, orderBy } = this;
    // TypeScript cannot know that the content of a collection is a valid S.
    const pages = new Collection<S, Args, Parent>(this.schema as CollectionContent as S, {
      ...({ where, page, total, create, orderBy } as ListOptions),
    });
    const pk: Collection['pk'] = (value, parent, key, args, parentEntity) =>
      this.pk(value, parent, key, withoutCursor(...args), parentEntity);
    if (this.isMap) return Object.assign(pages, { pk, merge: assign });
    const mergeMetaWithStore = (known: Stamp, incoming: Stamp, ...lists: [PageMembers, PageMembers]): Stamp => {
      const meta = this.mergeMetaWithStore({ ...known, pages: undefined }, incoming, ...lists);
      return stampWithPage(meta, known, lists[1], incoming.issue, isAfterCursor);
    };
    const isLate = (known: Stamp, incoming: Stamp): boolean => isLatePage(known, incoming, isAfterCursor);
    const rules = { hasPages: true, mergeWithStore: addPage, mergeMetaWithStore, firstMeta: stampOfFirstPage, isLate };
    return Object.assign(pages, { pk, merge: push, ...rules });
  }

  /** As `move`, with a function that adds a member to a collection. */
  moveWith(merge: MergeMembers): CollectionMove<Member<CollectionItem<S>>> {
    return new CollectionMove(changeable(this as unknown as Collection), merge);
  }
}

/** What a change of members needs of its collection. */
function changeable(collection: Collection): ChangeableCollection {
  const { key, schema } = collection;
  return {
    key,
    schema,
    createCollectionFilter: (...args) =>
      collection.createCollectionFilter(...(args as Parameters<Collection['createCollectionFilter']>)) as KeyFilter,
    lists: () => (collection.follows === undefined ? undefined : collection),
  };
}

/** Defines a change of members that is made at its first use. Not in a static block: for React Native, Babel compiles none. */
function defineChange(name: string, change: (self: Collection) => unknown): void {
  fallBack(Collection.prototype, name, (self: Collection) => {
    const value = change(self);
    // Not enumerable, because it is derived from the collection.
    Object.defineProperty(self, name, { value, configurable: true, writable: true });
    return value;
  });
}

defineChange('push', (self) => self.addWith(push));
defineChange('unshift', (self) => self.addWith(unshift));
defineChange('assign', (self) => self.addWith(assign));
defineChange('remove', (self) => new MemberChange(changeable(self), { merge: without, method: 'visit' }));
defineChange('move', (self) => self.moveWith(self.schema instanceof Values ? assign : push));
