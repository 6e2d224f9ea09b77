import type { Accumulator } from '../../define/query/aggregates.ts';
import { compareValues } from '../../define/query/compare.ts';
import type { Grouping } from '../../define/query/description.ts';
import { keyBy } from '../../define/query/order.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { argsKey } from '../../std/args-key.ts';
import { equalPlain, freezePlain, setOwn } from '../../std/plain.ts';
import type { Failed, Parts } from '../graph/cell.ts';
import { queryFailed } from './query-failed.ts';
import { type Change, Inbox, type Item, type Receiver, SourceCell } from './source-cell.ts';

/** The records with one key. */
class Group implements Item {
  readonly pk: string;
  /** The key as the last added record has it. If the key is itself a record, it is then up to date. */
  key: unknown;
  readonly arrival = 0;
  accumulators: readonly (readonly [name: string, accumulator: Accumulator<Item>])[];
  size = 0;
  /** The value of the group. `undefined` before it is built, and after the group has lost its last record. */
  value: unknown = undefined;

  constructor(pk: string, key: unknown, accumulators: Group['accumulators']) {
    this.pk = pk;
    this.key = key;
    this.accumulators = accumulators;
  }
}

/** The groups of the items of a source. A change only affects the groups of the changed items. */
export class GroupCell extends SourceCell implements Receiver {
  readonly #source: SourceCell;
  readonly #passes: (value: unknown, item: Item) => boolean;
  readonly #grouping: Grouping;
  readonly #entity: string;
  readonly #isFrozen: boolean;
  readonly #inbox = new Inbox();
  readonly #keyOf: (record: unknown) => unknown;
  #groups = new Map<string, Group>();

  constructor(
    source: SourceCell,
    passes: (value: unknown, item: Item) => boolean,
    grouping: Grouping,
    entity: string,
    isFrozen: boolean,
  ) {
    super(() => {});
    this.#source = source;
    this.#passes = passes;
    this.#grouping = grouping;
    this.#entity = entity;
    this.#isFrozen = isFrozen;
    this.#keyOf = keyBy(grouping.by);
  }

  receive(changes: readonly Change[] | undefined): void {
    this.#inbox.receive(changes);
  }

  override prepare(): Parts {
    if (this.parts.length === 0) this.link([this.#source]);
    return this.parts;
  }

  override isChanged(): boolean {
    return true;
  }

  override fill(): void {
    const changes = this.#inbox.take();
    const touched = new Set<Group>();
    if (changes === undefined) {
      // The Group objects are reused, so that groups which remain are the same items.
      for (const group of this.#groups.values()) {
        group.size = 0;
        group.accumulators = this.#accumulators();
        touched.add(group);
      }
      for (const [value, item] of this.#source.entries()) this.#add(value, item, touched);
      for (const group of touched) this.#change(group);
      return this.emit(undefined);
    }
    for (const { item, before, after } of changes) {
      this.#remove(before, item, touched);
      this.#add(after, item, touched);
    }
    this.emit(Array.from(touched, (group) => this.#change(group)).filter(({ before, after }) => before !== after));
  }

  #add(value: unknown, item: Item, touched: Set<Group>): void {
    this.#count(value, item, touched, (accumulator) => accumulator.add(value, item), 1);
  }

  #remove(value: unknown, item: Item, touched: Set<Group>): void {
    this.#count(value, item, touched, (accumulator) => accumulator.remove(value, item), -1);
  }

  #count(
    value: unknown,
    item: Item,
    touched: Set<Group>,
    run: (accumulator: Accumulator<Item>) => void,
    difference: 1 | -1,
  ): void {
    if (value === undefined || !this.#passes(value, item)) return;
    try {
      const key = this.#keyOf(value);
      const group = this.#groupOf(key);
      if (difference > 0) group.key = key;
      for (const [, accumulator] of group.accumulators) run(accumulator);
      group.size += difference;
      touched.add(group);
    } catch (error) {
      throw queryFailed('groupBy()', this.#entity, error, item.pk);
    }
  }

  #groupOf(key: unknown): Group {
    const pk = argsKey([hasPk(key) ? String(key.pk()) : key], 'groupBy()');
    const found = this.#groups.get(pk);
    if (found !== undefined) return found;
    const made = new Group(pk, key, this.#accumulators());
    this.#groups.set(pk, made);
    return made;
  }

  #accumulators(): Group['accumulators'] {
    const compareTags = (one: Item, other: Item): number => this.#source.compareItems(one, other);
    return Object.entries(this.#grouping.aggregates).map(
      ([name, aggregate]) => [name, aggregate.start(compareTags)] as const,
    );
  }

  #change(group: Group): Change {
    const before = group.value;
    if (group.size > 0) this.#workOut(group);
    else {
      group.value = undefined;
      this.#groups.delete(group.pk);
    }
    return { item: group, before, after: group.value, arrival: group.arrival };
  }

  /** Builds the value of a group. Keeps the old object if its content is equal. */
  #workOut(group: Group): void {
    const { name: keyName } = this.#grouping;
    if (keyName === undefined) {
      if (!equalPlain(group.value, group.key)) group.value = group.key;
    } else {
      const value = {};
      setOwn(value, keyName, group.key);
      for (const [name, accumulator] of group.accumulators) setOwn(value, name, accumulator.value);
      if (!equalPlain(group.value, value)) group.value = value;
    }
    if (this.#isFrozen) freezePlain(group.value);
  }

  override fail(failed: Failed): void {
    super.fail(failed);
    this.#inbox.forget();
  }

  override release(): void {
    super.release();
    this.#inbox.forget();
    this.#groups = new Map();
  }

  *entries(): Generator<readonly [unknown, Item]> {
    for (const group of this.#groups.values()) if (group.value !== undefined) yield [group.value, group];
  }

  read(item: Item): unknown {
    return (item as Group).value;
  }

  compareItems(one: Item, other: Item): number {
    return compareValues((one as Group).key, (other as Group).key) || compareValues(one.pk, other.pk);
  }
}
