import { type DenormalizeDelegate, type Invalid, type Row, type SchemaSimple } from '../../define/schema/schema.ts';
import { DataError } from '../../std/data-error.ts';
import { equalPlain, freezePlain, isPlain } from '../../std/plain.ts';
import { Cell, type Parts } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';
import type { RowCell } from '../tables/table.ts';
import { converted } from './converted.ts';
import type { Cells } from './cells.ts';
import type { Variant } from './variant.ts';

interface RowRead {
  readonly cell: RowCell;
  readonly row: Row | Invalid | undefined;
}

/** What a schema asks for while it runs. */
interface Run {
  readonly parts: (Cell | undefined)[];
  readonly rows: RowRead[];
  readonly isGathering: boolean;
}

/**
 * The value of a schema that rebuilds itself (object, map, union, query, your own).
 *
 * Its parts are what it asks for when it runs. So it runs twice: once to gather them, with `undefined` in the place of
 * those that are not there yet, and again when they are.
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
  /** The parts and rows that the last run asked for, while it runs. */
  #run: Run | undefined;

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
    if (part.clean || run.isGathering) return part.clean ? part.value : undefined;
    // Asked for only now, because of what another part holds; or a member of the same circle.
    return part.order > 0 ? part.value : resolve(part);
  }

  getEntity(table: string, pk: string): Row | Invalid | undefined {
    const cell = this.#cells.space.table(table).place(pk);
    this.#run?.rows.push({ cell, row: cell.row });
    return cell.row;
  }

  override prepare(): Parts {
    if (this.#isBuilt && this.#stored === this.#built && this.#rows.every(({ cell, row }) => cell.row === row))
      return this.#asked;
    this.#perform(true);
    this.#isBuilt = false;
    return this.#asked;
  }

  override isChanged(): boolean {
    return !this.#isBuilt || this.#asked.some((part, at) => part !== undefined && part.value !== this.#seen[at]);
  }

  override open(inCycle: boolean): void {
    if (inCycle) this.value = undefined;
  }

  override fill(): void {
    const made = this.#perform(false);
    if (!sameFields(this.value, made)) this.value = made;
  }

  override seal(): void {
    this.#isBuilt = true;
    this.#built = this.#stored;
    this.#seen = this.#asked.map((part) => part?.value);
    if (this.#cells.frozen) freezePlain(this.value);
  }

  /** Runs the schema and takes what it asks for as the parts. */
  #perform(isGathering: boolean): unknown {
    const outer = this.#run;
    const run = { parts: [], rows: [], isGathering };
    this.#run = run;
    try {
      return this.schema.denormalize(this.#stored, this);
    } catch (error) {
      // Code that cannot do without a part fails while they are gathered; the next run decides.
      if (isGathering) return undefined;
      throw error instanceof DataError ? error : failed(error);
    } finally {
      this.#run = outer;
      this.#take(run);
    }
  }

  #take({ parts, rows }: Run): void {
    this.link([...parts, ...rows.map(({ cell }) => cell)]);
    this.#asked = parts;
    this.#rows = rows;
  }

  override release(): void {
    this.#take({ parts: [], rows: [], isGathering: false });
    super.release();
  }
}

function failed(error: unknown): DataError {
  const said = error instanceof Error ? error.message : String(error);
  return new DataError('hook-failed', `A schema failed to make its value: ${said}.`, { cause: error });
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
