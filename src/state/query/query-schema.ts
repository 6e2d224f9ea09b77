import type { NamedArgs } from '../../define/query/argument.ts';
import {
  baseOf,
  type Description,
  isOwned,
  type OwnerKey,
  schemasIn,
  sourceName,
  sourceOf,
} from '../../define/query/description.ts';
import { isEntity } from '../../define/schema/entity.ts';
import type { DenormalizeDelegate, NormalizeDelegate, QueryDelegate, Unvisit } from '../../define/schema/delegate.ts';
import type { SchemaSimple } from '../../define/schema/schema.ts';
import { argsKey } from '../../std/args-key.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { Cell } from '../graph/cell.ts';
import type { RowCell } from '../tables/table.ts';
import { resultCell } from './query-cells.ts';
import type { Reading } from './record-source.ts';
import { showRelation } from './relation-cell.ts';
import { sourceEntity, pathIn, withOwner } from './relation-path.ts';

/** A query as a schema of the store: its value has a cell of its own. */
export class QuerySchema implements SchemaSimple {
  /** @internal */
  readonly description: Description;

  constructor(description: Description) {
    this.description = description;
  }

  /** Stores nested records. If the relation goes by a field, each record gets the pk of its parent there. */
  normalize(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
    parentEntity?: unknown,
  ): undefined {
    const base = baseOf(this.description);
    const { entity } = sourceOf(base);
    if (entity === undefined) return void delegate.visit(base.source(), input, parent, key);
    const ownedBy = pathIn(base)?.ownedBy;
    const owner = isEntity(parentEntity) ? parentEntity.pk(parent, undefined, undefined, delegate.args) : undefined;
    const isNested = owner !== undefined && ownedBy !== undefined && Array.isArray(input);
    const owned = isNested ? input.map((item) => withOwner(item, ownedBy, entity, String(owner))) : input;
    delegate.visit([entity], owned, parent, key);
  }

  /** Never called, because `cell` makes the value. */
  denormalize(_stored: unknown, _delegate: DenormalizeDelegate): undefined {}

  /** Returns `undefined` until the table exists: a table that was never filled differs from an empty list. */
  queryKey([given]: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): unknown {
    const { collection } = sourceOf(baseOf(this.description));
    if (collection !== undefined) return unvisit(collection, [given]);
    return delegate.hasTable(sourceName(this.description)) ? 'query' : undefined;
  }

  /** @internal */
  get schema(): Readonly<Record<string, unknown>> {
    return schemasIn(this.description);
  }

  /** @internal */
  showIn(name: string): (row: RowCell, cells: Cells) => void {
    return showRelation(this, name);
  }

  /** @internal */
  keptBy(args: readonly unknown[]): readonly unknown[] {
    const base = baseOf(this.description);
    const path = pathIn(base);
    if (path === undefined) return args;
    const [owner, ...named] = args;
    return [path.keyOf(owner, sourceEntity(base)), ...named];
  }

  /** @internal */
  cell(cells: Cells, stored: unknown, args: readonly unknown[], old: Cell | undefined): Cell {
    const reading = this.readingOf(cells, stored, args);
    const key = argsKey([reading.owner], 'a query');
    if (old !== undefined && ownerKeys.get(old) === key) return old;
    const made = resultCell(this.description, reading);
    ownerKeys.set(made, key);
    return made;
  }

  /** @internal */
  readingOf(cells: Cells, stored: unknown, args: readonly unknown[]): Reading {
    const [owner, named] = isOwned(this.description) ? args : [[], args[0]];
    return { cells, stored, owner: owner as OwnerKey, named: (named ?? {}) as NamedArgs };
  }
}

/** The owner of each cell of a relation, or the arguments of its collection, as text. */
const ownerKeys = new WeakMap<Cell, string>();
