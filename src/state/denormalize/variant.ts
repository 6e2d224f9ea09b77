/**
 * Under which circumstances a value is read, where that makes a difference: what `Scalar` lenses find in the args, and
 * how many more levels `maxEntityDepth` allows. Most values are the same under all of them.
 */
export interface Variant {
  /** Equal for variants that lead to equal values; '' for the usual one. */
  readonly name: string;
  readonly args: readonly unknown[];
  /** Levels of nested entities that may still be read. */
  readonly depth: number;
}

export const USUAL: Variant = { name: '', args: [], depth: Number.POSITIVE_INFINITY };
