import { checkArgument } from '../../define/query/check-argument.ts';
import { describe, type Description } from '../../define/query/description.ts';
import type { InstanceOf } from '../../define/query/infer-source.ts';
import { keyBy, nameOfKey, type OrderStep } from '../../define/query/order.ts';
import { isEntity } from '../../define/schema/entity.ts';
import type { AnyClass, Loose, SchemaTypes } from '../../define/schema/infer-schema.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { pkIfAny } from '../../define/schema/pk.ts';
import type { NormalizeDelegate, Unvisit } from '../../define/schema/delegate.ts';
import type { SchemaSimple } from '../../define/schema/schema.ts';
import { type Fields, isPlain } from '../../std/plain.ts';
import { warn } from '../../std/warn.ts';
import type { Cells } from '../denormalize/cells.ts';
import { USUAL } from '../denormalize/variant.ts';
import type { Cell } from '../graph/cell.ts';
import type { RowCell } from '../tables/table.ts';
import { guarded } from './query-failed.ts';
import { showRelation } from './relation-cell.ts';
import { assertOwner } from './relation-path.ts';

/** A relation to the one record to which a field or a function of the owner refers: `useQuery(Todo.user, todo)`. */
export class BelongsTo<Owner = never, Target = unknown> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<Target | undefined, Target | undefined, undefined, [owner: Owner]>;
  /** Exists only in types. */
  declare readonly '~owned': [owner: Owner];
  /** Exists only in types: a record to which it leads. */
  declare readonly '~target': Target;
  /**
   * The classes by the name that the owner has in a field. A relation to one class has it without a name.
   *
   * @internal
   */
  readonly targets: ReadonlyMap<unknown, Description>;
  /** @internal */
  readonly by: string;
  readonly #refersTo: (record: unknown) => unknown;
  readonly #kindField: string | undefined;

  constructor(targets: ReadonlyMap<unknown, Description>, by: OrderStep['by'], kindField: string | undefined) {
    this.targets = targets;
    this.by = nameOfKey(by);
    this.#refersTo = guarded('belongsTo()', undefined, keyBy(by));
    this.#kindField = kindField;
  }

  /** @internal */
  get schema(): Fields {
    return Object.fromEntries(Array.from(this.targets, ([kind, { source }]) => [String(kind), source()]));
  }

  /** @internal */
  showIn(name: string): (row: RowCell, cells: Cells) => void {
    return showRelation(this, name);
  }

  /** @internal */
  keptBy([owner]: readonly unknown[]): readonly unknown[] {
    assertOwner(owner);
    const target = this.#refersTo(owner);
    return [pkIfAny(hasPk(target) ? target.pk() : target), this.#kindOf(owner)];
  }

  #kindOf(owner: unknown): unknown {
    return this.#kindField === undefined ? undefined : (Object(owner) as Fields)[this.#kindField];
  }

  queryKey([pk, kind]: readonly unknown[], unvisit: Unvisit): unknown {
    const target = this.targets.get(kind);
    return target && unvisit(target.source(), [pk]);
  }

  /** Stores a nested record, and nothing in its parent: a field of the parent has the pk already. */
  normalize(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
    parentEntity?: unknown,
  ): unknown {
    const stored = delegate.visit(this.targets.get(this.#kindOf(parent))?.source(), input, parent, key);
    if (!isEntity(parentEntity)) return stored;
    warn(this, 'field-unknown', () => {
      const row = delegate.getEntity(
        parentEntity.key,
        String(parentEntity.pk(parent, undefined, undefined, delegate.args)),
      );
      const isJoined = [parent, row].some((record) => this.by in Object(record));
      return isJoined || this.by === 'a function'
        ? undefined
        : `A ${parentEntity.key} has a record as its ${key}, and no ${this.by}, by which belongsTo() joins the two. Set ${this.by} in process().`;
    });
    return undefined;
  }

  /** Never called, because `cell` makes the value. */
  denormalize(): undefined {}

  /** @internal */
  cell(cells: Cells, stored: unknown, [, kind]: readonly unknown[], old: Cell | undefined): Cell | undefined {
    const target = this.targets.get(kind);
    return target && cells.find(cells.space.planOf(target.source()), stored, USUAL, old);
  }
}

/** Defines a relation to one record: by a field that holds its pk, or by a function that returns its pk. */
export function belongsTo<Class extends AnyClass, const Field extends string>(
  entity: Class | (() => Class),
  field: Field,
): BelongsTo<Readonly<Record<Field, unknown>>, InstanceOf<Class>>;
// Without an annotation of its parameter, the function gets a record of any type: the class that declares the relation is not known here.
export function belongsTo<Class extends AnyClass, Owner = Loose>(
  entity: Class | (() => Class),
  refersTo: (record: Owner) => unknown,
): BelongsTo<Owner, InstanceOf<Class>>;
/** Defines a relation to one record of several classes: by a field with the name of the class, and a field with the pk. */
export function belongsTo<
  Kinds extends Readonly<Record<string, AnyClass>>,
  const KindField extends string,
  const Field extends string,
>(
  kinds: { readonly [kind in keyof Kinds]: Kinds[kind] | (() => Kinds[kind]) },
  kindField: KindField,
  field: Field,
): BelongsTo<Readonly<Record<KindField | Field, unknown>>, InstanceOf<Kinds[keyof Kinds]>>;
export function belongsTo(given: unknown, by: OrderStep['by'], field?: string): unknown {
  if (!isPlain(given)) return new BelongsTo(new Map([[undefined, describe(given)]]), by, undefined);
  checkArgument(
    'belongsTo()',
    field,
    () =>
      (typeof by !== 'string' || typeof field !== 'string') &&
      "the fields of the kind and of the pk: 'ownerType', 'ownerId'",
  );
  const targets = new Map(Object.entries(given).map(([kind, entity]) => [kind, describe(entity)]));
  return new BelongsTo(targets, field as string, by as string);
}
