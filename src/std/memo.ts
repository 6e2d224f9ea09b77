/** A `Map` or a `WeakMap`. */
interface Memory<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** Returns the value of a key. Makes and keeps it if there is none. */
export function memo<Key, Value>(known: Memory<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

/**
 * As `memo`, for a value of which a module has one for each object. It is a hidden property of the object: if a value in a `WeakMap` of a module
 * leads to its key, engines free both only in a full garbage collection.
 */
export function memoOn<Value>(owner: object, name: symbol, make: () => Value): Value {
  if (!Object.hasOwn(owner, name)) Object.defineProperty(owner, name, { value: make() });
  // Only the module that has the symbol sets the property.
  return (owner as Record<symbol, unknown>)[name] as Value;
}
