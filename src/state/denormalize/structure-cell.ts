import { ObjectSchema } from '../../define/schema/object.ts';
import { type DenormalizeDelegate, type Invalid, type Row, type SchemaSimple } from '../../define/schema/schema.ts';
import { DataError } from '../../std/data-error.ts';
import { equalPlain, freezePlain, isPlain } from '../../std/plain.ts';
import { Cell, Failed, NO_PARTS, type Parts } from '../graph/cell.ts';
import { FOUND_LATE, resolve } from '../graph/resolve.ts';
import type { RowCell } from '../tables/table.ts';
import { converted } from './converted.ts';
import type { Cells } from './cells.ts';
import type { Variant } from './variant.ts';
import { messageOf } from '../../std/thrown.ts';

interface RowRead {
  readonly cell: RowCell;
  readonly row: Row | Invalid | undefined;
}

/** How often a schema runs because it has asked for another part. Parts that it asks for later are read on the call stack. */
const MOST_RUNS = 10;

/** What a schema asks for while it runs. */
interface SchemaRun {
  readonly parts: (Cell | undefined)[];
  readonly rows: RowRead[];
  readonly isGathering: boolean;
  /** Parts that it asked for, and whose values it could not be given yet. */
  readonly missing: Cell[];
}

/** What a run came to: a value, or an error. */
interface RunOutcome {
  readonly value?: unknown;
  readonly error?: unknown;
}

/**
 * The value of a schema that rebuilds itself (object, map, union, query, your own).
 *
 * Its parts are what it asks for when it runs. So it runs once to gather them, with `undefined` in the place of those that
 * are not there yet, and again when they are. Where that run asks for yet another part, its outcome does not count, and it
 * runs again when that one is there too.
 */
export class StructureCell extends Cell implements DenormalizeDelegate {
  readonly schema: SchemaSimple;
  readonly #cells: Cells;
  readonly #variant: Variant;
  #stored: unknown;
  #built: unknown = undefined;
  #isBuilt = false;
  #asked: (Cell | undefined)[] = [];
  #rows: RowRead[] = [];
  /** The parts' values at the last build. */
  #seen: unknown[] = [];
  /** The run that is under way. */
  #run: SchemaRun | undefined;
  /** What a run with every part came to, until `fill` takes it. */
  #outcome: RunOutcome | undefined;
  /** How often it has run with parts since they were gathered. */
  #runs = 0;
  /** Parts that a run in a circle has found late: the next walk knows them from the beginning. */
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

  override replaced(): void {
    this.#isBuilt = false;
  }

  override get looksInside(): boolean {
    return true;
  }

  /** An object shows all of its members. What other schemas make of their parts, only they know. */
  override mayStay(): boolean {
    return !(this.schema instanceof ObjectSchema);
  }

  get isGathering(): boolean {
    return this.#run?.isGathering === true;
  }

  get args(): readonly unknown[] {
    return this.#variant.args;
  }

  argsKey(lens: (args: readonly unknown[]) => string | undefined): string | undefined {
    return lens(this.#variant.args);
  }

  unvisit(schema: unknown, stored: unknown): unknown {
    const run = this.#run;
    if (run === undefined) throw lateCall();
    const plan = this.#cells.space.planOf(schema);
    if (plan.kind === 'convert') return converted(plan.convert, stored, {});
    if (stored === null || stored === undefined) return stored;
    const old = this.#asked[run.parts.length];
    const part = this.#cells.find(plan, stored, this.#variant, old);
    run.parts.push(part);
    if (part === undefined) return stored;
    if (part.clean) return part.value;
    if (run.isGathering) return undefined;
    // A member of the same circle is not clean either, and has the value that it is being given.
    if (part.order > 0) return part.value instanceof Failed ? undefined : part.value;
    if (this.#runs + this.#late.length > MOST_RUNS) return resolve(part);
    run.missing.push(part);
    return undefined;
  }

  getEntity(table: string, pk: string): Row | Invalid | undefined {
    const cell = this.#cells.space.table(table).cellOf(pk);
    this.#run?.rows.push({ cell, row: cell.row });
    return cell.row;
  }

  override prepare(): Parts {
    if (this.#isBuilt && this.#stored === this.#built && this.#rows.every(({ cell, row }) => cell.row === row))
      return this.#asked;
    this.#isBuilt = false;
    this.#runs = 0;
    this.#perform(true);
    return this.#late.length === 0 ? this.#asked : [...this.#asked, ...this.#late];
  }

  override discover(): Parts {
    if (!this.isChanged()) return NO_PARTS;
    this.#runs++;
    const { outcome, missing } = this.#perform(false);
    this.#outcome = missing.length === 0 ? outcome : undefined;
    return missing;
  }

  override isChanged(): boolean {
    return !this.#isBuilt || this.#asked.some((part, at) => part !== undefined && part.value !== this.#seen[at]);
  }

  override open(inCycle: boolean): void {
    if (inCycle) this.value = undefined;
  }

  override fill(inCycle: boolean): void {
    const { value, error } = (inCycle ? undefined : this.#outcome) ?? this.#whole();
    this.#outcome = undefined;
    if (error !== undefined) throw error;
    if (!sameFields(this.value, value)) this.value = value;
  }

  #whole(): RunOutcome {
    const { outcome, missing } = this.#perform(false);
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
    this.#seen = this.#asked.map((part) => part?.value);
    if (this.#cells.frozen) freezePlain(this.value);
  }

  /** Runs the schema and takes what it asks for as the parts. */
  #perform(isGathering: boolean): { readonly outcome: RunOutcome; readonly missing: readonly Cell[] } {
    const outer = this.#run;
    const run: SchemaRun = { parts: [], rows: [], isGathering, missing: [] };
    this.#run = run;
    try {
      return { outcome: { value: this.schema.denormalize(this.#stored, this) }, missing: run.missing };
    } catch (error) {
      // Code that cannot do without a part fails while they are gathered; the next run decides.
      return { outcome: { error: error instanceof DataError ? error : schemaFailed(error) }, missing: run.missing };
    } finally {
      this.#run = outer;
      this.#take(run);
    }
  }

  #take({ parts, rows }: Pick<SchemaRun, 'parts' | 'rows'>): void {
    this.link([...parts, ...rows.map(({ cell }) => cell), ...this.#late]);
    this.#asked = parts;
    this.#rows = rows;
  }

  override release(): void {
    this.#take({ parts: [], rows: [] });
    super.release();
  }
}

function schemaFailed(error: unknown): DataError {
  return new DataError('hook-failed', `A schema failed to make its value: ${messageOf(error)}.`, { cause: error });
}

function lateCall(): DataError {
  return new DataError(
    'delegate-late',
    'A schema used its delegate after denormalize() had returned. Ask for every part before returning.',
  );
}

/** Whether two values are plain and hold the very same things: then the old one stays. */
function sameFields(one: unknown, other: unknown): boolean {
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
