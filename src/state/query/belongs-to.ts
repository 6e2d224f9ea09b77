import { describe, type Description } from '../../define/query/description.ts';
import { keyBy } from '../../define/query/order.ts';
import type { InstanceOf } from '../../define/query/infer-query.ts';
import type { AnyClass, SchemaTypes } from '../../define/schema/infer-schema.ts';
import { isEntity } from '../../define/schema/entity.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { pkIfAny } from '../../define/schema/pk.ts';
import type { DenormalizeDelegate, NormalizeDelegate, SchemaSimple, Unvisit } from '../../define/schema/schema.ts';
import { type Fields, isPlain } from '../../std/plain.ts';
import { warn } from '../../std/warn.ts';
import type { Cells } from '../denormalize/cells.ts';
import { USUAL } from '../denormalize/variant.ts';
import type { Cell } from '../graph/cell.ts';
import type { RowCell } from '../tables/table.ts';
import { BelongsToKind } from './belongs-to-union.ts';
import { showRelation } from './relation-cell.ts';
import { assertOwner } from './relation-path.ts';

/** A relation to the one record to which a field or a function of the owner refers: `useQuery(Todo.user, todo)`. */
export class BelongsTo<Owner = never, Target = unknown> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<Target | undefined, Target | undefined, undefined, [owner: Owner]>;
  /** @internal */
  readonly description: Description;
  /** @internal */
  readonly by: string;
  readonly #refersTo: (record: unknown) => unknown;

  constructor(entity: unknown, by: string | ((record: never) => unknown)) {
    this.description = describe(entity);
    this.by = typeof by === 'string' ? by : 'a function';
    this.#refersTo = keyBy(by);
  }

  /** @internal */
  get schema(): unknown {
    return this.description.source();
  }

  /** @internal */
  showIn(name: string): (row: RowCell, cells: Cells) => void {
    return showRelation(this, name);
  }

  /** @internal */
  keptBy([owner]: readonly unknown[]): readonly unknown[] {
    assertOwner(owner);
    const target = this.#refersTo(owner);
    return [pkIfAny(hasPk(target) ? target.pk() : target)];
  }

  queryKey(args: readonly unknown[], unvisit: Unvisit): unknown {
    return unvisit(this.description.source(), args);
  }

  /** Stores a nested record, and nothing in its parent: a field of the parent has the pk already. */
  normalize(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
    parentEntity?: unknown,
  ): unknown {
    const filed = delegate.visit(this.description.source(), input, parent, key);
    if (!isEntity(parentEntity)) return filed;
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

  denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown {
    return delegate.unvisit(this.description.source(), stored);
  }

  /** @internal */
  cell(cells: Cells, stored: unknown, _args: readonly unknown[], old: Cell | undefined): Cell | undefined {
    return cells.find(cells.space.planOf(this.description.source()), stored, USUAL, old);
  }
}

/** Defines a relation to one record: by a field that holds its pk, or by a function that returns its pk. */
export function belongsTo<Class extends AnyClass, const Field extends string>(
  entity: Class | (() => Class),
  field: Field,
): BelongsTo<Readonly<Record<Field, unknown>>, InstanceOf<Class>>;
export function belongsTo<Class extends AnyClass, Owner>(
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
): BelongsToKind<Readonly<Record<KindField | Field, unknown>>, InstanceOf<Kinds[keyof Kinds]>>;
export function belongsTo(given: unknown, by: string | ((record: never) => unknown), field?: string): unknown {
  return isPlain(given) ? new BelongsToKind(given as Fields, by as string, field as string) : new BelongsTo(given, by);
}
