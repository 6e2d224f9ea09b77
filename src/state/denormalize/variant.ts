/**
 * The circumstances of a read that can change a value: what `Scalar` lenses find in the arguments, and how many more levels
 * `maxEntityDepth` allows. Most values are the same in all variants.
 */
export interface Variant {
  /** The same for variants with the same value. '' for the usual one. */
  readonly name: string;
  readonly args: readonly unknown[];
  /** How many more levels of nested entities are read. */
  readonly depth: number;
}

export const USUAL: Variant = { name: '', args: [], depth: Number.POSITIVE_INFINITY };
