import type { Accumulator, Aggregate } from '../../define/query/aggregate.ts';
import { compareValues, keyIn } from '../../define/query/compare.ts';
import { keyBy, type OrderStep } from '../../define/query/order.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { argsKey } from '../../std/args-key.ts';
import { memo } from '../../std/memo.ts';
import { equalPlain, type Fields, freezePlain, setOwn } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { Operator } from './operator.ts';
import { queryFailed } from './query-failed.ts';
import type { Reading, Stage } from './record-source.ts';
import { pkLike } from './relation-path.ts';
import { type Renames, renamesOf } from './renames.ts';
import { type Change, changeOf, isReal, type Item, SourceCell, type ValuedItem } from './source-cell.ts';

/** Makes groups of the items of a query. */
export class Grouping implements Operator {
  readonly schema: undefined;
  /** The field of a group that holds its key. `undefined` if the value of a group is the key itself. */
  readonly name: string | undefined;
  readonly by: OrderStep['by'];
  readonly aggregates: Readonly<Record<string, Aggregate>>;

  constructor(name: string | undefined, by: OrderStep['by'], aggregates: Grouping['aggregates']) {
    this.name = name;
    this.by = by;
    this.aggregates = aggregates;
  }

  cellOf(begin: Stage, { cells }: Reading): SourceCell {
    return new GroupCell(begin, this, cells);
  }
}

/** The records with one key. */
class Group implements ValuedItem {
  readonly pk: string;
  readonly arrival = 0;
  /** The key as the last added record has it. If the key is itself a record, it is then up to date. */
  key: unknown = undefined;
  accumulators: readonly (readonly [name: string, accumulator: Accumulator<Item>])[] = [];
  size = 0;
  /** The value of the group. `undefined` before it is built, and after the group has lost its last record. */
  value: unknown = undefined;

  constructor(pk: string) {
    this.pk = pk;
  }
}

/** The groups of the items of a source. A change only affects the groups of the changed items. */
class GroupCell extends SourceCell {
  readonly #begin: Stage;
  readonly #grouping: Grouping;
  readonly #isFrozen: boolean;
  readonly #keyOf: (record: unknown) => unknown;
  readonly #renames: Renames;
  #groups = new Map<string, Group>();
  /** The groups whose records have changed since the last build. */
  readonly #touched = new Set<Group>();

  constructor(begin: Stage, grouping: Grouping, cells: Cells) {
    super([begin.source]);
    this.#begin = begin;
    this.#grouping = grouping;
    this.#isFrozen = cells.isFrozen;
    this.#keyOf = keyBy(grouping.by);
    this.#renames = renamesOf(cells);
    this.signals = [this.#renames];
  }

  override fill(): void {
    const { isStale } = this;
    if (isStale) {
      this.#touched.clear();
      // The Group objects are reused, so that groups which remain are the same items.
      for (const group of this.#groups.values()) this.#touched.add(this.#empty(group));
      this.apply(this.#begin.source.entries());
    }
    const made = Array.from(this.#touched, (group) => this.#change(group));
    this.#touched.clear();
    this.isStale = false;
    this.emit(isStale ? undefined : made.filter(isReal));
  }

  protected override apply(changes: Iterable<Change>): void {
    for (const { item, before, after } of changes) {
      this.#count(before, item, false);
      this.#count(after, item, true);
    }
  }

  #count(value: unknown, item: Item, isAdded: boolean): void {
    const { name, passes } = this.#begin;
    if (!passes(value, item)) return;
    try {
      const key = this.#keyIn(value);
      const group = this.#groupOf(key);
      if (isAdded) group.key = key;
      for (const [, accumulator] of group.accumulators) accumulator[isAdded ? 'add' : 'remove'](value, item);
      group.size += isAdded ? 1 : -1;
      this.#touched.add(group);
    } catch (error) {
      throw queryFailed('groupBy()', name, error, item.pk);
    }
  }

  /** Returns the key of a record, with the pk of the server in place of a temporary one. */
  #keyIn(record: unknown): unknown {
    const key = this.#keyOf(record);
    // 0 and -0, which rounding makes, are one group.
    if (typeof key !== 'string') return key === 0 ? 0 : key;
    const now = this.#renames.nameOf(key);
    const { defaults } = Object(record).constructor as { readonly defaults?: Fields };
    // Records from the server have a number there.
    return now === key ? now : pkLike(now, defaults?.[this.#grouping.by as string]);
  }

  #groupOf(key: unknown): Group {
    const name = argsKey(hasPk(key) ? [keyIn(key), String(key.pk())] : [key], 'groupBy()');
    // A key of several values may have a temporary pk among them.
    const pk = this.#renames.nameOf(name);
    return memo(this.#groups, pk, () => this.#empty(new Group(pk)));
  }

  #empty(group: Group): Group {
    const { source } = this.#begin;
    group.size = 0;
    group.accumulators = Object.entries(this.#grouping.aggregates).map(
      ([name, aggregate]) => [name, aggregate.start((one: Item, other) => source.compareItems(one, other))] as const,
    );
    return group;
  }

  /** Builds the value of a group. Keeps the old object if its content is equal. */
  #change(group: Group): Change {
    const { name } = this.#grouping;
    const { key, size, value: before } = group;
    let after = key;
    if (name !== undefined) {
      setOwn((after = {}), name, key);
      for (const [field, accumulator] of group.accumulators) setOwn(after as object, field, accumulator.value());
    }
    if (size === 0) {
      after = undefined;
      this.#groups.delete(group.pk);
    }
    if (!equalPlain(before, after)) group.value = after;
    if (this.#isFrozen) freezePlain(group.value);
    return changeOf(group, before, group.value);
  }

  override release(): void {
    super.release();
    this.#groups = new Map();
  }

  *entries(): Generator<Change> {
    for (const group of this.#groups.values()) yield changeOf(group, undefined, group.value);
  }

  override compareItems(one: Item, other: Item): number {
    return compareValues((one as Group).key, (other as Group).key) || compareValues(one.pk, other.pk);
  }
}
