import { Argument } from '../../define/query/argument.ts';
import { checkArgument } from '../../define/query/check-argument.ts';
import { operandOf } from '../../define/query/condition.ts';
import { type Description, sourceOf } from '../../define/query/description.ts';
import { nameOfKey } from '../../define/query/order.ts';
import type { EntityInterface } from '../../define/schema/entity.ts';
import type { SchemaTypes } from '../../define/schema/infer-schema.ts';
import type { QueryDelegate, Unvisit } from '../../define/schema/delegate.ts';
import type { RowSchema, SchemaSimple } from '../../define/schema/schema.ts';
import { equalPlain } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import { Cell, type Parts } from '../graph/cell.ts';
import { QuerySchema } from './query-schema.ts';
import { type Reading, recordSearchFor, recordsOf } from './record-source.ts';
import { type Operator, operatorIn } from './operator.ts';
import { pathIn } from './relation-path.ts';
import { indexByField } from './sorted-rows.ts';
import { rowsOf } from './sources.ts';

/** How a query finds its result. */
export interface Explanation {
  /** The key of its source: an entity or a collection. */
  readonly source: string;
  /** The fields of the indexes that find its records. Empty if all rows are read. */
  readonly indexes: readonly string[];
  /** How many rows the first run reads, and how many the table has. */
  readonly scanned: number;
  readonly rows: number;
  /** The steps of the query, each with the cost of a change. */
  readonly steps: readonly string[];
}

class ExplanationCell extends Cell {
  readonly #result: Cell;
  readonly #explanation: () => Explanation;

  constructor(result: Cell, explanation: () => Explanation) {
    super();
    this.#result = result;
    this.#explanation = explanation;
  }

  override get isInside(): boolean {
    return true;
  }

  override prepare(): Parts {
    if (this.parts.length === 0) this.link([this.#result]);
    return this.parts;
  }

  override isChanged(): boolean {
    return true;
  }

  override fill(): void {
    const next = this.#explanation();
    if (!equalPlain(this.value, next)) this.value = next;
  }
}

/** The type of the query that `explain()` returns. @hidden */
export interface ExplainedQuery<Args> extends SchemaSimple {
  readonly '~types': SchemaTypes<Explanation, Explanation | undefined, undefined, Args>;
}

/** The value describes how a query finds its result in the present store. */
class ExplanationSchema<Args> implements ExplainedQuery<Args> {
  declare readonly '~types': ExplainedQuery<Args>['~types'];
  readonly #query: QuerySchema;

  constructor(query: QuerySchema) {
    this.#query = query;
  }

  /** @internal */
  get schema(): Readonly<Record<string, unknown>> {
    return this.#query.schema;
  }

  normalize(): undefined {}

  /** Never called, because `cell` makes the value. */
  denormalize(): undefined {}

  queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): unknown {
    return this.#query.queryKey(args, unvisit, delegate);
  }

  /** @internal */
  keptBy(args: readonly unknown[]): readonly unknown[] {
    return this.#query.keptBy(args);
  }

  /** @internal */
  cell(cells: Cells, stored: unknown, args: readonly unknown[]): Cell {
    const query = this.#query;
    const reading = query.readingOf(cells, stored, args);
    return new ExplanationCell(query.cell(cells, stored, args, undefined), () =>
      explanationOf(query.description, reading),
    );
  }
}

/**
 * A query that describes how another one finds its result: which indexes find its records, how many rows are read, and what a change costs.
 * `controller.get(explain(openTodosOf), { userId: 1 })`.
 */
export function explain<Args extends readonly unknown[]>(
  query: QuerySchema & { readonly '~types': { readonly args: Args } },
): ExplainedQuery<Args> {
  checkArgument('explain()', query, () => !(query instanceof QuerySchema) && 'a query, such as from(Post)');
  return new ExplanationSchema(query);
}

function explanationOf(description: Description, reading: Reading): Explanation {
  const { collection, entity, query } = sourceOf(description);
  if (entity !== undefined) return withSteps(recordsExplained(entity, description, reading), description);
  if (query !== undefined) {
    const inner = explanationOf(query.description, reading);
    return withSteps({ ...inner, steps: [...inner.steps, operatorExplained(operatorIn(description))] }, description);
  }
  const { key } = collection as RowSchema;
  const first = `Reads the members of the collection ${key}. A change of the list costs its length, a change of a member one step.`;
  return withSteps({ source: key, indexes: [], scanned: 0, rows: 0, steps: [first] }, description);
}

/** Describes an operator and the cost of a change. */
function operatorExplained(operator: Operator | undefined): string {
  if (operator === undefined) return 'Continues with the result of that query.';
  const { by, name, theirs } = operator;
  return theirs === undefined
    ? `Groups them by ${nameOfKey(by)}: a change updates the groups that it is in.`
    : `Joins ${name} by ${nameOfKey(by)} and ${nameOfKey(theirs)}: a change updates the pairs of the changed record.`;
}

function recordsExplained(entity: EntityInterface, description: Description, reading: Reading): Explanation {
  const { cells } = reading;
  const { between, index, indexed, isOnRows, plan, tests } = recordSearchFor(entity, description, reading);
  const { key } = entity;
  const { size } = cells.space.wholeTable(key);
  const path = pathIn(description);
  const explained = (indexes: readonly string[], scanned: number, how: string): Explanation => {
    const built = isOnRows
      ? 'Builds only shown records.'
      : `Builds ${tests.length > 0 ? 'the records whose rows pass' : 'these records'}.`;
    const asked = description.conditions.some((condition) => typeof condition === 'function')
      ? ['A function decides which of them pass. It runs for each changed record, and no index can replace it.']
      : [];
    return { source: key, indexes, scanned, rows: size, steps: [`${how} ${built}`, ...asked] };
  };
  if (path?.records !== undefined)
    return explained(
      [path.by],
      Array.from(recordsOf(entity, description, reading).source.entries()).length,
      `Finds ${key} rows through ${path.by}, and again when something on that path changes.`,
    );
  if (index !== undefined) {
    const by = description.order.map((step) => String(step.by));
    return explained(by, Math.min(windowOf(description, reading), size), `${FIRST_ROWS} of the index of ${by.join()}.`);
  }
  if (indexed.length > 0) {
    const names = indexed.map(([fields]) => fields.join(' and '));
    const scanned = Array.from(rowsOf(cells, plan, { indexed, between: undefined }, []).rows()).length;
    return explained(names, scanned, `Looks up ${names.join(', ')}: ${scanned} of ${size} ${key} rows.`);
  }
  if (between !== undefined) {
    const { field, from, to } = between;
    const scanned = indexByField(cells, plan, field).between(from, to).length;
    return explained([field], scanned, `Takes a range of the index of ${field}: ${scanned} of ${size} ${key} rows.`);
  }
  return explained([], size, `Reads all ${size} ${key} rows once, and then only those that change.`);
}

/** Returns the number of rows of an index with which a query begins. */
function windowOf({ limit, offset, result }: Description, { named: args }: Reading): number {
  const most = result === 'one' ? 1 : Number(operandOf(limit, args));
  return Number(operandOf(offset, args)) + most;
}

/** Returns the explanation with the steps after the records are found, each with the cost of a change. */
function withSteps(explanation: Explanation, description: Description): Explanation {
  const { added, conditions, limit, offset, order, result } = description;
  const isCounted = result === 'count' || result === 'exists';
  const isSorted = order.length > 0 && !isCounted && !explanation.steps.every((step) => step.startsWith(FIRST_ROWS));
  const steps = [
    operatorIn(description) && conditions.length > 0 && 'Filters the result: only changed items are checked.',
    isSorted && `Keeps them sorted by ${order.map(({ by }) => nameOfKey(by)).join(', ')}: a change moves one item.`,
    (limit ?? offset) !== 0 && `Shows ${textOf(limit) ?? 'all'} items from index ${textOf(offset)}.`,
    Object.keys(added).length > 0 && `Reads ${Object.keys(added).join(', ')} for each shown item.`,
    isCounted && 'Counts them: a change adds or subtracts one.',
  ];
  return { ...explanation, steps: [...explanation.steps, ...steps.filter((step) => typeof step === 'string')] };
}

const FIRST_ROWS = 'Takes the first rows';

function textOf(count: Description['limit']): string | undefined {
  return count instanceof Argument ? count.name : count?.toString();
}
