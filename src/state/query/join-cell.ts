import { checkArgument } from '../../define/query/check-argument.ts';
import { describe, isOwned } from '../../define/query/description.ts';
import type { OrderStep } from '../../define/query/order.ts';
import { memo } from '../../std/memo.ts';
import type { Cells } from '../denormalize/cells.ts';
import { isJoined, JoinSide, type SideItem } from './join-side.ts';
import { joinedRecord } from './joined-record.ts';
import type { Operator } from './operator.ts';
import { stageOf } from './query-cells.ts';
import type { Reading, Stage } from './record-source.ts';
import { renamesOf } from './renames.ts';
import { type Change, changeOf, isVisible, type Item, SourceCell, type ValuedItem } from './source-cell.ts';

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
/** An item with an item of the other side that has the same key. */
class Pair implements ValuedItem {
  readonly one: Item;
  readonly other: Item;
  /** Changes with the place of the pair: if one of the two items was removed and added again. */
  arrival = 0;
  #arrivals: readonly number[];
  value: unknown = undefined;
  /** The two values from which `value` was built. */
  parts: readonly unknown[] = [];

  constructor(one: Item, other: Item) {
    this.one = one;
    this.other = other;
    this.#arrivals = [one.arrival, other.arrival];
  }

  noteArrivals(): void {
    const { one, other } = this;
    const [ofOne, ofOther] = this.#arrivals;
    if (one.arrival === ofOne && other.arrival === ofOther) return;
    this.#arrivals = [one.arrival, other.arrival];
    this.arrival++;
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
  /** The pairs that may have changed since the last build. */
  readonly #touched = new Set<Pair>();

  constructor(one: Stage, other: Stage, joining: Joining, cells: Cells) {
    super([one.source, other.source]);
    const renames = renamesOf(cells);
    this.#one = new JoinSide(one, joining.by, joining.theirs, renames);
    this.#other = new JoinSide(other, joining.theirs, joining.by, renames);
    this.#joining = joining;
    this.#isFrozen = cells.isFrozen;
    this.signals = [renames];
  }

  // Both sides can have the same source, if a class is joined with itself.
  protected override apply(changes: readonly Change[], source: SourceCell): void {
    if (this.#other.stage.source === source)
      for (const change of changes) {
        this.#collectPairsWith(change.item);
        this.#other.put(change);
        this.#collectPairsWith(change.item);
      }
    if (this.#one.stage.source === source)
      for (const change of changes) {
        for (const pair of this.#pairsOf(change.item)) this.#touched.add(pair);
        this.#one.put(change);
        this.#collectPairsOf(change.item);
      }
  }

  override fill(): void {
    const { isStale } = this;
    if (isStale) {
      this.#touched.clear();
      // The Pair objects are reused, so that pairs which remain are the same items.
      for (const pairs of this.#pairs.values()) for (const pair of pairs.values()) this.#touched.add(pair);
      this.#one.readAll();
      this.#other.readAll();
      for (const item of this.#one.items.keys()) this.#collectPairsOf(item);
    }
    const changes = Array.from(this.#touched, (pair) => this.#updatePair(pair));
    this.#touched.clear();
    this.isStale = false;
    this.emit(isStale ? undefined : changes.filter(isVisible));
  }

  /** Collects the pairs that an item may form now. */
  #collectPairsOf(item: Item): void {
    for (const other of this.#other.with(this.#one.items.get(item))) this.#touched.add(this.#pairOf(item, other));
    if (this.#joining.isLeft) this.#touched.add(this.#pairOf(item, NONE));
  }

  /** Collects the pairs that an item of the other side forms. In a left join, their items may now gain or lose the only one. */
  #collectPairsWith(other: Item): void {
    for (const one of this.#one.with(this.#other.items.get(other))) {
      this.#touched.add(this.#pairOf(one, other));
      if (this.#joining.isLeft) this.#touched.add(this.#pairOf(one, NONE));
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
    const { one, other, arrival, value: before } = pair;
    pair.noteArrivals();
    pair.value = this.#valueOf(pair);
    if (pair.value === undefined) {
      const pairs = this.#pairs.get(one);
      pairs?.delete(other);
      if (pairs?.size === 0) this.#pairs.delete(one);
    }
    return { item: pair, before, after: pair.value, arrival };
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
