import { INVALID } from '../../define/schema/row.ts';
import type { Cell, Parts } from '../graph/cell.ts';
import { ObservedCell } from '../graph/observed-cell.ts';
import type { RequestState, Result } from './request-state.ts';

/** The state and value of a request. The same object until one of them changes. */
export interface Found {
  readonly state: RequestState | undefined;
  /** The result with the value. `undefined` if there is none, or if the value was built from rows of other requests. */
  readonly result: Result | undefined;
  /** `undefined` if missing, `INVALID` if invalid. */
  readonly value: unknown;
}

/** The state of a request, and the cell of its value. */
export interface RequestTarget {
  readonly state: RequestState | undefined;
  readonly result: Result | undefined;
  readonly cell: Cell | undefined;
}

/** The cell of a request as one schema reads it. */
export class RequestCell extends ObservedCell {
  declare value: Found | undefined;
  readonly key: string;
  readonly #look: () => RequestTarget;
  #target: RequestTarget | undefined;
  #isOther = false;

  constructor(key: string, look: () => RequestTarget) {
    super();
    this.key = key;
    this.#look = look;
  }

  override noteReplaced(): void {
    this.#target = undefined;
  }

  override prepare(): Parts {
    if (this.#target === undefined) {
      this.#target = this.#look();
      this.#isOther = true;
      this.link([this.#target.cell]);
    }
    return this.parts;
  }

  override isChanged(): boolean {
    return this.#isOther || this.value === undefined || this.value.value !== this.#shown();
  }

  override fill(): void {
    const { state, result } = this.#target as RequestTarget;
    this.value = { state, result, value: this.#shown() };
  }

  override seal(): void {
    this.#isOther = false;
  }

  #shown(): unknown {
    const { state, cell } = this.#target as RequestTarget;
    return cell === undefined && state?.note?.isInvalidated === true ? INVALID : cell?.value;
  }
}
