import { describe, type OwnerKey } from '../../define/query/description.ts';
import type { InstanceOf } from '../../define/query/infer-source.ts';
import type { ReferenceName } from '../../define/query/infer-relation.ts';
import type { EntityInterface } from '../../define/schema/entity.ts';
import type { AnyClass } from '../../define/schema/infer-schema.ts';
import type { Fields } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import { type Lookup, valueNamesIn } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { withServerPk } from '../tables/temporary-names.ts';
import { LiveQuery } from './live-query.ts';
import type { RecordsCell } from './records-cell.ts';
import { type Indexed, ownerNames, referredPks, type RelationPath } from './relation-path.ts';
import type { Item } from './source-cell.ts';
import { type FoundOrder, type FoundRows, foundRecords, inOrderOfArrival, ListedRows, lookupOf } from './sources.ts';

/** Finds the records above or below a record in a tree. A cycle in the data ends the search. */
type TreeWalk = (cells: Cells, plan: EntityPlan, field: string, start: readonly string[]) => FoundRows;

class TreePath implements RelationPath {
  readonly #name: string;
  readonly #field: string;
  readonly #walk: TreeWalk;

  constructor(name: string, field: string, walk: TreeWalk) {
    this.#name = name;
    this.#field = field;
    this.#walk = walk;
  }

  get by(): string {
    return this.#field;
  }

  keyOf(owner: unknown, entity: EntityInterface): OwnerKey {
    return [ownerNames(owner, entity, this.#field)];
  }

  records(cells: Cells, plan: EntityPlan, key: OwnerKey, indexed: readonly Indexed[]): RecordsCell {
    const name = JSON.stringify([this.#name, this.#field, key, indexed]);
    return foundRecords(cells, plan, name, indexed, () => this.#walk(cells, plan, this.#field, key.flat()));
  }
}

const above: TreeWalk = (cells, plan, field, start) => {
  const table = cells.space.wholeTable(plan.table.name);
  const way = new Set(start.slice(0, 1).map((pk) => table.cellOf(pk)));
  // Iterating a set also visits elements that are added meanwhile.
  for (const { row } of way) for (const pk of referredPks((Object(row) as Fields)[field])) way.add(table.cellOf(pk));
  const leads = [...way];
  return { order: new ListedRows(leads.slice(1)), leads, lookups: [] };
};

const below: TreeWalk = (cells, plan, field, start) => new Branch(cells, plan, field, start);

/** The place of a row in a tree. A level has the order of the parents, and then that of arrival. */
interface TreePosition {
  /** The place of the parent. `undefined` for the children of the record above the tree. */
  readonly parent: TreePosition | undefined;
  readonly level: number;
  readonly arrival: number;
  /** Whether the row has not left the tree. */
  isIn: boolean;
}

/** How many rows may leave a tree before it is searched again. A tree of more than twice as many rows is searched again when half of its rows have left. */
const MAX_LEFT = 64;

/** The rows below a record in a tree, level by level. A row without rows below joins and leaves without a search of the others. */
class Branch implements FoundRows, FoundOrder {
  readonly leads: readonly RowCell[] = [];
  readonly lookups: FoundRows['lookups'];
  /** The names of the rows in lookups, and those of the record above. */
  readonly #names: string[] = [];
  readonly #parents = new Map<string, TreePosition | undefined>();
  readonly #places = new Map<RowCell, TreePosition>();
  readonly #lookup: Lookup<RowCell>;
  readonly #plan: EntityPlan;
  readonly #field: string;
  readonly #start: ReadonlySet<string>;
  #leftRows = 0;

  constructor(cells: Cells, plan: EntityPlan, field: string, start: readonly string[]) {
    this.#plan = plan;
    this.#field = field;
    this.#start = new Set(start);
    this.#lookup = lookupOf(cells, plan, [field]);
    this.lookups = [[this.#lookup, this.#names]];
    this.#visit(start, undefined);
    // Iterating a map also visits elements that are added meanwhile.
    for (const [row, place] of this.#places) this.#visit(this.#namesOf(row), place);
  }

  get order(): FoundOrder {
    return this;
  }

  /** Adds the rows whose parent has these names. */
  #visit(names: readonly string[], parent: TreePosition | undefined): void {
    this.#addNames(names, parent);
    for (const row of this.#under(names))
      if (!this.#start.has(row.pk) && !this.#places.has(row)) this.#place(row, parent);
  }

  #addNames(names: readonly string[], place: TreePosition | undefined): void {
    this.#names.push(...names);
    for (const name of names) this.#parents.set(name, place);
  }

  #place(row: RowCell, parent: TreePosition | undefined): TreePosition {
    const place = { parent, level: (parent?.level ?? 0) + 1, arrival: row.arrival, isIn: true };
    this.#places.set(row, place);
    return place;
  }

  #under(names: readonly string[]): RowCell[] {
    return inOrderOfArrival(names.flatMap((name) => [...this.#lookup.cellsOf(name)]));
  }

  /** Returns the names of a row in the lookup: its pk, and the temporary pks under which it was created. */
  #namesOf({ pk, table }: RowCell): readonly string[] {
    return [pk, ...table.aliases.temporariesOf(pk)];
  }

  /** Returns the places of the parents of a row that are in the tree. */
  #parentsOf({ pk, row }: RowCell): readonly (TreePosition | undefined)[] {
    if (!isRow(row) || this.#start.has(pk)) return [];
    const missing = (this.#plan.entity.defaults as Fields)[this.#field];
    const stored = valueNamesIn(Object.hasOwn(row, this.#field) ? (row as Fields)[this.#field] : missing);
    const named = stored.map((name) => withServerPk(name, this.#plan.table.serverPk));
    return [...new Set(named.filter((name) => this.#parents.has(name)).map((name) => this.#parents.get(name)))];
  }

  rows(): readonly RowCell[] {
    return [...this.#places.keys()].filter((row) => this.has(row));
  }

  has(row: RowCell): boolean {
    return this.#places.get(row)?.isIn === true;
  }

  compare(one: Item, other: Item): number {
    let place = this.#places.get(one as RowCell) as TreePosition;
    let against = this.#places.get(other as RowCell) as TreePosition;
    if (place.level !== against.level) return place.level - against.level;
    while (place.parent !== against.parent) {
      // On one level, both have as many rows above them.
      place = place.parent as TreePosition;
      against = against.parent as TreePosition;
    }
    return place.arrival - against.arrival;
  }

  update(rows: readonly RowCell[]): readonly string[] | undefined {
    const known = this.#names.length;
    return rows.every((row) => this.#follow(row)) ? this.#names.slice(known) : undefined;
  }

  /** Lets a changed row join or leave. Returns false if other rows are affected. */
  #follow(row: RowCell): boolean {
    const place = this.#places.get(row);
    const parents = this.#parentsOf(row);
    if (parents.length === 0 && place?.isIn !== true) return true;
    const stays = place?.isIn === true && place.arrival === row.arrival && parents[0] === place.parent;
    if (parents.length === 1 && stays) return true;
    const names = this.#namesOf(row);
    const isAlone = parents.length < 2 && this.#under(names).length === 0;
    if (!isAlone) return false;
    if (place === undefined) this.#addNames(names, this.#place(row, parents[0]));
    else if (parents.length === 0) this.#leave(place, names);
    // A row that has moved, or is back, has another place than the one that queries know.
    else return false;
    return this.#leftRows < MAX_LEFT || this.#leftRows < this.#places.size / 2;
  }

  #leave(place: TreePosition, names: readonly string[]): void {
    place.isIn = false;
    this.#leftRows++;
    for (const name of names) this.#parents.delete(name);
  }
}

type TreeQuery<Class extends AnyClass> = LiveQuery<
  InstanceOf<Class>,
  readonly [owner: InstanceOf<Class> | string | number],
  Class
>;

/** Defines a relation to the records above a record, nearest first: `static ancestors = ancestors(() => Category, 'parentId')`. */
export function ancestors<Class extends AnyClass>(
  entity: Class | (() => Class),
  parent: ReferenceName<InstanceOf<Class>> & string,
): TreeQuery<Class> {
  return new LiveQuery(describe(entity, { path: new TreePath('ancestors', parent, above) }));
}

/** Defines a relation to the records below a record, level by level: `static descendants = descendants(() => Category, 'parentId')`. */
export function descendants<Class extends AnyClass>(
  entity: Class | (() => Class),
  parent: ReferenceName<InstanceOf<Class>> & string,
): TreeQuery<Class> {
  return new LiveQuery(describe(entity, { path: new TreePath('descendants', parent, below) }));
}
