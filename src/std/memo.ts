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
 * As `memo`, for a value of which a module has one for each object. A hidden property of the object holds it: if a value in a `WeakMap` of a
 * module leads to its key, engines free both only in a full garbage collection. The property is a map, because a Proxy has the properties of the
 * object inside, and needs a value of its own.
 */
export function memoOn<Value>(owner: object, name: symbol, make: () => Value): Value {
  if (!Object.hasOwn(owner, name)) Object.defineProperty(owner, name, { value: new WeakMap<object, Value>() });
  // Only the module that has the symbol sets the property.
  return memo(Reflect.get(owner, name) as WeakMap<object, Value>, owner, make);
}
