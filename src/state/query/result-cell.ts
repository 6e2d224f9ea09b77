import { INVALID } from '../../define/schema/schema.ts';
import { equalPlain, freezePlain } from '../../std/plain.ts';
import { Cell, type Failed, type Parts } from '../graph/cell.ts';
import { joinedRecord } from './joined-record.ts';
import { type Change, Inbox, type Item, type Receiver, type SourceCell } from './source-cell.ts';
import { Counter, Window, type WindowOptions } from './window.ts';

/** What is made of the items that a query shows. */
export interface ResultOptions extends WindowOptions {
  readonly select: ((record: unknown) => unknown) | undefined;
  readonly isFrozen: boolean;
  /** Whether it reads as its first item alone. */
  readonly isOne: boolean;
}

/** The cells of relations that are read beside each item. */
export interface Addition {
  readonly name: string;
  cellFor(record: unknown, old: Cell | undefined): Cell | undefined;
}

/** The base of what a query reads as: it hears of the changes of its source. */
abstract class QueryResultCell extends Cell implements Receiver {
  readonly source: SourceCell;
  readonly inbox: Inbox = new Inbox();

  constructor(source: SourceCell) {
    super();
    this.source = source;
  }

  receive(changes: readonly Change[] | undefined): void {
    this.inbox.receive(changes);
  }

  override get isInside(): boolean {
    return true;
  }

  override mayStay(): boolean {
    return true;
  }

  override prepare(): Parts {
    if (this.parts.length === 0) this.link([this.source]);
    return this.parts;
  }

  override fail(failed: Failed): void {
    super.fail(failed);
    this.inbox.forget();
  }

  override release(): void {
    super.release();
    this.inbox.forget();
    this.value = undefined;
  }
}

/** The number of items that a query shows, or whether it shows any. */
export class CountCell extends QueryResultCell {
  readonly #counter: Counter;
  readonly #valueOf: (passing: number) => unknown;

  constructor(source: SourceCell, passes: WindowOptions['passes'], valueOf: (passing: number) => unknown) {
    super(source);
    this.#counter = new Counter(passes);
    this.#valueOf = valueOf;
  }

  override isChanged(): boolean {
    return this.#counter.take(this.inbox.take(), this.source) || this.value === undefined;
  }

  override fill(): void {
    // After an error it is not asked first whether anything has changed.
    this.#counter.take(this.inbox.take(), this.source);
    this.value = this.#valueOf(this.#counter.passing);
  }
}

/** What was made of an item, and of what. */
interface Made {
  readonly record: unknown;
  readonly beside: readonly unknown[];
  readonly result: unknown;
}

/** The list that a query reads as. What did not change in it stays the same object, the list too. */
export class ListResultCell extends QueryResultCell {
  readonly #options: ResultOptions;
  readonly #additions: readonly Addition[];
  readonly #names: readonly string[];
  readonly #window: Window;
  #stretch: { readonly values: readonly unknown[]; readonly tags: readonly Item[] } = { values: [], tags: [] };
  /** The cells of what is read beside each item, in the order of the additions. */
  #beside = new Map<Item, Parts>();
  readonly #made = new Map<Item, Made>();
  /** What `isChanged` made to compare it with the old value. */
  #next: readonly unknown[] | undefined = undefined;

  constructor(source: SourceCell, options: ResultOptions, additions: readonly Addition[]) {
    super(source);
    this.#options = options;
    this.#additions = additions;
    this.#names = additions.map(({ name }) => name);
    this.#window = new Window(options);
  }

  /** Which items are shown is known only when the source is clean, and with it what is read beside them. */
  override get looksInside(): boolean {
    return this.#additions.length > 0;
  }

  override discover(): Parts {
    this.#take();
    return Array.from(this.#beside.values())
      .flat()
      .filter((cell) => cell?.clean === false);
  }

  #take(): void {
    if (!this.#window.take(this.inbox.take(), this.source)) return;
    const tags = this.#window.stretch;
    const values = tags.map((item) => this.source.read(item));
    this.#stretch = { tags, values };
    if (this.#additions.length === 0) return;
    const former = this.#beside;
    this.#beside = new Map(
      tags.map((item, at) => {
        const old = former.get(item);
        return [item, this.#additions.map((addition, nth) => addition.cellFor(values[at], old?.[nth]))];
      }),
    );
    this.link([this.source, ...Array.from(this.#beside.values()).flat()]);
  }

  override isChanged(): boolean {
    const next = this.#results();
    this.#next = next;
    if (this.#options.isOne) return next[0] !== this.value;
    const old = this.value as readonly unknown[] | undefined;
    return old === undefined || old.length !== next.length || next.some((result, at) => result !== old[at]);
  }

  override fill(): void {
    const next = this.#next ?? this.#results();
    if (this.#options.isOne) [this.value] = next;
    else this.value = this.#options.isFrozen ? Object.freeze(next) : next;
  }

  override seal(): void {
    this.#next = undefined;
  }

  override fail(failed: Failed): void {
    super.fail(failed);
    this.#next = undefined;
  }

  #results(): readonly unknown[] {
    this.#take();
    const { values, tags } = this.#stretch;
    if (this.#options.select === undefined && this.#additions.length === 0) return values;
    const results = values.map((record, at) => this.#make(tags[at] as Item, record));
    if (this.#made.size > MOST_MADE + 2 * tags.length) this.#forgetMade(tags);
    return results;
  }

  /** The same object while the record, and what is read beside it, are the same; and while it says the same. */
  #make(item: Item, record: unknown): unknown {
    const beside = (this.#beside.get(item) ?? []).map((cell) => (cell?.value === INVALID ? undefined : cell?.value));
    const known = this.#made.get(item);
    if (known !== undefined && known.record === record && known.beside.every((value, at) => value === beside[at]))
      return known.result;
    const { select, isFrozen } = this.#options;
    const whole = beside.length === 0 ? record : joinedRecord(record, this.#names, beside, isFrozen);
    const made = select === undefined ? whole : select(whole);
    const result = select !== undefined && known !== undefined && equalPlain(known.result, made) ? known.result : made;
    if (isFrozen) freezePlain(result);
    this.#made.set(item, { record, beside, result });
    return result;
  }

  #forgetMade(shown: readonly Item[]): void {
    const isShown = new Set(shown);
    for (const item of this.#made.keys()) if (!isShown.has(item)) this.#made.delete(item);
  }

  override release(): void {
    super.release();
    this.#beside = new Map();
    this.#made.clear();
  }
}

/** What was made of items that are not shown any more may stay up to here. */
const MOST_MADE = 64;
