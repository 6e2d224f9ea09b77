import { memo } from '../../std/memo.ts';
import type { RowState } from '../../define/schema/row.ts';
import { firstIndex } from '../../std/first-index.ts';
import type { Aliases } from '../tables/aliases.ts';
import type { Relations } from '../tables/relations.ts';
import type { RowCell } from '../tables/table.ts';
import type { KeptStates } from './kept-states.ts';
import type { RequestState } from './request-state.ts';

/** A former row, and its place in the order of arrival. */
interface FormerRow {
  readonly row: RowState;
  readonly arrival: number;
}

/** A former state, and the number of the last snapshot that has it. */
interface Former<State> {
  readonly state: State;
  readonly until: number;
}

/** A snapshot that may be in use. */
interface UsedSnapshot {
  readonly number: number;
  readonly past: WeakRef<Past>;
}

/** The former states of the rows of one table, or of the requests, in the order in which they were replaced. */
class FormerStates<State> {
  readonly #byKey = new Map<string, Former<State>[]>();
  /** The number of the last snapshot for which a state is kept. */
  until = 0;

  /** Keeps a state for the snapshots up to a number. Returns false if the last of them has another state, which was kept before. */
  keep(key: string, state: State, until: number): boolean {
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [{ state, until }]);
    else if ((known.at(-1) as Former<State>).until >= until) return false;
    else known.push({ state, until });
    this.until = until;
    return true;
  }

  /** Returns the state that a snapshot has. `undefined` if it is still the present one. */
  of(number: number, key: string): Former<State> | undefined {
    const known = this.#byKey.get(key);
    return known?.[firstIndex(known, ({ until }) => until >= number)];
  }

  /** Returns the states that a snapshot has and that are not the present ones, by key. */
  *allOf(number: number): Generator<readonly [key: string, state: State]> {
    for (const key of this.#byKey.keys()) {
      const former = this.of(number, key);
      if (former !== undefined) yield [key, former.state];
    }
  }

  /** Forgets the states that none of these snapshots has. Returns how many are left. */
  keepOnly(numbers: readonly number[]): number {
    let size = 0;
    for (const [key, known] of this.#byKey) {
      let before = 0;
      const left = known.filter(({ until }) => {
        const next = numbers[firstIndex(numbers, (number) => number > before)];
        before = until;
        return next !== undefined && next <= until;
      });
      size += left.length;
      if (left.length === 0) this.#byKey.delete(key);
      else this.#byKey.set(key, left);
    }
    return size;
  }
}

/** Unused states are searched only if more states and snapshots than this are kept. */
const MIN_TO_FORGET = 64;

/**
 * The former states of what has changed since snapshots were taken. All snapshots share them, so the cost of a change does not depend on how
 * many snapshots are in use.
 */
export class SharedPast {
  /** The rows, by table. */
  readonly rows: Map<string, FormerStates<FormerRow>> = new Map();
  readonly requests: FormerStates<RequestState | undefined> = new FormerStates();
  /** Counts the states that were kept. */
  version = 0;
  /** The snapshots that may be in use, in the order in which they were taken. */
  #used: UsedSnapshot[] = [];
  #taken = 0;
  /**
   * Calls the function with the number of each snapshot that the garbage collector has freed. The states that only this snapshot used are
   * removed at once, because they may contain data of a user who has logged out. React Native has no `FinalizationRegistry`, so there the store
   * removes them at its next change.
   */
  readonly #freed =
    typeof FinalizationRegistry === 'undefined'
      ? undefined
      : new FinalizationRegistry<number>((number) => {
          if (this.#used.some((used) => used.number === number)) this.#forget();
        });
  /** How many states are kept. */
  #size = 0;
  /** The number of states and snapshots above which the unused ones are forgotten. */
  #most = MIN_TO_FORGET;

  /** Starts to keep states for a new snapshot. */
  take(): Past {
    const past = new Past(this, ++this.#taken);
    this.#freed?.register(past, past.number);
    this.#used.push({ number: past.number, past: new WeakRef(past) });
    this.#forgetIfMany();
    return past;
  }

  /** Keeps a row that is about to change. */
  keepRow({ table, pk, arrival }: RowCell, row: RowState): void {
    const last = this.#lastUsed();
    if (last === undefined) return;
    const rows = memo(this.rows, table.name, () => new FormerStates());
    if (rows.keep(pk, { row, arrival }, last)) this.#noteKept();
  }

  /** Keeps the state of a request that is about to change. */
  keepRequest(key: string, state: RequestState | undefined): void {
    const last = this.#lastUsed();
    if (last !== undefined && this.requests.keep(key, state, last)) this.#noteKept();
  }

  /** Forgets the states that no snapshot in use has. */
  #forget(): void {
    this.#used = this.#used.filter(({ past }) => past.deref() !== undefined);
    const numbers = this.#used.map(({ number }) => number);
    this.#size = this.requests.keepOnly(numbers);
    for (const rows of this.rows.values()) this.#size += rows.keepOnly(numbers);
    this.#most = Math.max(MIN_TO_FORGET, 2 * (this.#size + numbers.length));
  }

  #noteKept(): void {
    this.version++;
    this.#size++;
    this.#forgetIfMany();
  }

  #forgetIfMany(): void {
    if (this.#size + this.#used.length > this.#most) this.#forget();
  }

  /** Returns the number of the last snapshot that is in use. */
  #lastUsed(): number | undefined {
    for (let last = this.#used.at(-1); last !== undefined; last = this.#used.at(-1)) {
      if (last.past.deref() !== undefined) return last.number;
      this.#used.pop();
    }
    if (this.#size > 0) this.#forget();
    return undefined;
  }
}

/** What has changed since one snapshot was taken, as it was then. */
export class Past {
  readonly #shared: SharedPast;
  /** The place of the snapshot in the order in which snapshots were taken. */
  readonly number: number;
  readonly requests: KeptStates<RequestState | undefined>;
  /** The pks that had replaced temporary pks, by table. */
  readonly aliases: Map<string, Aliases> = new Map();
  /** The tables that counted as known without rows. */
  readonly remembered: Set<string> = new Set();
  /** The declared fields of classes, by table. */
  readonly relations: Map<string, Relations> = new Map();

  constructor(shared: SharedPast, number: number) {
    this.#shared = shared;
    this.number = number;
    this.requests = {
      has: (key) => shared.requests.of(number, key) !== undefined,
      get: (key) => shared.requests.of(number, key)?.state,
    };
  }

  /** Returns the changed rows of a table. */
  rowsOf(table: string): KeptStates<RowState> | undefined {
    const rows = this.#shared.rows.get(table);
    return (
      rows && {
        has: (pk) => rows.of(this.number, pk) !== undefined,
        get: (pk) => rows.of(this.number, pk)?.state.row,
      }
    );
  }

  /** Returns whether a row has changed. */
  hasRow(table: string, pk: string): boolean {
    return this.#shared.rows.get(table)?.of(this.number, pk) !== undefined;
  }

  /** Returns whether a row of a table has changed. */
  isChanged(table: string): boolean {
    return (this.#shared.rows.get(table)?.until ?? 0) >= this.number;
  }

  /** Returns the names of the tables with changed rows. */
  changedTables(): readonly string[] {
    return [...this.#shared.rows.keys()].filter((table) => this.isChanged(table));
  }

  /** Returns the places of changed rows in the order of arrival, by pk. */
  *arrivalsIn(table: string): Generator<readonly [pk: string, arrival: number]> {
    for (const [pk, { arrival }] of this.#shared.rows.get(table)?.allOf(this.number) ?? []) yield [pk, arrival];
  }

  /** Differs whenever more has changed, since this or another snapshot was taken. */
  get version(): number {
    return this.#shared.version;
  }
}
