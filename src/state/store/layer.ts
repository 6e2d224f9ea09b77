import type { Row, Invalid, Stamp } from '../../define/schema/schema.ts';
import { Reading } from '../denormalize/reading.ts';
import { Normalizer } from '../normalize/normalizer.ts';
import { WriteLog } from '../normalize/write-log.ts';
import { equalPlain } from '../../std/plain.ts';
import type { RowCell } from '../tables/table.ts';
import type { Space } from '../tables/space.ts';
import type { Below } from '../tables/table.ts';
import { SnapshotReader } from './snapshot.ts';

export type Shown = Row | Invalid | undefined;

/** What an intent guesses that the answer will be. */
export interface Guess {
  readonly schema: unknown;
  readonly response: unknown;
  readonly args?: readonly unknown[];
}

/** Makes a guess, given what readers see without it; `undefined` guesses nothing. */
export type Intent = (snapshot: SnapshotReader) => Guess | undefined;

/** A record that a guess creates. */
export interface Created {
  readonly table: string;
  readonly pk: string;
  /** Whether the pk is one of ours, until the server gives it another. */
  readonly isTemporary: boolean;
}

/** A guess is newer than everything confirmed. */
const NEWEST: Omit<Stamp, 'date' | 'fetchedAt'> = {
  issue: Number.POSITIVE_INFINITY,
  expiresAt: Number.POSITIVE_INFINITY,
};

/** A guess, and what it was made of. */
interface Made {
  /** What it makes of the rows of the ground. */
  readonly rows: Map<RowCell, Shown>;
  /** The records that it creates, in order. */
  readonly created: readonly Created[];
  /** The rows that it was made of, those that are not there included, and the tables that were looked at as a whole. */
  readonly read: ReadonlySet<RowCell>;
  readonly tables: ReadonlySet<string>;
}

/**
 * The rows of one pending mutation. A layer is a small store on top of the one below: its tables start out with what
 * lies below and are filled as they are asked for, so they know both what the guess wrote and what it was made of.
 */
export class LayerRows {
  readonly #intent: Intent;
  readonly #ground: Space;
  /** Whether the values that the guess reads are frozen. */
  readonly #frozen: boolean;
  readonly #temporary: (nth: number) => string;
  made: Made = { rows: new Map(), created: [], read: new Set(), tables: new Set() };

  constructor(intent: Intent, ground: Space, frozen: boolean, temporary: (nth: number) => string) {
    this.#intent = intent;
    this.#ground = ground;
    this.#frozen = frozen;
    this.#temporary = temporary;
  }

  /** Whether the guess was made of one of these rows. */
  dependsOn(cells: ReadonlySet<RowCell>): boolean {
    const { read, tables } = this.made;
    for (const cell of cells) if (read.has(cell) || tables.has(cell.table.name)) return true;
    return false;
  }

  /** Makes the guess on top of `below`, which tells the row and the stamp of a cell of the ground there. */
  make(below: (cell: RowCell) => Pick<RowCell, 'row' | 'stamp'>, now: number): void {
    const read = new Set<RowCell>();
    const tables = new Set<string>();
    const reading = new Reading(this.#frozen, this.#below(below, read, tables));
    const guess = this.#intent(new SnapshotReader(reading));
    const log = new WriteLog();
    const created: Created[] = [];
    if (guess !== undefined) this.#write(guess, reading.space, log, created, now);
    log.close();
    this.made = { rows: this.#rows(log), created, read, tables };
  }

  #write(guess: Guess, space: Space, log: WriteLog, created: Created[], now: number): void {
    const temporary = new Set<string>();
    const stamp = { ...NEWEST, fetchedAt: now, date: now };
    new Normalizer({ log, stamp, isOvertaking: false, isOvertaken: false, isGuess: true }, space, guess.args ?? [], {
      temporaryPk: () => {
        const pk = this.#temporary(temporary.size);
        temporary.add(pk);
        return pk;
      },
      created: ({ table, pk }) => created.push({ table: table.name, pk, isTemporary: temporary.has(pk) }),
    }).run(guess.schema, guess.response);
  }

  /** A row that says the same as before stays the same object, so that nothing made of it is made again. */
  #rows(log: WriteLog): Map<RowCell, Shown> {
    const rows = new Map<RowCell, Shown>();
    for (const cell of log.cells) {
      const home = this.#ground.table(cell.table.name).place(cell.pk);
      const old = this.made.rows.get(home);
      rows.set(home, old !== undefined && equalPlain(old, cell.row) ? old : cell.row);
    }
    return rows;
  }

  #below(below: (cell: RowCell) => Pick<RowCell, 'row' | 'stamp'>, read: Set<RowCell>, tables: Set<string>): Below {
    const fetch = (cell: RowCell): void => {
      const home = this.#ground.table(cell.table.name).place(cell.pk);
      read.add(home);
      const { row, stamp } = below(home);
      cell.row = row;
      cell.stamp = stamp;
      if (row !== undefined) cell.table.remember();
    };
    return {
      fetch,
      fetchAll: (table) => {
        tables.add(table.name);
        for (const { pk } of this.#ground.table(table.name).cells.values()) table.place(pk);
      },
      aliases: (name) => this.#ground.table(name).aliases,
    };
  }
}
