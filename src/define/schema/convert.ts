/** Returns a function that converts a stored value. It calls `schema`, or uses `new` for a class. */
export function convertOf(schema: object): (stored: unknown) => unknown {
  if (mustConstruct(schema)) return (stored) => Reflect.construct(schema as new (stored: unknown) => object, [stored]);
  // Passes only one argument, because functions such as `Number.parseInt` have optional further ones.
  return (stored) => (schema as (stored: unknown) => unknown)(stored);
}

function mustConstruct(schema: object): boolean {
  const text = Function.prototype.toString.call(schema);
  // A native function with a prototype is a constructor. Called without `new`, it throws or, as Date does, ignores the value.
  return (
    text.startsWith('class') || (text.includes('[native code]') && 'prototype' in schema && !CONVERSIONS.has(schema))
  );
}

const CONVERSIONS: ReadonlySet<object> = new Set([Number, String, Boolean, BigInt, Object, Array]);
