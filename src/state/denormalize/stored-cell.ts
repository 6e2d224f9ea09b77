import { freezePlain } from '../../std/plain.ts';
import { Cell } from '../graph/cell.ts';
import { converted } from './converted.ts';
import { type Parts, relink } from './parts.ts';
import type { Variant } from './variant.ts';

/** A normalized form and what it is the normalized form of. */
export interface Stored {
  readonly schema: unknown;
  readonly stored: unknown;
  readonly args: readonly unknown[];
}

const NOTHING: Stored = { schema: undefined, stored: undefined, args: [] };

/** The value of a normalized result. */
export class StoredCell extends Cell {
  readonly #parts: Parts;
  #source: Stored;
  #part: readonly [Cell | undefined] = [undefined];
  #isLinked = false;

  constructor(parts: Parts, source: Stored = NOTHING) {
    super();
    this.#parts = parts;
    this.#source = source;
  }

  /** Shows another result from now on. The caller has marked the cell. */
  show(source: Stored = NOTHING): void {
    this.#source = source;
    this.#isLinked = false;
  }

  override replaced(): void {
    this.#isLinked = false;
  }

  override prepare(): readonly (Cell | undefined)[] {
    if (!this.#isLinked) this.#link();
    return this.#part;
  }

  #link(): void {
    const { schema, stored, args } = this.#source;
    const variant: Variant = { name: '', args, depth: Number.POSITIVE_INFINITY };
    const old = this.#part;
    this.#part = [this.#parts.find(this.#parts.space.planOf(schema), stored, variant, old[0])];
    relink(this, old, this.#part);
    this.#isLinked = true;
  }

  override get allParts(): readonly (Cell | undefined)[] {
    return this.#part;
  }

  override isChanged(): boolean {
    return this.value !== this.#shown();
  }

  override fill(): void {
    this.value = this.#shown();
    // What a part gives, the part has frozen.
    if (this.#parts.frozen && this.#part[0] === undefined) freezePlain(this.value);
  }

  #shown(): unknown {
    const [part] = this.#part;
    if (part !== undefined) return part.value;
    const plan = this.#parts.space.planOf(this.#source.schema);
    const { stored } = this.#source;
    return plan.kind === 'convert' ? converted(plan.convert, stored, {}) : stored;
  }

  override release(): void {
    relink(this, this.#part, []);
    this.#part = [undefined];
    this.#isLinked = false;
    this.clean = false;
  }
}
