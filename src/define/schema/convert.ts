/** Returns a function that converts a stored value. It calls `schema`, or uses `new` for a class. */
export function convertOf(schema: object): (stored: unknown) => unknown {
  if (isClass(schema)) return (stored) => Reflect.construct(schema as new (stored: unknown) => object, [stored]);
  // Passes only one argument, because functions such as `Number.parseInt` have optional further ones.
  return (stored) => (schema as (stored: unknown) => unknown)(stored);
}

/** The prototype of a class cannot be replaced, also if the class is native, or if Babel has compiled it to a function. */
function isClass(schema: object): boolean {
  return Object.getOwnPropertyDescriptor(schema, 'prototype')?.writable === false && !CONVERSIONS.has(schema);
}

const CONVERSIONS: ReadonlySet<object> = new Set([Number, String, Boolean, BigInt, Object, Array]);
