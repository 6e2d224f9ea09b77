import { asksForSeveral, keyOfPk, memberText, textsOf } from '../../define/schema/collection-key.ts';
import type { CollectionQuery } from '../../define/schema/delegate.ts';
import type { Row, StoredCollection } from '../../define/schema/row.ts';
import { sentOf } from '../../define/schema/stamp.ts';
import { memo } from '../../std/memo.ts';
import type { Space } from '../tables/space.ts';
import { type RowCell, type Table, isRow } from '../tables/table.ts';
import type { WriteLog } from './write-log.ts';

type CollectionArgs = StoredCollection['args'];

/** The parsed key of each collection. */
const parsed = new WeakMap<RowCell, CollectionArgs | undefined>();

/** With more combinations of values than this, checking all collections of a shape is faster. */
const MAX_COMBINATIONS = 64;

/** Up to this many collections of a shape are all checked, because that is faster than a lookup. */
const MAX_COLLECTIONS_TO_CHECK = 8;

/** Returns the stored collections in these cells. */
export function collectionsOf(cells: Iterable<RowCell>, log: WriteLog): readonly StoredCollection[] {
  const found: StoredCollection[] = [];
  for (const cell of cells) {
    const collection = collectionAt(cell, log);
    if (collection !== undefined) found.push(collection);
  }
  return found;
}

/** Returns the collection in a cell, or `undefined` if there is none or its pk is not a key object. */
export function collectionAt(cell: RowCell, log: WriteLog): StoredCollection | undefined {
  const { row, stamp } = log.confirmed(cell);
  const args = isRow(row) ? argsOf(cell) : undefined;
  return (
    args && {
      pk: cell.pk,
      row: row as Row,
      args,
      issue: stamp === undefined ? 0 : sentOf(stamp),
    }
  );
}

/**
 * A collection whose members count as read only when they are read. With a getter in an object literal, engines would keep each of these
 * objects, and its list, until the next full garbage collection.
 */
export class UnreadCollection implements StoredCollection {
  readonly pk: string;
  readonly args: StoredCollection['args'];
  readonly issue: number;
  readonly #list: StoredCollection;
  readonly #cell: RowCell;
  readonly #space: Space;

  constructor(list: StoredCollection, cell: RowCell, space: Space) {
    this.pk = list.pk;
    this.args = list.args;
    this.issue = list.issue;
    this.#list = list;
    this.#cell = cell;
    this.#space = space;
  }

  get row(): Row {
    this.#space.noteRead(this.#cell);
    return this.#list.row;
  }
}

/** Returns the names in the keys of the collections of a table. */
export function argumentNamesIn(table: Table): ReadonlySet<string> {
  return collectionIndex(table).names();
}

/** Returns the cells that an index finds. They can include collections that do not match. */
export function cellsFor(table: Table, query: CollectionQuery): readonly RowCell[] {
  return collectionIndex(table).find(query);
}

/**
 * Returns the index of the collections of a table by their keys. Building it takes long for large tables, so it is built before it is
 * needed.
 */
export function collectionIndex(table: Table): CollectionIndex {
  table.index ??= new CollectionIndex(table.cells);
  return table.index as CollectionIndex;
}

/** The collections of a table by the values in their keys. */
class CollectionIndex {
  readonly #shapes = new Map<string, Shape>();
  #names: Set<string> | undefined;
  readonly #byPk: ReadonlyMap<string, RowCell>;

  constructor(byPk: ReadonlyMap<string, RowCell>) {
    this.#byPk = byPk;
    for (const cell of byPk.values()) this.add(cell);
  }

  add(cell: RowCell): void {
    const args = argsOf(cell);
    if (args === undefined) return;
    const names = Object.keys(args);
    memo(this.#shapes, JSON.stringify(names), () => {
      this.#names = undefined;
      return new Shape(names, this.#byPk);
    }).add(cell, args);
  }

  delete(cell: RowCell): void {
    const args = argsOf(cell);
    if (args !== undefined) this.#shapes.get(JSON.stringify(Object.keys(args)))?.delete(cell, args);
  }

  names(): ReadonlySet<string> {
    this.#names ??= new Set(Array.from(this.#shapes.values(), ({ names }) => names).flat());
    return this.#names;
  }

  find(query: CollectionQuery): readonly RowCell[] {
    const found: RowCell[] = [];
    for (const shape of this.#shapes.values())
      if (query.concerns?.(shape.names) !== false) for (const cell of shape.find(query)) found.push(cell);
    return found;
  }
}

/** Collections by the values of some names in their keys. */
interface ListLookup {
  readonly names: readonly string[];
  readonly cells: Map<string, Set<RowCell>>;
}

/** The collections whose keys have the same names. */
class Shape {
  readonly names: readonly string[];
  readonly #byPk: ReadonlyMap<string, RowCell>;
  readonly #cells = new Map<RowCell, CollectionArgs>();
  /** Collections that lookups do not find: the pk is JSON with spaces, not as `collectionPk` writes it, or an argument asks for several values. */
  readonly #unindexed = new Map<RowCell, CollectionArgs>();
  /** Cells by the values of some names, for each set of selecting names that was queried. */
  readonly #lookups = new Map<string, ListLookup>();

  constructor(names: readonly string[], byPk: ReadonlyMap<string, RowCell>) {
    this.names = names;
    this.#byPk = byPk;
  }

  add(cell: RowCell, args: CollectionArgs): void {
    this.#cells.set(cell, args);
    if (isSpaced(cell.pk) || Object.values(args).some(asksForSeveral)) this.#unindexed.set(cell, args);
    for (const lookup of this.#lookups.values()) addTo(lookup, cell, args);
  }

  delete(cell: RowCell, args: CollectionArgs): void {
    this.#cells.delete(cell);
    this.#unindexed.delete(cell);
    for (const { names, cells } of this.#lookups.values()) {
      const name = valuesOf(names, args);
      const found = cells.get(name);
      found?.delete(cell);
      if (found?.size === 0) cells.delete(name);
    }
  }

  find(query: CollectionQuery): Iterable<RowCell> {
    const all = this.#cells.keys();
    if (this.#cells.size <= MAX_COLLECTIONS_TO_CHECK) return all;
    const names = this.names.filter((name) => query.selects(name));
    const isWhole = names.length === this.names.length;
    const wanted = names.length === 0 ? undefined : combinations(names, query, isWhole);
    if (wanted === undefined) return all;
    // If all names select, the values form the whole pk.
    const found = new Set(
      wanted.flatMap((values) =>
        isWhole ? (this.#byPk.get(`{${values}}`) ?? []) : [...(this.#lookup(names).cells.get(`[${values}]`) ?? [])],
      ),
    );
    for (const [cell, args] of this.#unindexed)
      if (isSpaced(cell.pk) || names.some((name) => asksForSeveral(args[name]))) found.add(cell);
    return found;
  }

  #lookup(names: readonly string[]): ListLookup {
    return memo(this.#lookups, JSON.stringify(names), () => {
      const made: ListLookup = { names, cells: new Map() };
      for (const [cell, args] of this.#cells) addTo(made, cell, args);
      return made;
    });
  }
}

/**
 * Returns whether a key may be JSON with spaces between its members. It is also true if a value contains such text; the collection is then
 * checked needlessly.
 */
function isSpaced(key: string): boolean {
  return !(key.startsWith('{"') || key === '{}') || key.includes('": ') || key.includes(', "');
}

function addTo({ cells, names }: ListLookup, cell: RowCell, args: CollectionArgs): void {
  memo(cells, valuesOf(names, args), () => new Set()).add(cell);
}

function valuesOf(names: readonly string[], args: CollectionArgs): string {
  return JSON.stringify(names.map((name) => args[name]));
}

/**
 * Returns the combinations of values of the names as JSON, with the names if `isNamed`. `undefined` if there are too many, or a value is
 * not plain data.
 */
function combinations(
  names: readonly string[],
  query: CollectionQuery,
  isNamed: boolean,
): readonly string[] | undefined {
  let made: readonly string[] | undefined;
  for (const name of names) {
    const values = new Set<string>();
    for (const value of query.valuesOf(name)) {
      const texts = jsonOf(value);
      if (texts === undefined) return undefined;
      for (const text of texts) if (text !== undefined) values.add(isNamed ? `${JSON.stringify(name)}:${text}` : text);
    }
    made = made === undefined ? [...values] : made.flatMap((start) => Array.from(values, (end) => `${start},${end}`));
    if (made.length > MAX_COMBINATIONS) return undefined;
  }
  return made;
}

/** Returns the JSON texts of a value. `undefined` if JSON.stringify throws. A text is `undefined` if JSON omits the value. */
function jsonOf(value: unknown): readonly (string | undefined)[] | undefined {
  try {
    return textsOf(value).map((text) => memberText(text));
  } catch {
    return undefined;
  }
}

/** Returns the key object of a collection. `undefined` if its pk is not one. */
export function argsOf(cell: RowCell): CollectionArgs | undefined {
  if (!parsed.has(cell)) parsed.set(cell, keyOfPk(cell.pk));
  return parsed.get(cell);
}
