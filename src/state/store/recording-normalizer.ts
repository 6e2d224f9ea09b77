import { Collection } from '../../define/schema/collection.ts';
import { ObjectSchema } from '../../define/schema/object.ts';
import { itemOf } from '../../define/schema/shorthand.ts';
import type { Invalid, Row, TableSchema } from '../../define/schema/schema.ts';
import { Normalizer } from '../normalize/normalizer.ts';
import type { EntityPlan, Plan } from '../tables/plan.ts';
import type { Space } from '../tables/space.ts';
import type { RowCell } from '../tables/table.ts';

/** What was filed in a cell of the walk, and how it is filed in another. */
export interface Filing {
  readonly cell: RowCell;
  readonly again: (walk: Normalizer, cell: RowCell) => void;
}

/** The walk in, which stops between the records of long lists, and remembers what it filed. */
export class RecordingNormalizer extends Normalizer {
  /** In order. */
  readonly filings: Filing[] = [];
  /** The cells whose rows decided what was filed, or by hooks what became of it: nothing of that can be filed again. */
  readonly asked: Set<RowCell | undefined> = new Set();
  readonly #space: Space;
  /** What was filed already, in the order in which the schema around it will ask for it. */
  #filed: readonly unknown[] = [];

  constructor(...given: ConstructorParameters<typeof Normalizer>) {
    super(...given);
    [, this.#space] = given;
  }

  *steps(schema: unknown, input: unknown): Generator<undefined, unknown> {
    const stored = yield* this.#visit(schema, input, this.args[0], undefined);
    this.finish();
    return stored;
  }

  *#visit(schema: unknown, value: unknown, parent: unknown, key: string | undefined): Generator<undefined, unknown> {
    const plan = this.#space.planOf(schema);
    if (plan.kind === 'list' && Array.isArray(value)) return yield* this.#list(itemOf(schema), value, parent, key);
    const filed: unknown[] = [];
    for (const part of partsOf(plan, value, parent, key)) filed.push(yield* this.#visit(...part));
    // The schema asks for exactly these, before it does anything else.
    this.#filed = filed;
    return super.visit(schema, value, parent, key);
  }

  *#list(
    item: unknown,
    input: readonly unknown[],
    parent: unknown,
    key: string | undefined,
  ): Generator<undefined, unknown> {
    const stored: unknown[] = [];
    for (const one of input) {
      const ref = super.visit(item, one, parent, key);
      if (ref !== undefined) stored.push(ref);
      yield;
    }
    return stored;
  }

  override visit(schema: unknown, value: unknown, parent: unknown, key: string | undefined, owner?: unknown): unknown {
    if (this.#filed.length === 0) return super.visit(schema, value, parent, key, owner);
    const [first, ...others] = this.#filed;
    this.#filed = others;
    return first;
  }

  override getEntity(table: string, pk: string): Row | Invalid | undefined {
    this.asked.add(this.#space.find(table, pk));
    return super.getEntity(table, pk);
  }

  override mergeEntity(schema: TableSchema, pk: string, row: Row): void {
    this.filings.push({
      cell: this.#space.table(schema.key).place(pk),
      again: (walk, home) => walk.mergeEntity(schema, home.pk, row),
    });
    super.mergeEntity(schema, pk, row);
  }

  override setEntity(schema: TableSchema, pk: string, row: Row): void {
    this.filings.push({
      cell: this.#space.table(schema.key).place(pk),
      again: (walk, home) => walk.setEntity(schema, home.pk, row),
    });
    super.setEntity(schema, pk, row);
  }

  override merge(plan: EntityPlan, cell: RowCell, row: Record<string, unknown>): void {
    if (plan.hooks.merge) this.asked.add(cell);
    this.filings.push({ cell, again: (walk, home) => walk.merge(plan, home, row) });
    super.merge(plan, cell, row);
  }

  /** What is known already may be another when it lands. */
  protected override isKnown(): boolean {
    return false;
  }

  /** Which lists a record leaves, the edges of the graph tell, and those are the store's. */
  override invalidate(): never {
    return cannot();
  }
}

type Part = readonly [schema: unknown, value: unknown, parent: unknown, key: string | undefined];

/** What a schema of ours files of a value, in order, before it does anything else: a walk may do that before it. */
function partsOf(plan: Plan, value: unknown, parent: unknown, key: string | undefined): readonly Part[] {
  if (!isObject(value)) return [];
  if (plan.kind === 'rows' && plan.inner.kind === 'list' && plan.schema.normalize === Collection.prototype.normalize)
    return [[plan.schema.schema, value, parent, key]];
  if (plan.kind !== 'structure' || plan.schema.normalize !== ObjectSchema.prototype.normalize) return [];
  const members = { ...value };
  return Object.entries((plan.schema as ObjectSchema).schema).flatMap(([name, member]): Part[] =>
    Object.hasOwn(members, name) ? [[member, members[name], value, name]] : [],
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Ends a walk that comes upon what only the write itself can do. */
export function cannot(): never {
  throw new Error('This cannot be done ahead.');
}
