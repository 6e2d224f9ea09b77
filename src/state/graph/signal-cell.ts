import { Cell, NO_PARTS } from './cell.ts';
import { mark } from './mark.ts';

/** A cell without a value: other cells depend on it to hear that something happened. */
export class SignalCell extends Cell {
  /** Counts what happened. */
  version = 0;

  happened(told: Cell[]): void {
    this.version++;
    if (this.parents !== undefined) mark(this, told);
  }

  override prepare(): readonly (Cell | undefined)[] {
    return NO_PARTS;
  }

  override get allParts(): readonly (Cell | undefined)[] {
    return NO_PARTS;
  }

  override isChanged(): boolean {
    return false;
  }

  override open(): void {}

  override isBroken(): boolean {
    return false;
  }

  override fill(): void {}

  override seal(): void {}

  override release(): void {}
}
