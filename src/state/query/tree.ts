import { describe, type OwnerKey } from '../../define/query/description.ts';
import type { FieldName, InstanceOf } from '../../define/query/infer-query.ts';
import type { EntityInterface } from '../../define/schema/entity.ts';
import type { AnyClass } from '../../define/schema/infer-schema.ts';
import type { Fields } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import { namesIn } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import { LiveQuery } from './live-query.ts';
import type { RecordsCell } from './records-cell.ts';
import { type FurtherConditions, ownerNames, type RelationPath } from './relation-path.ts';
import { type FoundRows, foundRecords, inOrder, lookupOf } from './sources.ts';

/** Finds the records above or below a record in a tree. A cycle in the data ends the search. */
type TreeWalk = (cells: Cells, plan: EntityPlan, field: string, start: readonly string[]) => FoundRows;

class TreePath implements RelationPath {
  readonly #name: string;
  readonly #field: string;
  readonly #walk: TreeWalk;
  readonly isShared: boolean = true;

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

  records(cells: Cells, plan: EntityPlan, key: OwnerKey, further: FurtherConditions): RecordsCell {
    const name = JSON.stringify([this.#name, this.#field, key, further.indexed]);
    return foundRecords(cells, plan, name, further, () => this.#walk(cells, plan, this.#field, key.flat()));
  }
}

const above: TreeWalk = (cells, plan, field, start) => {
  const table = cells.space.wholeTable(plan.table.name);
  const way = new Set(start.slice(0, 1).map((pk) => table.cellOf(pk)));
  // Iterating a set also visits elements that are added meanwhile.
  for (const { row } of way) for (const pk of namesIn((Object(row) as Fields)[field])) way.add(table.cellOf(pk));
  const leads = [...way];
  return { rows: leads.slice(1), leads, lookups: [] };
};

const below: TreeWalk = (cells, plan, field, start) => {
  const { aliases } = plan.table;
  const lookup = lookupOf(cells, plan, [field]);
  const under = (names: readonly string[]): RowCell[] => inOrder(names.flatMap((name) => [...lookup.cellsOf(name)]));
  const rows = new Set(under(start));
  const names = new Set(start);
  for (const row of rows) {
    if (start.includes(row.pk)) {
      rows.delete(row);
      continue;
    }
    const own = [row.pk, aliases.temporaryOf(row.pk) ?? row.pk];
    for (const name of own) names.add(name);
    for (const next of under(own)) rows.add(next);
  }
  return { rows: [...rows], leads: [], lookups: [[lookup, [...names]]] };
};

type TreeQuery<Row> = LiveQuery<Row, Row, unknown, [owner: Row | string | number]>;

/** Defines a relation to the records above a record, nearest first: `static ancestors = ancestors(() => Category, 'parentId')`. */
export function ancestors<Class extends AnyClass>(
  entity: Class | (() => Class),
  parent: FieldName<InstanceOf<Class>>,
): TreeQuery<InstanceOf<Class>> {
  return new LiveQuery(describe(entity, { path: new TreePath('ancestors', parent, above) }));
}

/** Defines a relation to the records below a record, level by level: `static descendants = descendants(() => Category, 'parentId')`. */
export function descendants<Class extends AnyClass>(
  entity: Class | (() => Class),
  parent: FieldName<InstanceOf<Class>>,
): TreeQuery<InstanceOf<Class>> {
  return new LiveQuery(describe(entity, { path: new TreePath('descendants', parent, below) }));
}
