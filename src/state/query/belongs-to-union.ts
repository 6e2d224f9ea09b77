import { describe, type Description } from '../../define/query/description.ts';
import { queryInvalid } from '../../define/query/query-invalid.ts';
import type { SchemaTypes } from '../../define/schema/infer-schema.ts';
import { pkIfAny } from '../../define/schema/pk.ts';
import type { DenormalizeDelegate, NormalizeDelegate, SchemaSimple, Unvisit } from '../../define/schema/schema.ts';
import type { Fields } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import { USUAL } from '../denormalize/variant.ts';
import type { Cell } from '../graph/cell.ts';
import type { RowCell } from '../tables/table.ts';
import { assertOwner } from './relation-path.ts';
import { showRelation } from './relation-cell.ts';

/** A relation to one record of several classes, by two fields of the owner: one with the name of the class, one with the pk. */
export class BelongsToKind<Owner = never, Target = unknown> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<Target | undefined, Target | undefined, undefined, [owner: Owner]>;
  /** @internal */
  readonly by: string;
  readonly #kinds: ReadonlyMap<unknown, Description>;
  readonly #kindField: string;

  constructor(kinds: Readonly<Record<string, unknown>>, kindField: string, field: string) {
    if (typeof kindField !== 'string' || typeof field !== 'string')
      throw queryInvalid('belongsTo()', field, "the fields of the kind and of the pk: 'ownerType', 'ownerId'");
    this.#kinds = new Map(Object.entries(kinds).map(([kind, entity]) => [kind, describe(entity)]));
    this.#kindField = kindField;
    this.by = field;
  }

  /** @internal */
  get descriptions(): readonly Description[] {
    return [...this.#kinds.values()];
  }

  /** @internal */
  get schema(): Fields {
    return Object.fromEntries(Array.from(this.#kinds, ([kind, { source }]) => [kind, source()]));
  }

  #entityOf(kind: unknown): unknown {
    return this.#kinds.get(kind)?.source();
  }

  /** @internal */
  showIn(name: string): (row: RowCell, cells: Cells) => void {
    return showRelation(this, name);
  }

  /** @internal */
  keptBy([owner]: readonly unknown[]): readonly unknown[] {
    assertOwner(owner);
    return [pkIfAny(owner[this.by]), owner[this.#kindField]];
  }

  queryKey([pk, kind]: readonly unknown[], unvisit: Unvisit): unknown {
    const entity = this.#entityOf(kind);
    return entity === undefined ? undefined : unvisit(entity, [pk]);
  }

  /** Stores a nested record as one of the class that its parent names, and nothing in the parent. */
  normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): undefined {
    delegate.visit(this.#entityOf((parent as Fields)[this.#kindField]), input, parent, key);
  }

  /** Never called, because `cell` makes the value. */
  denormalize(_stored: unknown, _delegate: DenormalizeDelegate): undefined {}

  /** @internal */
  cell(cells: Cells, stored: unknown, [, kind]: readonly unknown[], old: Cell | undefined): Cell | undefined {
    const entity = this.#entityOf(kind);
    return entity === undefined ? undefined : cells.find(cells.space.planOf(entity), stored, USUAL, old);
  }
}
