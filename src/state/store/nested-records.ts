import { isObject } from '../../define/schema/fields.ts';
import type { RowState } from '../../define/schema/row.ts';
import { argsKey } from '../../std/args-key.ts';
import { memo } from '../../std/memo.ts';
import type { Fields } from '../../std/plain.ts';
import type { Relations } from '../tables/relations.ts';
import { isRowSchema, type Space } from '../tables/space.ts';
import type { RowCell, Table } from '../tables/table.ts';
import { isTemporary } from '../tables/temporary-names.ts';
import type { MadeGuess } from './layer-rows.ts';

/** The cell of a record that a guess creates, and the cell of the same record in the answer. */
export type Match = readonly [guessed: RowCell, server: RowCell];

/** New records of a list that were sent with equal fields, and the records in the answer that have these fields. */
interface EqualRecords {
  readonly guessed: RowCell[];
  readonly answered: readonly RowCell[];
}

/** New records that refer to the same record by the same field. */
interface Referring {
  readonly field: string;
  readonly value: unknown;
  readonly created: RowCell[];
}

type NamedValue = readonly [name: string, value: unknown];
/** The name of a field, and its value as text. */
type FieldText = readonly [name: string, text: string];

type ReadRow = (cell: RowCell) => { readonly row: RowState };

/**
 * Finds records in an answer: those that the guess creates inside of other records. Such a record is in the same field of the same record. In a
 * list, it has the fields that were sent. If several records of the answer can be the same record, none of them is taken.
 */
export class NestedRecords {
  readonly #space: Space;
  readonly #rows: MadeGuess['rows'];
  readonly #confirmed: ReadRow;
  /** The cells of the records to find, by temporary pk. */
  readonly #cells = new Map<unknown, RowCell>();
  readonly #found: Map<RowCell, RowCell>;

  /** `others`: the matches of the other records that the guess creates. */
  constructor(space: Space, { created, rows }: MadeGuess, confirmed: ReadRow, others: readonly Match[]) {
    this.#found = new Map(others);
    this.#space = space;
    this.#rows = rows;
    this.#confirmed = confirmed;
    for (const { isNested, pk, table } of created) if (isNested) this.#cells.set(pk, space.table(table).cellOf(pk));
  }

  /** Returns the matches that were found, and those that the constructor was given. */
  find(): Iterable<Match> {
    if (this.#cells.size === 0) return this.#found;
    for (const cell of this.#rows.keys()) if (!this.#found.has(cell)) this.#compareCells(cell, cell, false);
    let known: number;
    do {
      known = this.#found.size;
      // The loop also visits the matches that are added meanwhile.
      for (const [guessed, server] of this.#found) this.#compareCells(guessed, server, true);
      this.#compareReferring();
    } while (known < this.#found.size);
    return this.#found;
  }

  /**
   * Compares the new records that refer to a record of the guess, as those of `hasMany` do, with those that refer to the same record of the
   * answer.
   */
  #compareReferring(): void {
    const pks = new Map<unknown, string>();
    for (const cell of this.#rows.keys()) pks.set(cell.pk, (this.#found.get(cell) ?? cell).pk);
    const groups = new Map<string, Referring>();
    for (const cell of this.#cells.values()) {
      if (this.#found.has(cell)) continue;
      for (const [field, value] of Object.entries(this.#sent(cell))) {
        const make = (): Referring => ({ field, value, created: [] });
        if (pks.has(value)) memo(groups, nameOf(cell, [[field, value]]), make).created.push(cell);
      }
    }
    for (const { created, field, value } of groups.values()) {
      const refers = (cell: RowCell): boolean => String(this.#answeredFields(cell)[field]) === pks.get(value);
      const cells = [...(created as [RowCell])[0].table.cells.values()];
      // Another field can have the text of a pk by chance, but not that of a temporary one.
      const isOfNew = isTemporary(String(value));
      this.#match(created, cells.filter(refers), isOfNew, isOfNew);
    }
  }

  #sent(cell: RowCell): Fields {
    return Object(this.#rows.get(cell)) as Fields;
  }

  #answeredFields(cell: RowCell): Fields {
    return Object(this.#confirmed(cell).row) as Fields;
  }

  /** `isNew`: whether the guess creates the record. */
  #compareCells(guessed: RowCell, server: RowCell, isNew: boolean): void {
    this.#compare(
      this.#sent(guessed),
      this.#answeredFields(server),
      isNew,
      this.#space.relations.get(guessed.table.name),
    );
  }

  /** Compares the stored forms of one schema. `isNew`: whether they are in a new record. `relations`: if they are records, the relations of these. */
  #compare(sent: unknown, answered: unknown, isNew: boolean, relations?: Relations): void {
    const cell = this.#cells.get(sent);
    if (cell !== undefined) {
      if (typeof answered === 'string') this.#found.set(cell, cell.table.cellOf(answered));
    } else if (Array.isArray(sent) && Array.isArray(answered)) this.#compareLists(sent, answered, isNew);
    else if (isObject(sent) && isObject(answered) && (relations !== undefined || kindOf(sent) === kindOf(answered)))
      for (const [name, part] of Object.entries(sent))
        this.#compareFields(relations?.get(name)?.schema, part, answered[name], isNew);
  }

  #compareFields(schema: unknown, sent: unknown, answered: unknown, isNew: boolean): void {
    if (!isObject(schema) || !isRowSchema(schema)) return this.#compare(sent, answered, isNew);
    const table = this.#space.table(schema.key);
    if (typeof sent === 'string' && typeof answered === 'string')
      this.#compareCells(table.cellOf(sent), table.cellOf(answered), isNew);
  }

  #compareLists(sent: readonly unknown[], answered: readonly unknown[], isNew: boolean): void {
    const tables = new Map<unknown, Table>();
    const created: RowCell[] = [];
    for (const ref of sent) {
      const cell = this.#cells.get(pkIn(ref));
      if (cell === undefined) continue;
      created.push(cell);
      tables.set(kindOf(ref), cell.table);
    }
    if (created.length === 0) return;
    const cellsIn = (refs: readonly unknown[]): RowCell[] =>
      refs.flatMap((ref) => tables.get(kindOf(ref))?.find(String(pkIn(ref))) ?? []);
    const known = new Set(cellsIn(sent));
    const others = cellsIn(answered).filter((cell) => !known.has(cell));
    this.#match(created, others, sent.length === answered.length, isNew);
  }

  /**
   * Matches new records with some records of the answer by the fields that were sent. Equal records are matched in their order. With `isWhole`, a
   * single record that remains on each side is matched too. `isInNew`: whether all of them are in a new record.
   */
  #match(created: readonly RowCell[], cells: readonly RowCell[], isWhole: boolean, isInNew: boolean): void {
    const [{ arrival }] = created as [RowCell];
    // A record that was stored before the guess was made is an old one. Not inside of a new record, which a list may have brought before the answer
    // of its create, as after a restart.
    const arrived = cells.filter((cell) => isInNew || cell.arrival > arrival);
    const matched = new Set<RowCell>();
    for (const { guessed, answered } of this.#equalRecords(created, arrived))
      for (const [at, cell] of guessed.entries()) {
        const server = answered[at] as RowCell;
        this.#found.set(cell, server);
        matched.add(cell).add(server);
      }
    const isUnmatched = (cell: RowCell): boolean => !matched.has(cell);
    const [oneGuessed, ...moreGuessed] = created.filter(isUnmatched);
    const [oneOfServer, ...moreOfServer] = arrived.filter(isUnmatched);
    const isOnly = moreGuessed.length + moreOfServer.length === 0 && isWhole;
    if (isOnly && oneGuessed !== undefined && oneGuessed.table === oneOfServer?.table)
      this.#found.set(oneGuessed, oneOfServer);
  }

  #equalRecords(created: readonly RowCell[], arrived: readonly RowCell[]): readonly EqualRecords[] {
    const answeredFields = new Set(arrived.flatMap((cell) => Object.keys(this.#answeredFields(cell))));
    const indexes = new Map<string, Map<string, RowCell[]>>();
    const groups = new Map<string, EqualRecords>();
    /** By how many new records each record of the answer has been found. */
    const counts = new Map<RowCell, number>();
    for (const cell of created) {
      const row = this.#sent(cell);
      const sent = textsOf(
        row,
        Object.keys(row).filter((name) => row[name] !== cell.pk),
      );
      const shown = sent.filter(([name, text]) => answeredFields.has(name) && !isTemporary(text));
      const names = shown.map(([name]) => name);
      const index = memo(indexes, names.join('\n'), () => {
        const made = new Map<string, RowCell[]>();
        for (const other of arrived)
          memo(made, nameOf(other, textsOf(this.#answeredFields(other), names)), () => []).push(other);
        return made;
      });
      const answered = index.get(nameOf(cell, shown)) ?? [];
      for (const other of answered) counts.set(other, (counts.get(other) ?? 0) + 1);
      memo(groups, nameOf(cell, sent), () => ({ guessed: [], answered })).guessed.push(cell);
    }
    return [...groups.values()].filter(
      ({ guessed: { length }, answered }) =>
        answered.length === length && answered.every((cell) => counts.get(cell) === length),
    );
  }
}

function textsOf(row: Fields, names: readonly string[]): FieldText[] {
  return names.map((name) => [name, textOf(row[name])]);
}

/** Returns a name for records of one table that have these fields. */
function nameOf({ table }: RowCell, fields: readonly NamedValue[]): string {
  return [table.name, ...fields].join('\n');
}

/** Returns a text for a value. A date has the text of its JSON. */
function textOf(value: unknown): string {
  return argsKey([value instanceof Date ? value.toJSON() : value], '', 'everything');
}

/** Returns the name of the class in the stored form of a record that may be of several classes. */
function kindOf(ref: unknown): unknown {
  return isObject(ref) ? ref['schema'] : undefined;
}

function pkIn(ref: unknown): unknown {
  return isObject(ref) ? ref['id'] : ref;
}
