/** Returns the names of the fields that a function reads of an object, or looks for. If the function throws, returns the fields that it read before. */
export function fieldsReadBy(read: (value: object) => unknown, value: object): readonly string[] {
  const names = new Set<string>();
  const note = (name: string | symbol): boolean => typeof name === 'symbol' || names.add(name) !== undefined;
  const watched = new Proxy(value, {
    get: (target, name) => note(name) && (Reflect.get(target, name) as unknown),
    has: (target, name) => note(name) && Reflect.has(target, name),
    getOwnPropertyDescriptor: (target, name) => (note(name), Reflect.getOwnPropertyDescriptor(target, name)),
  });
  try {
    read(watched);
  } catch {
    // The function expects more fields.
  }
  return [...names];
}
