import { type Collection, DataError, Store, dehydrate, hydrate } from '../../src/index.ts';
import { INVALID } from '../../src/define/schema/row.ts';
import { isEqual, refsIn, printed } from './equality.ts';
import type { Command, History, Change } from './history.ts';
import { Divergence, Comparison } from './comparison.ts';
import type { VisibleState } from './visible-state.ts';
import { Model } from './model.ts';
import { Places } from './places.ts';
import { EVERY, type Ref } from './placeholders.ts';
import type { PreparedWrites } from './prepared-writes.ts';
import { Guesses } from './guesses.ts';
import { ANY, type Moment, type Readable, readablesOf, resultOf } from './readables.ts';
import { Replica } from './replica.ts';
import { callOf, writeOf } from './changes.ts';
import type { Shape } from './shape.ts';
import { type Theme, lists, sources, tables } from './entities.ts';
import { takeSnapshot } from '../../src/state/store/store-snapshot.ts';

type Ticket = ReturnType<Store['begin']>;

interface Watch {
  readonly live: { current(): unknown; subscribe(onChange: () => void): () => void };
  readonly stop: () => void;
  calls: number;
  /** The step of its last read, and the expected value at that step. */
  read: number;
  expected: unknown;
  /** The value that was read inside the notification. */
  seen: { readonly value: unknown } | undefined;
  /** Whether it may have been notified without a change since its last read. */
  mayBeNotified: boolean;
}

/** A snapshot of the store, and the expected values at its moment. */
interface Snapshot {
  readonly reader: ReturnType<typeof takeSnapshot>;
  readonly moment: Moment;
  readonly comparison: Comparison;
  readonly places: Places;
  /** For how many more steps it is compared. */
  left: number;
}

/** A slot without a ticket. */
const NO_SLOT = -1;

type Settings = Pick<History, 'hasListener' | 'maxRows'>;

/** A store and its model, to which the same history is applied. */
export class TestedStore {
  #store: Store;
  #base: Model = new Model(tables, lists);
  readonly #readables: readonly Readable[];
  readonly #comparison = new Comparison(tables, lists);
  readonly #tickets = new Map<number, { ticket: Ticket; issue: number; isRefused: boolean }>();
  readonly #guesses = new Guesses();
  #places = new Places();
  readonly #watches = new Map<number, Watch>();
  readonly #resultShapes = new Map<string, Shape>();
  #issue = 1;
  #lastChange: Change | undefined;
  /** The time of the store jumps forward and back, because nothing may depend on it. */
  #time = 1000;
  #moment: Moment;
  #snapshots: Snapshot[] = [];
  readonly #settings: Settings;
  #replica: Replica | undefined;
  readonly #prepared: PreparedWrites | undefined;

  constructor(theme: Theme, settings: Settings, prepared?: PreparedWrites) {
    this.#settings = settings;
    this.#prepared = prepared;
    this.#store = this.#newStore();
    this.#readables = readablesOf(theme);
    this.#moment = { visible: this.#base.visible(), results: this.#base.results, shapes: this.#resultShapes };
  }

  #newStore(): Store {
    const { hasListener, maxRows } = this.#settings;
    const store = new Store({ maxRows, now: () => (this.#time = (this.#time * 7919 + 13) % 1_000_003) });
    this.#replica = hasListener ? new Replica(store) : undefined;
    return store;
  }

  // ---- Commands

  do(command: Command): void {
    switch (command.do) {
      case 'begin':
        return this.#begin(command.slot);
      case 'settle':
        return this.#settle(command.slot);
      case 'write':
        return this.#write(command.change, command.slot, command.result, command.isBrief);
      case 'again':
        return this.#lastChange && this.#write(this.#lastChange);
      case 'bad':
        return this.#writeBad(sources[command.source].schema, command.input, sources[command.source].args[0]);
      case 'batch':
        return this.#batch(command.commands, command.fails);
      case 'guess':
        return this.#guesses.guess(this.#store, command.layer, command.change);
      case 'confirm':
        return this.#confirm(command.layer, command.change, command.slot);
      case 'drop':
        return this.#guesses.take(command.layer)?.layer.drop();
      case 'watch':
        return this.#watch(command.readable % this.#readables.length, command.isEager);
      case 'unwatch':
        return this.#unwatch(command.readable % this.#readables.length);
      case 'snapshot':
        return this.#takeSnapshot();
      case 'collect':
        return this.#collect();
      case 'rehydrate':
        return this.#rehydrate();
      case 'reset':
        return this.#reset();
    }
  }

  #begin(slot: number): void {
    const ticket = this.#store.begin();
    this.#tickets.set(slot, { ticket, issue: ++this.#issue, isRefused: false });
    this.#prepared?.begun(this.#store, slot, ticket);
  }

  /** Returns the ticket in a slot, if there is one, and removes it from the slot. */
  #take(slot: number | undefined): { request?: Ticket; issue: number; isRefused: boolean } {
    const held = slot === undefined ? undefined : this.#tickets.get(slot);
    if (held === undefined || slot === undefined) return { issue: ++this.#issue, isRefused: false };
    this.#tickets.delete(slot);
    return { request: held.ticket, issue: held.issue, isRefused: held.isRefused };
  }

  #settle(slot: number): void {
    const held = this.#tickets.get(slot);
    if (held !== undefined) this.#store.settle(held.ticket);
    this.#tickets.delete(slot);
  }

  #write(change: Change, slot?: number, resultKey?: string, isBrief = false): void {
    const { request, issue, isRefused } = this.#take(slot);
    const { schema, input, args } = this.#prepared?.call(change) ?? callOf(change);
    this.#prepared?.answered(request);
    const isKept = resultKey !== undefined && change.kind === 'response';
    const expiresAt = isBrief ? 0 : Number.POSITIVE_INFINITY;
    const options = { args, expiresAt, ...(request && { request }), ...(isKept && { resultKey }) };
    const before = structuredClone(input);
    if (isRefused) return this.#expectRefusal(() => this.#store.write(schema, input, options));
    const stored = this.#store.write(schema, input, options);
    if (!isEqual(before, input))
      throw new Divergence(`write() changed its input: ${printed(before)} became ${printed(input)}`);
    this.#lastChange = change;
    const expected = this.#base.write(writeOf(change), issue);
    if (!isEqual(stored, expected))
      throw new Divergence(`write() returned ${printed(stored)} instead of ${printed(expected)}`);
    if (isKept) this.#answer(resultKey, sources[change.source].shape, expected, issue);
  }

  #answer(key: string, shape: Shape, stored: unknown, issue: number): void {
    this.#base.answer(key, stored, issue);
    if (this.#base.results.get(key)?.issue === issue) this.#resultShapes.set(key, shape);
  }

  /** Writes with a ticket from before a reset. The answer must not be stored; the store may throw a `DataError`. */
  #expectRefusal(run: () => unknown): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
    }
  }

  #writeBad(schema: unknown, input: unknown, args: readonly unknown[] = []): void {
    this.#issue++;
    try {
      this.#store.write(schema, input, { args });
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      if (typeof input === 'object' && error.entity === undefined)
        throw new Divergence(`the error does not name an entity: ${error.message}`);
      return;
    }
    throw new Divergence(`an invalid response was stored: ${printed(input)}`);
  }

  #batch(commands: readonly Command[], fails: boolean): void {
    const before = this.#base.copy();
    const shapes = [...this.#resultShapes];
    const open = [...this.#tickets.values()].filter(({ isRefused }) => !isRefused);
    const restore = this.#guesses.memo();
    const places = this.#places.copy();
    const stop = new Error('the batch fails');
    try {
      this.#store.batch(() => {
        // An answered ticket cannot be used again, even if the batch is undone. So the commands of a batch have no tickets.
        for (const command of commands) {
          this.do('slot' in command ? { ...command, slot: NO_SLOT } : command);
          this.#places.note(this.#guesses.over(this.#base).visible(), this.#guesses.all);
        }
        if (fails) throw stop;
      });
    } catch (error) {
      if (error !== stop) throw error;
      this.#base = before;
      this.#places = places;
      this.#resultShapes.clear();
      for (const [key, shape] of shapes) this.#resultShapes.set(key, shape);
      for (const held of open) held.isRefused = false;
      if (restore()) this.#allowNotices();
    }
  }

  /** If a guess was removed and restored, a list may be a new object with the same members. */
  #allowNotices(): void {
    this.#comparison.forgetAllBut([], new Set());
    for (const watch of this.#watches.values()) watch.mayBeNotified = true;
  }

  #confirm(at: number, given: Change, slot: number | undefined): void {
    const pending = this.#guesses.take(at);
    if (pending === undefined) return;
    const { request, issue, isRefused } = this.#take(slot);
    const change = this.#guesses.confirmation(pending, given);
    const { schema, input, args } = callOf(change);
    const confirm = (): unknown => pending.layer.confirm(schema, input, { args, ...(request && { request }) });
    if (isRefused) return this.#expectRefusal(confirm);
    confirm();
    this.#base.write(writeOf(change), issue);
  }

  #watch(at: number, isEager: boolean): void {
    if (this.#watches.has(at)) return;
    const readable = this.#readables[at] as Readable;
    const live = readable.live(this.#store);
    live.current();
    const onChange = (): void => {
      watch.calls++;
      // A read inside the notification must see the whole commit.
      if (isEager) watch.seen = { value: live.current() };
    };
    const watch: Watch = {
      live,
      calls: 0,
      read: this.#comparison.step,
      expected: this.#expected(readable),
      seen: undefined,
      mayBeNotified: false,
      stop: live.subscribe(onChange),
    };
    this.#watches.set(at, watch);
  }

  #unwatch(at: number): void {
    this.#watches.get(at)?.stop();
    this.#watches.delete(at);
  }

  #takeSnapshot(): void {
    if (this.#snapshots.length === 2) return;
    const comparison = new Comparison(tables, lists, this.#guesses.unnamed);
    const moment = { ...this.#moment, visible: this.#guesses.over(this.#base).visible() };
    comparison.begin(moment.visible, new Map());
    const places = this.#places.copy();
    places.note(moment.visible, this.#guesses.all);
    this.#snapshots.push({ reader: takeSnapshot(this.#store), moment, comparison, places, left: 8 });
  }

  /** A snapshot must not change when the store changes. */
  #compareSnapshot(snapshot: Snapshot, chosen: (at: number) => boolean): void {
    const { reader, moment, comparison, places } = snapshot;
    comparison.forgetAllBut([], new Set());
    for (const [at, readable] of this.#readables.entries()) {
      if (!chosen(at) || readable.isLiveOnly) continue;
      const expected = readable.expected(moment);
      if (expected === ANY) continue;
      const seen = expected === INVALID ? undefined : expected;
      const actual = readable.read(reader);
      const compared = readable.comparable === undefined ? actual : readable.comparable(actual, seen);
      comparison.compare(`in a snapshot: ${readable.name}`, readable.roots(moment), seen, compared, actual);
      this.#comparePlaces(places, readable, actual);
    }
  }

  /** The store may collect any row, except rows in observed values. The model then forgets the collected rows. */
  #collect(): void {
    const watched = [...this.#watches.keys()].map((at) => this.#readables[at] as Readable);
    Array.from(this.#store.collect());
    for (const key of this.#base.results.keys()) {
      if (this.#store.result(key) !== undefined) watched.push(resultOf(key));
      else if (watched.some(({ name }) => name === resultOf(key).name))
        throw new Divergence(`${key} was collected although it is watched`);
      else this.#base.results.delete(key);
    }
    const roots = watched.flatMap((readable) => readable.roots(this.#moment).map(({ name }) => name));
    const kept = new Set([...roots, ...this.#comparison.reach(watched.flatMap((readable) => this.#shownBy(readable)))]);
    this.#forgetUnwatched(watched);
    const open = [...this.#tickets.values()].filter(({ isRefused }) => !isRefused);
    const oldest = Math.min(...open.map(({ issue }) => issue));
    for (const ref of this.#base.refs()) {
      if (this.#store.row(ref.table, ref.pk) !== undefined || this.#base.row(ref.table, ref.pk) === undefined) continue;
      if (kept.has(ref.name)) throw new Divergence(`${ref.name} was collected although it can be seen`);
      if (this.#base.forget(ref) > oldest) throw new Divergence(`the deletion of ${ref.name} was forgotten too early`);
    }
  }

  /** A value may be a new object if it has no observer, or if it is only watched as another class. */
  #forgetUnwatched(watched: readonly Readable[]): void {
    const shown = watched.filter(({ isVariant }) => isVariant !== true);
    const readers = [...this.#watches.keys()].map((at) => this.#readables[at] as Readable);
    this.#comparison.forgetAllBut(
      readers,
      this.#comparison.reach(shown.flatMap((readable) => this.#shownBy(readable))),
    );
  }

  /** The records at the top of the value of a reader. If the reader selects rows or fields, only the selected ones. */
  #shownBy(readable: Readable): readonly Ref[] {
    const roots = readable.roots(this.#moment);
    const isChoice = readable.isVariant === true || roots.some(({ pk }) => pk === EVERY);
    return isChoice ? refsIn(readable.expected(this.#moment)) : roots;
  }

  #reset(): void {
    for (const held of this.#tickets.values()) held.isRefused = true;
    this.#guesses.clear();
    this.#base = new Model(tables, lists);
    this.#store.reset();
    this.#forgetUnwatched([]);
    // A reader of a whole table may get an empty list or nothing after a reset.
    for (const [at, watch] of this.#watches)
      watch.mayBeNotified ||= (this.#readables[at] as Readable).comparable !== undefined;
  }

  /** Replaces the store by another one, hydrated from JSON. It has all confirmed data, and no pending guesses. */
  #rehydrate(): void {
    const plain: unknown = JSON.parse(JSON.stringify(dehydrate(this.#store)));
    for (const at of [...this.#watches.keys()]) this.#unwatch(at);
    this.#tickets.clear();
    this.#guesses.clear();
    this.#store = this.#newStore();
    hydrate(this.#store, plain);
    // The new store must know the schema, because only the schema says in which table a member of a union is.
    this.#store.get(sources.album.schema as Collection);
    this.#base = this.#base.flat();
    // JSON does not contain the schema of an answer.
    for (const key of this.#resultShapes.keys()) this.#resultShapes.set(key, { kind: 'plain', choices: [] });
    this.#comparison.forget();
  }

  // ---- Comparison

  /** Compares the readables for which `chosen` returns true with the model. */
  compare(chosen: (at: number) => boolean): void {
    this.#guesses.learn(this.#store);
    const model = this.#guesses.over(this.#base);
    const visible = model.visible();
    this.#moment = { visible, results: model.results, shapes: this.#resultShapes };
    this.#places.note(visible, this.#guesses.all);
    const confirmed = (): VisibleState => (model === this.#base ? visible : this.#base.visible());
    this.#replica?.compare(confirmed(), this.#guesses.areAllNamed ? visible : undefined, model.results);
    const answers = [...model.results].map(
      ([key, { stored }]) => [key, [stored, this.#resultShapes.get(key)]] as const,
    );
    this.#comparison.begin(visible, new Map(answers));
    for (const [at, watch] of this.#watches) this.#compareCalls(this.#readables[at] as Readable, watch);
    for (let at = 0; at < this.#readables.length; at++) if (chosen(at)) this.#compareReadable(at);
    for (const snapshot of this.#snapshots) this.#compareSnapshot(snapshot, chosen);
    this.#snapshots = this.#snapshots.filter((snapshot) => --snapshot.left > 0);
  }

  #compareReadable(at: number): void {
    const readable = this.#readables[at] as Readable;
    const expected = this.#expected(readable);
    if (expected === ANY) return;
    const actual = readable.read(this.#store);
    const isInvalid = readable.isLiveOnly === true && readable.expected(this.#moment) === INVALID;
    if (readable.isLiveOnly === true && (actual === INVALID) !== isInvalid)
      throw new Divergence(`${readable.name} should ${isInvalid ? '' : 'not '}be invalid, is ${printed(actual)}`);
    this.#compareOne(readable, expected, actual);
    const watch = this.#watches.get(at);
    if (watch === undefined) return;
    const value = watch.live.current();
    this.#compareOne(readable, expected, value);
    if (watch.seen !== undefined && watch.seen.value !== value)
      throw new Divergence(
        `the observer of ${readable.name} read another value inside its notification: ${printed(watch.seen.value)}`,
      );
    watch.seen = undefined;
    watch.mayBeNotified = false;
    watch.calls = 0;
    watch.read = this.#comparison.step;
    watch.expected = expected;
  }

  #expected(readable: Readable): unknown {
    const expected = readable.expected(this.#moment);
    return expected === INVALID ? undefined : expected;
  }

  #compareOne(readable: Readable, expected: unknown, actual: unknown): void {
    const { name, comparable, roots } = readable;
    const got = actual === INVALID ? undefined : actual;
    const compared = comparable === undefined ? got : comparable(got, expected);
    this.#comparison.compare(name, roots(this.#moment), expected, compared, got);
    this.#comparePlaces(this.#places, readable, got);
  }

  #comparePlaces(places: Places, { name, inOrderOf }: Readable, actual: unknown): void {
    if (inOrderOf === undefined || !Array.isArray(actual)) return;
    const pks = (actual as { id: string }[]).map(({ id }) => this.#guesses.nameOf(id));
    places.check(name, inOrderOf, pks);
  }

  #compareCalls(readable: Readable, watch: Watch): void {
    const { name } = readable;
    const expected = this.#expected(readable);
    if (expected === ANY || watch.expected === ANY) return;
    const isAnother = !isEqual(watch.expected, expected) || this.#comparison.changedIn(expected) > watch.read;
    if (watch.calls === 0 && isAnother) throw new Divergence(`the observer of ${name} was not notified of a change`);
    if (
      watch.calls > 0 &&
      !watch.mayBeNotified &&
      !this.#comparison.isTouched(readable.roots(this.#moment), watch.read)
    )
      throw new Divergence(`the observer of ${name} was notified although none of its records changed`);
  }
}
