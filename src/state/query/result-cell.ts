import { INVALID } from '../../define/schema/row.ts';
import { equalPlain, freezePlain } from '../../std/plain.ts';
import type { Cell, Parts } from '../graph/cell.ts';
import { joinedRecord } from './joined-record.ts';
import { type Change, type Item, type Passes, ReceiverCell, type SourceCell } from './source-cell.ts';
import type { Window } from './window.ts';

/** Options for the value of a query. */
export interface ResultOptions {
  readonly select: ((record: unknown) => unknown) | undefined;
  readonly isFrozen: boolean;
  /** Whether the value is only the first item. */
  readonly isOne: boolean;
}

/** A relation that is read beside each item. */
export interface Addition {
  readonly name: string;
  cellFor(record: unknown, old: Cell | undefined): Cell | undefined;
}

/** The base of the cells that hold the value of a query. They receive the changes of the source. */
abstract class QueryResultCell extends ReceiverCell {
  readonly source: SourceCell;

  constructor(source: SourceCell) {
    super([source]);
    this.source = source;
  }

  override get isInside(): boolean {
    return true;
  }

  override mayStay(): boolean {
    return true;
  }

  /** Each build keeps an equal value itself. */
  override isChanged(): boolean {
    return true;
  }

  override release(): void {
    super.release();
    this.value = undefined;
  }
}

/** The number of items that a query selects, or whether there is any. */
export class CountCell extends QueryResultCell {
  readonly #passes: Passes;
  readonly #valueOf: (passing: number) => unknown;
  #passingCount = 0;

  constructor(source: SourceCell, passes: Passes, valueOf: (passing: number) => unknown) {
    super(source);
    this.#passes = passes;
    this.#valueOf = valueOf;
  }

  override fill(): void {
    if (this.isStale) {
      this.#passingCount = 0;
      this.#countAll(this.source.entries());
    }
    this.isStale = false;
    this.value = this.#valueOf(this.#passingCount);
  }

  protected override apply(changes: readonly Change[]): void {
    this.#countAll(changes);
    this.clean = this.value === this.#valueOf(this.#passingCount);
  }

  #countAll(changes: Iterable<Change>): void {
    for (const { item, before, after } of changes)
      this.#passingCount += Number(this.#passes(after, item)) - Number(this.#passes(before, item));
  }
}

/** The value that was built for an item, and the data from which it was built. */
interface BuiltResult {
  readonly record: unknown;
  readonly beside: readonly unknown[];
  readonly result: unknown;
}

/** The list that a query returns. Unchanged items keep their object, and so does the list. */
export class ListResultCell extends QueryResultCell {
  readonly #options: ResultOptions;
  readonly #additions: readonly Addition[];
  readonly #names: readonly string[];
  readonly #window: Window;
  #items: readonly Item[] = [];
  #values: readonly unknown[] = [];
  /** The cells of the shown records, if the source has rows. */
  #records: readonly Cell[] = [];
  /** Whether other items may be shown. */
  #isTouched = false;
  /** Whether `#values` must be read again. */
  #isUnread = true;
  /** The cells of the relations of each item, in the order of the additions. */
  #beside = new Map<Item, Parts>();
  readonly #made = new Map<Item, BuiltResult>();

  constructor(source: SourceCell, window: Window, options: ResultOptions, additions: readonly Addition[]) {
    super(source);
    this.#options = options;
    this.#additions = additions;
    this.#names = additions.map(({ name }) => name);
    this.#window = window;
  }

  /** Which items are shown, and which relations to read beside them, is known only when the source is clean. */
  override get looksInside(): boolean {
    return this.#additions.length > 0 || this.source.isOfRows;
  }

  /** The temporary pk of a related record became an alias, so the relations are found again. */
  override noteReplaced(): void {
    this.#isUnread = true;
  }

  // Called after `prepare`, which leaves out the relations of formerly shown items: one of them may fail although its item is not shown any more.
  override discover(): Parts {
    this.#take();
    const records = uncleanOf(this.#records);
    if (records.length > 0) return records;
    if (this.#mayDiffer) this.#read();
    return uncleanOf(this.#besides);
  }

  /** Whether values of shown items may have changed. If the source has rows, it does not tell for each record. */
  get #mayDiffer(): boolean {
    return this.#isUnread || this.source.isOfRows;
  }

  get #besides(): Parts {
    return Array.from(this.#beside.values()).flat();
  }

  // Most queries of a source do not show the changed item, and need no build.
  protected override apply(changes: readonly Change[]): void {
    this.#isTouched = this.#window.take(changes) || this.#isTouched;
    this.clean = !this.#isTouched && !this.looksInside;
  }

  /** Finds out which items are shown. */
  #take(): void {
    if (this.isStale) this.#window.readAll(this.source);
    else if (!this.#isTouched) return;
    this.isStale = this.#isTouched = false;
    const former = this.#items;
    this.#items = this.#window.stretch;
    this.#isUnread = true;
    if (!this.source.isOfRows || isSameList(former, this.#items)) return;
    this.#records = this.#items.map((item) => this.source.recordOf(item));
    this.#linkAll();
  }

  /** Reads the values of the shown items, and finds the relations to read beside each. */
  #read(): void {
    const values = this.#items.map((item) => this.source.read(item));
    if (!this.#isUnread && isSameList(values, this.#values)) return;
    this.#isUnread = false;
    this.#values = values;
    if (this.#additions.length === 0) return;
    const former = this.#beside;
    this.#beside = new Map(
      this.#items.map((item, at) => {
        const old = former.get(item);
        return [item, this.#additions.map((addition, nth) => addition.cellFor(this.#values[at], old?.[nth]))];
      }),
    );
    this.#linkAll();
  }

  #linkAll(): void {
    this.link([this.source, ...this.#records, ...this.#besides]);
  }

  override fill(): void {
    const next = this.#results();
    if (this.#options.isOne) [this.value] = next;
    else if (!isSameList(this.value as readonly unknown[] | undefined, next))
      this.value = this.#options.isFrozen ? Object.freeze(next) : next;
  }

  #results(): readonly unknown[] {
    this.#take();
    if (this.#mayDiffer) this.#read();
    return this.#options.select === undefined && this.#additions.length === 0 ? this.#values : this.#makeAll();
  }

  #makeAll(): readonly unknown[] {
    const items = this.#items;
    const results = this.#values.map((record, at) => this.#make(items[at] as Item, record));
    if (this.#made.size > MAX_MADE + 2 * items.length) {
      const shown = new Set(items);
      for (const item of this.#made.keys()) if (!shown.has(item)) this.#made.delete(item);
    }
    return results;
  }

  /** Returns the value for an item. It is the same object while the record and its relations are the same, or if a new value is equal. */
  #make(item: Item, record: unknown): unknown {
    const beside = (this.#beside.get(item) ?? []).map((cell) => (cell?.value === INVALID ? undefined : cell?.value));
    const known = this.#made.get(item);
    if (known !== undefined && known.record === record && isSameList(known.beside, beside)) return known.result;
    const { select, isFrozen } = this.#options;
    const whole = beside.length === 0 ? record : joinedRecord(record, this.#names, beside, isFrozen);
    const made = select === undefined ? whole : select(whole);
    const result = select !== undefined && known !== undefined && equalPlain(known.result, made) ? known.result : made;
    if (isFrozen) freezePlain(result);
    this.#made.set(item, { record, beside, result });
    return result;
  }

  override release(): void {
    super.release();
    this.#items = [];
    this.#records = [];
    this.#beside = new Map();
    this.#made.clear();
  }
}

function isSameList(one: readonly unknown[] | undefined, other: readonly unknown[]): boolean {
  return one === other || (one?.length === other.length && one.every((value, at) => Object.is(value, other[at])));
}

function uncleanOf(cells: Parts): Parts {
  return cells.filter((cell) => cell?.clean === false);
}

/** How many values of items that are no longer shown are kept. */
const MAX_MADE = 64;
