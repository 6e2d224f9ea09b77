import type { Row, RowEdit, RowState } from '../../define/schema/row.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import { equalPlain } from '../../std/plain.ts';
import { overlay } from '../normalize/combine.ts';
import { Normalizer } from '../normalize/normalizer.ts';
import { WriteLog } from '../normalize/write-log.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import type { Space } from '../tables/space.ts';
import { type Patch, patchedFields, patchOf } from './plain-guess.ts';
import { type ReadBelow, LayerSpace, NO_READS, type Reads } from './layer-space.ts';
import { type HiddenEdits, NestedEdits } from './nested-edits.ts';
import type { SnapshotReader } from './snapshot.ts';

/** The answer that an intent expects. */
export interface Guess {
  readonly schema: unknown;
  readonly response: unknown;
  readonly args?: readonly unknown[];
  /** Returns changes of other results, given the stored form of the guess. Neither function may throw. */
  readonly update?: ((stored: unknown) => Updates) | undefined;
  /** The record of the response, if it was deleted meanwhile. Only the records that are nested in it are shown. */
  readonly gone?: { readonly table: string; readonly pk: string } | undefined;
}

/** Returns the new value of a result, in refs. */
export type Update = (before: unknown) => unknown;
/** Updates by request key. */
export type Updates = ReadonlyMap<string, Update>;

/** Makes a guess from the data that readers see without it. `undefined`: no guess. */
export type Intent = (snapshot: SnapshotReader) => Guess | undefined;

/** What is known of a guess before it is made. */
export interface GuessOptions {
  /** The temporary pks of the created records, if another store shows the same guess, or it was shown before. */
  readonly elsewhere?: readonly string[] | undefined;
  /** The place of its mutation in the order of requests. */
  readonly issue?: number;
  readonly nestedEdits?: NestedEdits | undefined;
  readonly hiddenEdits?: HiddenEdits | undefined;
}

/** A record that a guess creates. */
export interface Created {
  readonly table: string;
  readonly pk: string;
  /** Whether the pk is temporary, until the server assigns another. */
  readonly isTemporary: boolean;
  /** Whether it is inside of another record. */
  readonly isNested: boolean;
}

/** A guess is newer than everything confirmed. */
const NEWEST: Omit<Stamp, 'date' | 'fetchedAt'> = {
  issue: Number.POSITIVE_INFINITY,
  expiresAt: Number.POSITIVE_INFINITY,
};

/** A guess with the pks of the server in place of temporary ones. */
interface GuessWithPks extends Guess {
  readonly args: readonly unknown[];
}

/** A guess, and the data that it was made from. */
export interface MadeGuess {
  readonly guess: GuessWithPks | undefined;
  /** The rows of the guess. For a patch, the fields to put over the row below. `undefined` for rows that it only edits. */
  readonly rows: Map<RowCell, RowState>;
  /** The records that the guess creates, in order. */
  readonly created: readonly Created[];
  /** The data that the intent has read. */
  readonly intentReads: Reads;
  /** The data that was read in addition to store the guess. */
  readonly storeReads: Reads;
  readonly patch: Patch | undefined;
  /** The edits of rows that do not depend on their content. They are repeated when the row below changes. */
  readonly edits: ReadonlyMap<RowCell, readonly RowEdit[]>;
  /** The updates of results. */
  readonly updates: Updates;
}

const NO_UPDATES: Updates = new Map();
const NO_EDITS: MadeGuess['edits'] = new Map();

/** The spaces in which layers are made. An intent may push a layer itself, so several may be in use. */
export class LayerSpaces {
  readonly core: Space;
  readonly confirmed: ReadBelow;
  /** Whether the values that an intent reads are frozen. */
  readonly #isFrozen: boolean;
  #unused: LayerSpace | undefined = undefined;

  constructor(core: Space, isFrozen: boolean, confirmed: ReadBelow) {
    this.core = core;
    this.confirmed = confirmed;
    this.#isFrozen = isFrozen;
  }

  use<T>(readBelow: ReadBelow, run: (space: LayerSpace) => T): T {
    const space = this.#unused ?? new LayerSpace(this.core, this.#isFrozen);
    this.#unused = undefined;
    space.begin(readBelow);
    try {
      return run(space);
    } finally {
      space.end();
      this.#unused = space;
    }
  }
}

/** The rows of one pending mutation, and the data that they were made from. */
export class LayerRows {
  /** Its position in the stack. It is higher than that of every layer below. */
  readonly position: number;
  /** Whether the intent must run again when the guess is made again. */
  isOutdated = false;
  made: MadeGuess = {
    guess: undefined,
    rows: new Map(),
    created: [],
    intentReads: NO_READS,
    storeReads: NO_READS,
    patch: undefined,
    edits: NO_EDITS,
    updates: NO_UPDATES,
  };
  readonly #intent: Intent;
  readonly #spaces: LayerSpaces;
  readonly #temporary: (table: string, nth: number) => string;
  /** When the mutation was issued. */
  readonly #issue: number | undefined;
  readonly nestedEdits: NestedEdits;
  readonly #hiddenEdits: HiddenEdits | undefined;

  constructor(
    position: number,
    intent: Intent,
    spaces: LayerSpaces,
    temporary: (table: string, nth: number) => string,
    { issue, hiddenEdits, nestedEdits = new NestedEdits() }: GuessOptions,
  ) {
    this.position = position;
    this.#intent = intent;
    this.#spaces = spaces;
    this.#temporary = temporary;
    this.#issue = issue;
    this.nestedEdits = nestedEdits;
    this.#hiddenEdits = hiddenEdits;
  }

  /** Makes the guess on top of the rows below. Throws what the intent throws. */
  make(readBelow: ReadBelow, now: number): void {
    this.#spaces.use(readBelow, (space) => this.#normalize(space, this.#runIntent(space), now));
  }

  /** Makes the guess again. If the intent throws, there is no guess until the rows below change again. */
  remake(readBelow: ReadBelow, now: number): void {
    try {
      this.#spaces.use(readBelow, (space) => {
        const guess = this.isOutdated ? this.#runIntent(space) : this.made.guess;
        if (!this.#patch(guess, space.space)) this.#normalize(space, guess, now);
      });
    } catch {
      // The former guess was made from other rows, so it is not shown.
      this.isOutdated = true;
      this.made = { ...this.made, rows: new Map(), patch: undefined, edits: NO_EDITS, updates: NO_UPDATES };
    }
  }

  /** Returns the guess that the intent makes on top of other rows. The layer does not change. */
  guessOn(readBelow: ReadBelow): Guess | undefined {
    return this.#spaces.use(readBelow, (space) => this.#run(space));
  }

  /** Returns every row from which the guess was made. */
  *readCells(): Generator<RowCell> {
    const { intentReads, patch, storeReads } = this.made;
    if (patch !== undefined) yield patch.cell;
    yield* intentReads.cells;
    yield* intentReads.fields.keys();
    yield* storeReads.cells;
    yield* storeReads.present;
  }

  /** Returns whether the guess was made from the same data as a former one, and updates the same results. */
  dependsAs({ intentReads, patch, storeReads, updates }: MadeGuess): boolean {
    const { made } = this;
    const isSameRead = intentReads === made.intentReads && storeReads === made.storeReads;
    return isSameRead && patch === made.patch && updates === made.updates;
  }

  /** Returns a row of the layer, given the row below. */
  applyTo(cell: RowCell, below: RowState): RowState {
    const { patch, rows } = this.made;
    const fields = rows.get(cell);
    if (patch === undefined) return fields;
    return isRow(below) ? overlay(below, fields as Row) : fields;
  }

  #run(space: LayerSpace): GuessWithPks | undefined {
    const guess = this.#intent(space.snapshot);
    if (guess === undefined) return undefined;
    const { args = [], response } = guess;
    return { ...guess, response: space.withServerPks(response), args: space.withServerPks(args) as readonly unknown[] };
  }

  #runIntent(space: LayerSpace): GuessWithPks | undefined {
    this.isOutdated = false;
    try {
      return this.#run(space);
    } finally {
      this.made = { ...this.made, intentReads: space.takeReads() };
    }
  }

  /** Applies a new guess as a patch, if the former guess was one and the new one can be. Returns false otherwise. */
  #patch(guess: GuessWithPks | undefined, space: Space): boolean {
    const { guess: before, patch } = this.made;
    if (guess === undefined || patch === undefined || guess.schema !== before?.schema) return false;
    const fields = patchedFields(patch, guess.response, space);
    if (fields === undefined) return false;
    const rows = new Map<RowCell, RowState>().set(patch.cell, fields);
    this.made = { ...this.made, guess, rows, storeReads: patch.reads };
    return true;
  }

  #normalize(space: LayerSpace, guess: GuessWithPks | undefined, now: number): void {
    const log = new WriteLog();
    const created: Created[] = [];
    let stored: unknown;
    try {
      if (guess !== undefined) stored = this.#write(guess, space, log, created, now);
    } finally {
      log.close();
      this.made = { ...this.made, storeReads: space.takeReads() };
    }
    const rows = this.#rows(log, space);
    const edits = new Map<RowCell, readonly RowEdit[]>();
    for (const [cell, edited] of space.edits) {
      const home = space.homeOf(cell);
      edits.set(home, keepEqual(this.made.edits.get(home), edited));
    }
    const patch = patchOf(guess, rows, space.space);
    const updates = guess?.update?.(stored) ?? NO_UPDATES;
    this.made = {
      ...this.made,
      guess,
      rows,
      created,
      patch,
      edits,
      updates,
      storeReads: patch?.reads ?? this.made.storeReads,
    };
  }

  #write(guess: GuessWithPks, space: LayerSpace, log: WriteLog, created: Created[], now: number): unknown {
    const temporary = new Set<string>();
    const stamp = { ...NEWEST, fetchedAt: now, date: now };
    return new Normalizer(
      {
        log,
        stamp,
        latest: 0,
        isOvertaking: false,
        isOvertaken: false,
        isGuess: true,
        issue: this.#issue,
        isPart: true,
        isWhole: false,
        gone: guess.gone,
      },
      space.space,
      guess.args,
      {
        temporaryPk: (table) => {
          const pk = this.#temporary(table, temporary.size);
          temporary.add(pk);
          return pk;
        },
        created: ({ table, pk }, isNested) =>
          created.push({ table: table.name, pk, isTemporary: temporary.has(pk), isNested }),
        nested: (plan, cell, row, below) => {
          const home = space.homeOf(cell);
          const options = { confirmed: this.#spaces.confirmed(home), issue: this.#issue, hidden: this.#hiddenEdits };
          return this.nestedEdits.restrict(plan, home, row, below, options);
        },
      },
    ).run(guess.schema, guess.response);
  }

  #rows(log: WriteLog, space: LayerSpace): Map<RowCell, RowState> {
    const rows = new Map<RowCell, RowState>();
    for (const cell of log.cells) {
      const home = space.homeOf(cell);
      // A copy of a list for each guess would take much memory.
      rows.set(home, space.edits.has(cell) ? undefined : keepEqual(this.made.rows.get(home), cell.row));
    }
    return rows;
  }
}

/** Returns the old row, or the old edits, if they are equal: values that were built from them are kept. */
function keepEqual<Made>(old: Made | undefined, made: Made): Made {
  return old !== undefined && equalPlain(old, made) ? old : made;
}
