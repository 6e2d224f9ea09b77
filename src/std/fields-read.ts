/** Returns the names of the fields of an object that a function reads, or looks for. If the function throws, those until then. */
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
