import { isObject } from '../../define/schema/fields.ts';
import type { RowState } from '../../define/schema/schema.ts';
import { argsKey } from '../../std/args-key.ts';
import { memo } from '../../std/memo.ts';
import type { Fields } from '../../std/plain.ts';
import { isRowSchema, type Space } from '../tables/space.ts';
import type { RowCell, Table } from '../tables/table.ts';
import { isTemporary } from '../tables/temporary-names.ts';
import type { MadeGuess } from './layer-rows.ts';

/** The cell of a record that a guess creates, and the cell of the same record in the answer. */
export type Match = readonly [guessed: RowCell, server: RowCell];

/** Equal new records of a list, and the records in the answer that have the fields that were sent. */
interface Candidates {
  readonly guessed: RowCell[];
  readonly answered: readonly RowCell[];
}

/** New records with the pk of the same record in the same field. */
interface Referring {
  readonly field: string;
  /** The pk of that record in the answer. */
  readonly pk: string | undefined;
  /** Whether that record is new too. */
  readonly isToNew: boolean;
  readonly created: RowCell[];
}

type NamedValue = readonly [name: string, value: unknown];
type ReadRow = (cell: RowCell) => { readonly row: RowState };

/**
 * Finds the records that a guess creates inside of others in the answer. Each is in the same field of the same record. In a list, it has the
 * fields that were sent. If several can be the same record, none is found.
 */
export class NestedRecords {
  readonly #space: Space;
  readonly #rows: MadeGuess['rows'];
  readonly #confirmed: ReadRow;
  /** The cells of the records to find, by temporary pk. */
  readonly #cells = new Map<unknown, RowCell>();
  readonly #found = new Map<RowCell, RowCell>();

  constructor(space: Space, { created, rows }: MadeGuess, confirmed: ReadRow) {
    this.#space = space;
    this.#rows = rows;
    this.#confirmed = confirmed;
    for (const { isNested, pk, table } of created) if (isNested) this.#cells.set(pk, space.table(table).cellOf(pk));
  }

  /** `others`: the other records that the guess creates. */
  find(others: readonly Match[]): Iterable<Match> {
    if (this.#cells.size === 0) return this.#found;
    const servers = new Map(others);
    for (const cell of this.#rows.keys()) this.#compareCells(cell, servers.get(cell) ?? cell);
    let known: number;
    do {
      known = this.#found.size;
      // It grows meanwhile.
      for (const [guessed, server] of this.#found) this.#compareCells(guessed, server);
      if (known < this.#cells.size) this.#compareReferring(servers);
    } while (known < this.#found.size);
    return this.#found;
  }

  /**
   * Compares the new records that refer to a record of the guess, as those of `hasMany` do, with those that refer to the same record of the
   * answer. `servers`: the records of the guess that are known in the answer.
   */
  #compareReferring(servers: ReadonlyMap<RowCell, RowCell>): void {
    const pks = new Map<unknown, string>();
    for (const cell of this.#rows.keys()) pks.set(cell.pk, (this.#found.get(cell) ?? servers.get(cell) ?? cell).pk);
    const groups = new Map<string, Referring>();
    for (const cell of this.#cells.values()) {
      if (this.#found.has(cell)) continue;
      for (const [field, value] of Object.entries(Object(this.#rows.get(cell)) as Fields)) {
        const pk = pks.get(value);
        const make = (): Referring => ({ field, pk, isToNew: isTemporary(String(value)), created: [] });
        if (pk !== undefined) memo(groups, textOf([cell.table.name, field, value]), make).created.push(cell);
      }
    }
    for (const { created, field, isToNew, pk } of groups.values()) {
      const [{ arrival, table }] = created as [RowCell];
      const refers = (cell: RowCell): boolean => String(this.#rowOf(cell)[field]) === pk;
      const arrived = Array.from(table.cells.values()).filter((cell) => cell.arrival > arrival && refers(cell));
      // Another field can have the text of a pk by chance, but not that of a temporary one.
      this.#match(created, arrived, isToNew && created.length === arrived.length);
    }
  }

  #rowOf(cell: RowCell): Fields {
    return Object(this.#confirmed(cell).row) as Fields;
  }

  #compareCells(guessed: RowCell, server: RowCell): void {
    const [sent, answered] = [this.#rows.get(guessed), this.#confirmed(server).row];
    const relations = this.#space.relations.get(guessed.table.name);
    if (relations === undefined) return this.#compare(sent, answered);
    if (isObject(sent) && isObject(answered))
      for (const { name, schema } of relations.values()) this.#compareFields(schema, sent[name], answered[name]);
  }

  #compareFields(schema: unknown, sent: unknown, answered: unknown): void {
    if (!isObject(schema) || !isRowSchema(schema)) return this.#compare(sent, answered);
    const table = this.#space.table(schema.key);
    if (typeof sent === 'string' && typeof answered === 'string')
      this.#compareCells(table.cellOf(sent), table.cellOf(answered));
  }

  /** Compares stored forms of one schema. */
  #compare(sent: unknown, answered: unknown): void {
    const cell = this.#cells.get(sent);
    if (cell !== undefined) {
      if (typeof answered === 'string') this.#found.set(cell, cell.table.cellOf(answered));
    } else if (Array.isArray(sent) && Array.isArray(answered)) this.#compareLists(sent, answered);
    else if (isObject(sent) && isObject(answered) && kindOf(sent) === kindOf(answered))
      for (const [name, part] of Object.entries(sent)) this.#compare(part, answered[name]);
  }

  #compareLists(sent: readonly unknown[], answered: readonly unknown[]): void {
    const tables = new Map<unknown, Table>();
    const created: RowCell[] = [];
    for (const ref of sent) {
      const cell = this.#cells.get(pkIn(ref));
      if (cell === undefined) continue;
      created.push(cell);
      tables.set(kindOf(ref), cell.table);
    }
    const [first] = created;
    if (first === undefined) return;
    const cellsIn = (refs: readonly unknown[]): RowCell[] =>
      refs.flatMap((ref) => tables.get(kindOf(ref))?.find(String(pkIn(ref))) ?? []);
    const known = new Set(cellsIn(sent));
    // A record that was stored before the guess is not a new one.
    const arrived = cellsIn(answered).filter((cell) => !known.has(cell) && cell.arrival > first.arrival);
    this.#match(created, arrived, sent.length === answered.length);
  }

  /** Finds the new records in the answer. `isWhole`: the answer has as many records as were sent. */
  #match(created: readonly RowCell[], arrived: readonly RowCell[], isWhole: boolean): void {
    const matches = this.#equal(created, arrived);
    for (const [guessed, server] of matches) this.#found.set(guessed, server);
    const matched = new Set(matches.flat());
    const [mine, ...others] = created.filter((cell) => !matched.has(cell));
    const [theirs, ...more] = arrived.filter((cell) => !matched.has(cell));
    const isOnly = others.length + more.length === 0 && isWhole;
    if (isOnly && mine !== undefined && mine.table === theirs?.table) this.#found.set(mine, theirs);
  }

  /** Returns the new records of a list with those in the answer that have the fields that were sent. Equal ones stay in order. */
  #equal(created: readonly RowCell[], arrived: readonly RowCell[]): readonly Match[] {
    const answeredFields = new Set(arrived.flatMap((cell) => Object.keys(this.#rowOf(cell))));
    const indexes = new Map<string, Map<string, RowCell[]>>();
    const candidates = new Map<string, Candidates>();
    const claims = new Map<RowCell, number>();
    for (const cell of created) {
      const sent = Object.entries(Object(this.#rows.get(cell)) as Fields).filter(([, value]) => value !== cell.pk);
      const shown = sent.filter(([name, value]) => answeredFields.has(name) && !isTemporary(textOf(value)));
      const names = shown.map(([name]) => name);
      const index = memo(indexes, textOf(names), () =>
        groupBy(arrived, (other) => nameOf(other, fieldsOf(this.#rowOf(other), names))),
      );
      const answered = index.get(nameOf(cell, shown)) ?? [];
      for (const other of answered) claims.set(other, (claims.get(other) ?? 0) + 1);
      memo(candidates, nameOf(cell, sent), () => ({ guessed: [], answered })).guessed.push(cell);
    }
    return [...candidates.values()].flatMap(({ guessed, answered }) => {
      const { length } = guessed;
      const isClear = answered.length === length && answered.every((cell) => claims.get(cell) === length);
      return isClear ? guessed.map((cell, at): Match => [cell, answered[at] as RowCell]) : [];
    });
  }
}

function fieldsOf(row: Fields, names: readonly string[]): NamedValue[] {
  return names.map((name) => [name, row[name]]);
}

function groupBy(cells: readonly RowCell[], textIn: (cell: RowCell) => string): Map<string, RowCell[]> {
  const groups = new Map<string, RowCell[]>();
  for (const cell of cells) memo(groups, textIn(cell), () => []).push(cell);
  return groups;
}

/** Returns a name for records of one table that have these fields. */
function nameOf({ table }: RowCell, fields: readonly NamedValue[]): string {
  return [table.name, ...fields.map(([name, value]) => `${name} ${textOf(value)}`)].join('\n');
}

/** Returns a text for a value, which is that of its JSON for a date. */
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
