import { checkArgument } from '../../define/query/check-argument.ts';
import { isLacking, keyIn } from '../../define/query/compare.ts';
import { describe, isOwned } from '../../define/query/description.ts';
import { keyBy, type OrderStep } from '../../define/query/order.ts';
import { Entity, type EntityInterface } from '../../define/schema/entity.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { pkIfAny } from '../../define/schema/pk.ts';
import { argsKey } from '../../std/args-key.ts';
import { memo } from '../../std/memo.ts';
import { nameOf } from '../tables/lookup.ts';
import type { Cells } from '../denormalize/cells.ts';
import { joinedRecord } from './joined-record.ts';
import type { Operator } from './operator.ts';
import { stageOf } from './query-cells.ts';
import { queryFailed } from './query-failed.ts';
import { kindsIn } from './relation-path.ts';
import { type Renames, renamesOf } from './renames.ts';
import type { Reading, Stage } from './record-source.ts';
import { type Change, changeOf, Inbox, isReal, type Item, SourceCell, type ValuedItem } from './source-cell.ts';

/** Makes pairs of the items of a query and those of another source. */
export class Joining implements Operator {
  /** The field that holds the joined record. */
  readonly name: string;
  /** The source of the joined records: an entity or a function that returns one, or a query. */
  readonly other: unknown;
  readonly by: OrderStep['by'];
  readonly theirs: OrderStep['by'];
  /** Whether a record without a joined one stays. */
  readonly isLeft: boolean;

  constructor(name: string, other: unknown, by: OrderStep['by'], theirs: OrderStep['by'], isLeft: boolean) {
    this.name = name;
    this.other = other;
    this.by = by;
    this.theirs = theirs;
    this.isLeft = isLeft;
  }

  get schema(): unknown {
    return describe(this.other).source();
  }

  cellOf(begin: Stage, { cells, named }: Reading): SourceCell {
    const description = describe(this.other);
    checkArgument('join()', this.other, () => isOwned(description) && 'an entity class, or a query without an owner');
    const other = stageOf(description, { cells, named, owner: [], stored: undefined });
    return new JoinCell(begin, other, this, cells);
  }
}

/** The other side of a pair that has no joined record, in a left join. */
const NONE: Item = { pk: '', arrival: 0 };
const NO_ITEMS: ReadonlySet<Item> = /* #__PURE__ */ new Set();

/** An item that passes, on one side of a join. */
interface SideItem {
  readonly value: unknown;
  /** The name of its key. `undefined` if it equals nothing. */
  readonly name: string | undefined;
  /** The table of the record that is the key. */
  readonly table: unknown;
  /** The table of the record itself, if the key is its pk. */
  readonly home: unknown;
}

/** Returns whether two items have the same key. Records of two tables can have the same pk. */
function isJoined(one: SideItem, other: SideItem): boolean {
  return one.name !== undefined && one.name === other.name && isOfTable(one, other) && isOfTable(other, one);
}

function isOfTable({ table }: SideItem, other: SideItem): boolean {
  return table === undefined || table === (other.table ?? other.home ?? table);
}

/** One side of a join: the items that pass, and the same by key. */
class JoinSide {
  readonly stage: Stage;
  readonly inbox: Inbox = new Inbox();
  readonly items: Map<Item, SideItem> = new Map();
  readonly #by: OrderStep['by'];
  readonly #comparedWith: OrderStep['by'];
  readonly #renames: Renames;
  readonly #byKey = new Map<string | undefined, Set<Item>>();

  constructor(stage: Stage, by: OrderStep['by'], comparedWith: OrderStep['by'], renames: Renames) {
    this.stage = stage;
    this.#by = by;
    this.#comparedWith = comparedWith;
    this.#renames = renames;
  }

  with(item: SideItem | undefined): ReadonlySet<Item> {
    return this.#byKey.get(item?.name) ?? NO_ITEMS;
  }

  /** Sets the value of an item. `undefined` removes it. */
  put({ item, after: value }: Change): void {
    const name = this.items.get(item)?.name;
    const same = this.#byKey.get(name);
    same?.delete(item);
    if (same?.size === 0) this.#byKey.delete(name);
    this.items.delete(item);
    if (!this.stage.passes(value, item)) return;
    const made = this.#itemOf(value, item);
    this.items.set(item, made);
    if (made.name !== undefined) memo(this.#byKey, made.name, () => new Set()).add(item);
  }

  /** Reads the key of an item as a name. A record equals its pk, and 1 equals '1'. Without a value (see `isLacking`), it equals nothing. */
  #itemOf(value: unknown, item: Item): SideItem {
    try {
      const key = keyBy(this.#by)(value);
      if (hasPk(key)) {
        checkArgument('on()', this.#by, () => {
          // A field that refers to several classes, compared with a field that does not tell the class.
          const [by, other] = [this.#by, this.#comparedWith];
          const { schema = {} } = Object((value as object).constructor) as Partial<EntityInterface>;
          const isUnclear = typeof by === 'string' && typeof other === 'string' && other !== 'id';
          return (
            isUnclear &&
            kindsIn(schema[by]) !== undefined &&
            `a function that returns the other record, in place of '${other}': '${by}' refers to several classes, and a pk does not tell which`
          );
        });
        const pk = pkIfAny(key.pk());
        return { value, name: pk && this.#renames.nameOf(pk), table: keyIn(key), home: undefined };
      }
      const name = isLacking(key) ? undefined : (nameOf(key) ?? argsKey([key], 'join()'));
      const isOwnPk = this.#by === 'id' && hasPk(value) && value.pk === Entity.prototype.pk;
      const home = isOwnPk ? keyIn(value) : undefined;
      return { value, name: name && this.#renames.nameOf(name), table: undefined, home };
    } catch (error) {
      throw queryFailed('join()', this.stage.name, error, item.pk);
    }
  }

  clear(): void {
    this.items.clear();
    this.#byKey.clear();
  }

  readAll(): void {
    this.clear();
    for (const change of this.stage.source.entries()) this.put(change);
  }
}

/** An item with an item of the other side that has the same key. */
class Pair implements ValuedItem {
  readonly one: Item;
  readonly other: Item;
  readonly arrival = 0;
  value: unknown = undefined;
  /** The two values from which `value` was built. */
  parts: readonly unknown[] = [];

  constructor(one: Item, other: Item) {
    this.one = one;
    this.other = other;
  }

  get pk(): string {
    return this.one.pk;
  }
}

/** The pairs of items of two sources that have equal keys. A change only affects the pairs of the changed items. */
class JoinCell extends SourceCell {
  readonly #one: JoinSide;
  readonly #other: JoinSide;
  readonly #joining: Joining;
  readonly #isFrozen: boolean;
  /** The pairs of an item, by the item on the other side. */
  readonly #pairs = new Map<Item, Map<Item, Pair>>();

  constructor(one: Stage, other: Stage, joining: Joining, cells: Cells) {
    super([one.source, other.source]);
    const renames = renamesOf(cells);
    this.#one = new JoinSide(one, joining.by, joining.theirs, renames);
    this.#other = new JoinSide(other, joining.theirs, joining.by, renames);
    this.#joining = joining;
    this.#isFrozen = cells.frozen;
    this.signals = [renames];
  }

  // Both sides can have the same source, if a class is joined with itself.
  override receive(changes: readonly Change[] | undefined, source: SourceCell): void {
    for (const side of [this.#one, this.#other]) if (side.stage.source === source) side.inbox.receive(changes);
  }

  override fill(): void {
    const [mine, theirs] = [this.#one.inbox.take(), this.#other.inbox.take()];
    const touched = new Set<Pair>();
    const isWhole = mine === undefined || theirs === undefined;
    if (isWhole) {
      // The Pair objects are reused, so that pairs which remain are the same items.
      for (const pairs of this.#pairs.values()) for (const pair of pairs.values()) touched.add(pair);
      this.#one.readAll();
      this.#other.readAll();
      for (const item of this.#one.items.keys()) this.#touch(item, touched);
    } else {
      for (const change of theirs) {
        this.#touchPairsWith(change.item, touched);
        this.#other.put(change);
        this.#touchPairsWith(change.item, touched);
      }
      for (const change of mine) {
        for (const pair of this.#pairsOf(change.item)) touched.add(pair);
        this.#one.put(change);
        this.#touch(change.item, touched);
      }
    }
    const changes = Array.from(touched, (pair) => this.#updatePair(pair));
    this.emit(isWhole ? undefined : changes.filter(isReal));
  }

  /** Collects the pairs that an item may form now. */
  #touch(item: Item, touched: Set<Pair>): void {
    for (const other of this.#other.with(this.#one.items.get(item))) touched.add(this.#pairOf(item, other));
    if (this.#joining.isLeft) touched.add(this.#pairOf(item, NONE));
  }

  /** Collects the pairs that an item of the other side forms. In a left join, their items may now gain or lose the only one. */
  #touchPairsWith(other: Item, touched: Set<Pair>): void {
    for (const one of this.#one.with(this.#other.items.get(other))) {
      touched.add(this.#pairOf(one, other));
      if (this.#joining.isLeft) touched.add(this.#pairOf(one, NONE));
    }
  }

  #pairsOf(item: Item): Iterable<Pair> {
    return this.#pairs.get(item)?.values() ?? [];
  }

  #pairOf(one: Item, other: Item): Pair {
    const pairs = memo(this.#pairs, one, () => new Map<Item, Pair>());
    return memo(pairs, other, () => new Pair(one, other));
  }

  #updatePair(pair: Pair): Change {
    const { one, other, value: before } = pair;
    pair.value = this.#valueOf(pair);
    if (pair.value === undefined) {
      const pairs = this.#pairs.get(one);
      pairs?.delete(other);
      if (pairs?.size === 0) this.#pairs.delete(one);
    }
    return changeOf(pair, before, pair.value);
  }

  #valueOf(pair: Pair): unknown {
    const [mine, theirs] = [this.#one.items.get(pair.one), this.#other.items.get(pair.other)];
    if (mine === undefined) return undefined;
    const isPair = pair.other === NONE ? !this.#hasPair(mine) : theirs !== undefined && isJoined(mine, theirs);
    if (!isPair) return undefined;
    const parts = [mine.value, theirs?.value];
    if (pair.value !== undefined && parts.every((part, at) => part === pair.parts[at])) return pair.value;
    pair.parts = parts;
    return joinedRecord(mine.value, [this.#joining.name], parts.slice(1), this.#isFrozen);
  }

  #hasPair(mine: SideItem): boolean {
    const { items } = this.#other;
    for (const other of this.#other.with(mine)) if (isJoined(mine, items.get(other) as SideItem)) return true;
    return false;
  }

  override forget(): void {
    this.#one.inbox.receive(undefined);
  }

  override release(): void {
    super.release();
    this.#one.clear();
    this.#other.clear();
    this.#pairs.clear();
  }

  *entries(): Generator<Change> {
    for (const item of this.#one.items.keys())
      for (const pair of this.#pairsOf(item)) yield changeOf(pair, undefined, pair.value);
  }

  override compareItems(one: Item, other: Item): number {
    return this.#compare(one as Pair, other as Pair, 'compareItems');
  }

  override compareTies(one: Item, other: Item): number {
    return this.#compare(one as Pair, other as Pair, 'compareTies');
  }

  #compare(left: Pair, right: Pair, how: 'compareItems' | 'compareTies'): number {
    const order = this.#one.stage.source[how](left.one, right.one);
    if (order !== 0 || left.other === right.other) return order;
    if (left.other === NONE || right.other === NONE) return left.other === NONE ? -1 : 1;
    return this.#other.stage.source[how](left.other, right.other);
  }
}
