import type { Joining } from '../../define/query/description.ts';
import { keyBy } from '../../define/query/order.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { argsKey } from '../../std/args-key.ts';
import type { Failed, Parts } from '../graph/cell.ts';
import { nameOf } from '../tables/lookup.ts';
import { joinedRecord } from './joined-record.ts';
import { queryFailed } from './query-failed.ts';
import { type Change, Inbox, type Item, type Receiver, SourceCell } from './source-cell.ts';
import type { WindowOptions } from './window.ts';

/** One side of a join: a source, and the conditions that its items must pass. */
export interface JoinInput {
  /** The name of the items in errors. */
  readonly name: string;
  readonly source: SourceCell;
  readonly passes: WindowOptions['passes'];
}

/** Stands for a missing item on the other side of a left join. */
const NONE: Item = { pk: '', arrival: 0 };

class JoinSide {
  readonly source: SourceCell;
  readonly inbox: Inbox = new Inbox();
  /** The values of the items that pass. */
  readonly values: Map<Item, unknown> = new Map();
  readonly keys: Map<Item, string> = new Map();
  /** The pairs of an item, by the item on the other side. */
  readonly pairs: Map<Item, Map<Item, Pair>> = new Map();
  readonly #joined: JoinInput;
  readonly #keyOf: (record: unknown) => unknown;
  readonly #byKey = new Map<string, Set<Item>>();

  constructor(joined: JoinInput, by: Joining['mine']) {
    this.source = joined.source;
    this.#joined = joined;
    this.#keyOf = keyBy(by);
  }

  with(key: string | undefined): ReadonlySet<Item> {
    return (key === undefined ? undefined : this.#byKey.get(key)) ?? NO_ITEMS;
  }

  /** Sets the value of an item. `undefined` removes it. */
  put(item: Item, value: unknown): void {
    this.#take(item);
    if (value === undefined || !this.#joined.passes(value, item)) return;
    const key = this.#nameOf(value, item);
    this.values.set(item, value);
    if (key === undefined) return;
    this.keys.set(item, key);
    const same = this.#byKey.get(key);
    if (same === undefined) this.#byKey.set(key, new Set([item]));
    else same.add(item);
  }

  #take(item: Item): void {
    const key = this.keys.get(item);
    this.values.delete(item);
    this.keys.delete(item);
    const same = key === undefined ? undefined : this.#byKey.get(key);
    same?.delete(item);
    if (same?.size === 0) this.#byKey.delete(key as string);
  }

  /** Returns the key of an item as a name. A record stands for its pk, and 1 and '1' are equal. `undefined` and `null` equal nothing. */
  #nameOf(value: unknown, item: Item): string | undefined {
    try {
      const key = this.#keyOf(value);
      if (key === undefined || key === null) return undefined;
      return nameOf(hasPk(key) ? key.pk() : key) ?? argsKey([key], 'join()');
    } catch (error) {
      throw queryFailed('join()', this.#joined.name, error, item.pk);
    }
  }

  pairsOf(item: Item): Iterable<Pair> {
    return this.pairs.get(item)?.values() ?? NO_PAIRS;
  }

  keep(pair: Pair, item: Item, beside: Item): void {
    const pairs = this.pairs.get(item);
    if (pairs === undefined) this.pairs.set(item, new Map([[beside, pair]]));
    else pairs.set(beside, pair);
  }

  forget(item: Item, beside: Item): void {
    const pairs = this.pairs.get(item);
    pairs?.delete(beside);
    if (pairs?.size === 0) this.pairs.delete(item);
  }

  readAll(): void {
    this.clear();
    for (const [value, item] of this.source.entries()) this.put(item, value);
  }

  clear(): void {
    this.values.clear();
    this.keys.clear();
    this.#byKey.clear();
  }
}

/** An item with an item of the other side that has the same key. */
class Pair implements Item {
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
export class JoinCell extends SourceCell implements Receiver {
  readonly #one: JoinSide;
  readonly #other: JoinSide;
  readonly #joining: Joining;
  readonly #isFrozen: boolean;

  constructor(one: JoinInput, other: JoinInput, joining: Joining, isFrozen: boolean) {
    super(() => {});
    this.#one = new JoinSide(one, joining.mine);
    this.#other = new JoinSide(other, joining.theirs);
    this.#joining = joining;
    this.#isFrozen = isFrozen;
  }

  // Both sides can have the same source, if a class is joined with itself.
  receive(changes: readonly Change[] | undefined, source: SourceCell): void {
    for (const side of [this.#one, this.#other]) if (side.source === source) side.inbox.receive(changes);
  }

  override prepare(): Parts {
    if (this.parts.length === 0) this.link([this.#one.source, this.#other.source]);
    return this.parts;
  }

  override isChanged(): boolean {
    return true;
  }

  override fill(): void {
    const [mine, theirs] = [this.#one.inbox.take(), this.#other.inbox.take()];
    const touched = new Set<Pair>();
    if (mine === undefined || theirs === undefined) {
      // The Pair objects are reused, so that pairs which remain are the same items.
      for (const pairs of this.#one.pairs.values()) for (const pair of pairs.values()) touched.add(pair);
      for (const side of [this.#other, this.#one]) side.readAll();
      for (const item of this.#one.values.keys()) this.#touchOne(item, touched);
      for (const pair of touched) this.#bringUpToDate(pair);
      return this.emit(undefined);
    }
    for (const { item, after } of theirs) {
      this.#touchAlone(item, touched);
      this.#other.put(item, after);
      this.#touchAlone(item, touched);
    }
    for (const { item, after } of mine) this.#one.put(item, after);
    for (const { item } of mine) this.#touchOne(item, touched);
    for (const { item } of theirs) this.#touchOther(item, touched);
    const changes = Array.from(touched, (pair) => this.#bringUpToDate(pair));
    this.emit(changes.filter(({ before, after }) => before !== after));
  }

  /** Collects the former pairs of an item, and those that it may form now. */
  #touchOne(item: Item, touched: Set<Pair>): void {
    for (const pair of this.#one.pairsOf(item)) touched.add(pair);
    for (const other of this.#other.with(this.#one.keys.get(item))) touched.add(this.#pairOf(item, other));
    if (this.#joining.isLeft) touched.add(this.#pairOf(item, NONE));
  }

  #touchOther(item: Item, touched: Set<Pair>): void {
    for (const pair of this.#other.pairsOf(item)) touched.add(pair);
    for (const one of this.#one.with(this.#other.keys.get(item))) touched.add(this.#pairOf(one, item));
  }

  /** In a left join, collects the pairs without an other side whose items may now gain or lose one. */
  #touchAlone(item: Item, touched: Set<Pair>): void {
    if (!this.#joining.isLeft) return;
    for (const one of this.#one.with(this.#other.keys.get(item))) touched.add(this.#pairOf(one, NONE));
  }

  #pairOf(one: Item, other: Item): Pair {
    const known = this.#one.pairs.get(one)?.get(other);
    if (known !== undefined) return known;
    const made = new Pair(one, other);
    this.#one.keep(made, one, other);
    this.#other.keep(made, other, one);
    return made;
  }

  #bringUpToDate(pair: Pair): Change {
    const before = pair.value;
    pair.value = this.#valueOf(pair);
    if (pair.value === undefined) {
      this.#one.forget(pair.one, pair.other);
      this.#other.forget(pair.other, pair.one);
    }
    return { item: pair, before, after: pair.value, arrival: pair.arrival };
  }

  #valueOf(pair: Pair): unknown {
    const [mine, theirs] = [this.#one.values.get(pair.one), this.#other.values.get(pair.other)];
    const key = this.#one.keys.get(pair.one);
    const isPair =
      pair.other === NONE
        ? mine !== undefined && this.#other.with(key).size === 0
        : key !== undefined && this.#other.keys.get(pair.other) === key;
    if (!isPair) return undefined;
    if (pair.value !== undefined && pair.parts[0] === mine && pair.parts[1] === theirs) return pair.value;
    pair.parts = [mine, theirs];
    return joinedRecord(mine, [this.#joining.name], [theirs], this.#isFrozen);
  }

  override fail(failed: Failed): void {
    super.fail(failed);
    this.#one.inbox.forget();
  }

  override release(): void {
    super.release();
    this.#one.inbox.forget();
    for (const side of [this.#one, this.#other]) {
      side.clear();
      side.pairs.clear();
    }
  }

  *entries(): Generator<readonly [unknown, Item]> {
    for (const item of this.#one.values.keys()) for (const pair of this.#one.pairsOf(item)) yield [pair.value, pair];
  }

  read(item: Item): unknown {
    return (item as Pair).value;
  }

  compareItems(one: Item, other: Item): number {
    return this.#compare(one as Pair, other as Pair, 'compareItems');
  }

  override compareTies(one: Item, other: Item): number {
    return this.#compare(one as Pair, other as Pair, 'compareTies');
  }

  #compare(left: Pair, right: Pair, how: 'compareItems' | 'compareTies'): number {
    const order = this.#one.source[how](left.one, right.one);
    if (order !== 0 || left.other === right.other) return order;
    if (left.other === NONE || right.other === NONE) return left.other === NONE ? -1 : 1;
    return this.#other.source[how](left.other, right.other);
  }
}

const NO_ITEMS: ReadonlySet<Item> = new Set();
const NO_PAIRS: readonly Pair[] = [];
