import { ObjectSchema } from '../../define/schema/object.ts';
import { isEmptyRef } from '../../define/schema/pk.ts';
import type { DenormalizeDelegate } from '../../define/schema/delegate.ts';
import { INVALID, type Invalid, type Row } from '../../define/schema/row.ts';
import type { SchemaSimple } from '../../define/schema/schema.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { equalPlain, freezePlain, isPlain } from '../../std/plain.ts';
import { Cell, Failed, NO_PARTS, type Parts } from '../graph/cell.ts';
import { FOUND_LATE, resolve } from '../graph/resolve.ts';
import type { Plan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import { converted } from './converted.ts';
import type { Cells } from './cells.ts';
import { keptArgs } from './kept-args.ts';
import { type Lens, readLens } from './lenses.ts';
import type { Variant } from './variant.ts';
import { sentenceOf } from '../../std/thrown.ts';

interface RowRead {
  readonly cell: RowCell;
  readonly row: Row | Invalid | undefined;
}

/** How many times a schema runs again because it has read another part. Parts read after that are built on the call stack. */
const MAX_RUNS = 10;

/** The reads of a schema during one run. */
interface SchemaRun {
  readonly parts: (Cell | undefined)[];
  readonly rows: RowRead[];
  readonly isGathering: boolean;
  /** Parts that were read, but whose values are not built yet. */
  readonly missing: Cell[];
}

/** The outcome of a run: a value or an error. */
interface RunOutcome {
  readonly value?: unknown;
  readonly error?: unknown;
}

/**
 * The value of a schema that builds it itself: an object, a map, a union, a query, or your own schema.
 *
 * Its parts are the cells that the schema reads when it runs. The first run only collects the parts, and gets `undefined` for parts that are not
 * built yet. The second run gets the values. If it reads another part, its outcome is discarded, and the schema runs again when that part
 * is built.
 */
export class StructureCell extends Cell implements DenormalizeDelegate {
  readonly schema: SchemaSimple;
  readonly #cells: Cells;
  readonly #variant: Variant;
  #stored: unknown;
  #built: unknown = undefined;
  #isBuilt = false;
  #readParts: (Cell | undefined)[] = [];
  #rows: RowRead[] = [];
  /** The values of the parts at the last build. */
  #seen: unknown[] = [];
  /** The current run. */
  #run: SchemaRun | undefined;
  /** The outcome of a run with all parts, until `fill` uses it. */
  #outcome: RunOutcome | undefined;
  /** How many times the schema has run since its parts were collected. */
  #runs = 0;
  /** Parts that a run in a cycle found late. The next walk includes them from the start. */
  #late: Cell[] = [];

  constructor(schema: SchemaSimple, cells: Cells, variant: Variant, stored: unknown) {
    super();
    this.schema = schema;
    this.#cells = cells;
    this.#variant = variant;
    this.#stored = stored;
  }

  store(stored: unknown): void {
    if (equalPlain(stored, this.#stored)) return;
    this.clean = false;
    this.#stored = stored;
  }

  override get isInside(): boolean {
    return true;
  }

  override noteReplaced(): void {
    this.#isBuilt = false;
  }

  override get looksInside(): boolean {
    return true;
  }

  /** An object shows all of its members. For other schemas it is unknown whether the value depends on a part. */
  override mayStay(): boolean {
    return !(this.schema instanceof ObjectSchema);
  }

  get isGathering(): boolean {
    return this.#run?.isGathering === true;
  }

  get args(): readonly unknown[] {
    return this.#variant.args;
  }

  argsKey(lens: Lens): string | undefined {
    return readLens(lens, this.#variant.args);
  }

  unvisit(schema: unknown, stored: unknown): unknown {
    const run = this.#run;
    if (run === undefined) throw lateCall();
    const plan = this.#cells.space.planOf(schema);
    if (plan.kind === 'convert') return converted(plan.convert, stored, {});
    if (stored === null || stored === undefined || stored === INVALID) return stored;
    const old = this.#readParts[run.parts.length];
    const part = this.#cells.find(plan, stored, this.#variantFor(plan), old);
    run.parts.push(part);
    if (part === undefined) return plan.kind === 'entity' && isEmptyRef(stored) ? undefined : stored;
    if (part.clean) return part.value;
    if (run.isGathering) return undefined;
    // A member of the same cycle is not clean either. It has the value that is being built.
    if (part.order > 0) return part.value instanceof Failed ? undefined : part.value;
    if (this.#runs + this.#late.length > MAX_RUNS) return resolve(part);
    run.missing.push(part);
    return undefined;
  }

  /** A relation is read with the values of its owner, which is among the arguments. */
  #variantFor(plan: Plan): Variant {
    const { args } = this.#variant;
    const kept = plan.kind === 'structure' ? keptArgs(plan.schema, args) : args;
    return kept === args ? this.#variant : { ...this.#variant, args: kept };
  }

  getEntity(table: string, pk: string): Row | Invalid | undefined {
    const cell = this.#cells.space.table(table).cellOf(pk);
    this.#run?.rows.push({ cell, row: cell.row });
    return cell.row;
  }

  override prepare(): Parts {
    if (this.#isBuilt && this.#stored === this.#built && this.#rows.every(({ cell, row }) => cell.row === row))
      return this.#readParts;
    this.#isBuilt = false;
    this.#runs = 0;
    this.#runSchema(true);
    return this.#late.length === 0 ? this.#readParts : [...this.#readParts, ...this.#late];
  }

  override discover(): Parts {
    if (!this.isChanged()) return NO_PARTS;
    this.#runs++;
    const { outcome, missing } = this.#runSchema(false);
    this.#outcome = missing.length === 0 ? outcome : undefined;
    return missing;
  }

  override isChanged(): boolean {
    return !this.#isBuilt || this.#readParts.some((part, at) => part !== undefined && part.value !== this.#seen[at]);
  }

  override open(isInCycle: boolean): void {
    if (isInCycle) this.value = undefined;
  }

  override fill(isInCycle: boolean): void {
    const { value, error } = (isInCycle ? undefined : this.#outcome) ?? this.#whole();
    this.#outcome = undefined;
    if (error !== undefined) throw error;
    if (!haveSameFields(this.value, value)) this.value = value;
  }

  #whole(): RunOutcome {
    const { outcome, missing } = this.#runSchema(false);
    if (missing.length === 0) return outcome;
    this.#late.push(...missing);
    throw FOUND_LATE;
  }

  override fail(failed: Failed): void {
    super.fail(failed);
    this.#isBuilt = false;
    this.#outcome = undefined;
  }

  override seal(): void {
    this.#isBuilt = true;
    this.#late = [];
    this.#built = this.#stored;
    this.#seen = this.#readParts.map((part) => part?.value);
    if (this.#cells.isFrozen) freezePlain(this.value);
  }

  /** Runs the schema, and makes the cells that it reads the parts of this cell. */
  #runSchema(isGathering: boolean): { readonly outcome: RunOutcome; readonly missing: readonly Cell[] } {
    const outer = this.#run;
    const run: SchemaRun = { parts: [], rows: [], isGathering, missing: [] };
    this.#run = run;
    try {
      return { outcome: { value: this.schema.denormalize(this.#stored, this) }, missing: run.missing };
    } catch (error) {
      // Code that needs a part may throw while the parts are collected. The next run decides.
      return { outcome: { error: error instanceof DataError ? error : schemaFailed(error) }, missing: run.missing };
    } finally {
      this.#run = outer;
      this.#take(run);
    }
  }

  #take({ parts, rows }: Pick<SchemaRun, 'parts' | 'rows'>): void {
    this.link([...parts, ...rows.map(({ cell }) => cell), ...this.#late]);
    this.#readParts = parts;
    this.#rows = rows;
  }

  override release(): void {
    this.#take({ parts: [], rows: [] });
    super.release();
  }
}

function schemaFailed(error: unknown): DataError {
  return new DataError('hook-failed', `A schema failed to create its value: ${sentenceOf(error)}`, { cause: error });
}

function lateCall(): DataError {
  return new DataError('delegate-late', 'A schema used its delegate after denormalize() had returned.', {
    cure: inDevelopment(() => 'Read every part before returning.'),
  });
}

/** Returns whether two values are plain and have identical fields. The old value is then kept. */
function haveSameFields(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = Object.keys(one);
  if (fields.length !== Object.keys(other).length) return false;
  return fields.every(
    (field) =>
      Object.hasOwn(other, field) &&
      Object.is((one as Record<string, unknown>)[field], (other as Record<string, unknown>)[field]),
  );
}
