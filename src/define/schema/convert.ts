/** How to make the richer value: by a call, or with `new` where a function is of no use otherwise. */
export function convertOf(schema: object): (stored: unknown) => unknown {
  if (mustConstruct(schema)) return (stored) => Reflect.construct(schema as new (stored: unknown) => object, [stored]);
  // One argument, whatever the function takes: `Number.parseInt` and the like look at the next one.
  return (stored) => (schema as (stored: unknown) => unknown)(stored);
}

function mustConstruct(schema: object): boolean {
  const text = Function.prototype.toString.call(schema);
  // A native function with a prototype is a constructor, and those refuse a plain call or, as Date, ignore the value.
  return (
    text.startsWith('class') || (text.includes('[native code]') && 'prototype' in schema && !CONVERSIONS.has(schema))
  );
}

const CONVERSIONS: ReadonlySet<object> = new Set([Number, String, Boolean, BigInt, Object, Array]);
