import type { InstanceOf } from '../../define/query/infer-source.ts';
import type { OwnerOf, ReferenceName } from '../../define/query/infer-relation.ts';
import { describe, type Description, type OwnerKey } from '../../define/query/description.ts';
import type { EntityInterface } from '../../define/schema/entity.ts';
import type { AnyClass } from '../../define/schema/infer-schema.ts';
import type { Fields } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import { isRefOfKind } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RecordsCell } from './records-cell.ts';
import { sourceEntity, type Indexed, kindsIn, ownerNames, referredPks, type RelationPath } from './relation-path.ts';
import { type FoundRows, foundRecords, inOrderOfArrival, ListedRows, lookupOf } from './sources.ts';

/** The records to which records of a linking entity refer, as in a many-to-many relation. */
export class Through<Owner = never> implements RelationPath {
  /** Exists only in types. */
  declare readonly '~owner': (owner: Owner) => void;
  readonly #link: Description;
  readonly #from: string;
  readonly #to: string;

  constructor(link: unknown, from: string, to: string) {
    this.#link = describe(link);
    this.#from = from;
    this.#to = to;
  }

  get by(): string {
    return sourceEntity(this.#link).key;
  }

  keyOf(owner: unknown): OwnerKey {
    return [ownerNames(owner, sourceEntity(this.#link), this.#from)];
  }

  records(cells: Cells, plan: EntityPlan, key: OwnerKey, indexed: readonly Indexed[]): RecordsCell {
    const link = sourceEntity(this.#link);
    const name = JSON.stringify(['through', link.key, this.#from, this.#to, key, indexed]);
    return foundRecords(cells, plan, name, indexed, () => this.#find(cells, plan, link, key));
  }

  #find(cells: Cells, { table }: EntityPlan, link: EntityInterface, key: OwnerKey): FoundRows {
    const names = key.flat();
    const lookup = lookupOf(cells, cells.space.planOf(link) as EntityPlan, [this.#from]);
    const links = inOrderOfArrival(names.flatMap((name) => [...lookup.cellsOf(name)]));
    const kinds = kindsIn(link.schema[this.#to]);
    const ends = links.flatMap(({ row }) => pksOfLink((row as Fields)[this.#to], table.name, kinds));
    const order = new ListedRows(ends.map((pk) => table.cellOf(pk)));
    return { order, leads: links, lookups: [[lookup, names]] };
  }
}

/** Returns the pks of the records of a table that a link refers to. */
function pksOfLink(stored: unknown, table: string, kinds: Fields | undefined): readonly string[] {
  if (Array.isArray(stored)) return stored.flatMap((item) => pksOfLink(item, table, kinds));
  if (!isRefOfKind(stored)) return referredPks(stored);
  const kind = Object(kinds?.[stored.schema]) as { readonly key?: string };
  return kind.key === table ? [stored.id] : [];
}

/** A path through a linking entity: `hasMany(() => User, through(() => Membership, 'teamId', 'userId'))`. */
export function through<Class extends AnyClass, const From extends ReferenceName<InstanceOf<Class>> & string>(
  link: Class | (() => Class),
  from: From,
  to: ReferenceName<InstanceOf<Class>> & string,
): Through<OwnerOf<Class, From>> {
  return new Through(link, from, to);
}
