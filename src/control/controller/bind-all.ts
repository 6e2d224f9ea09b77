/** Binds every method of an object to it, so that they can be taken from it and called alone. */
export function bindAll(self: object): void {
  let prototype = Object.getPrototypeOf(self) as object;
  for (; prototype !== Object.prototype; prototype = Object.getPrototypeOf(prototype) as object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      const method: unknown = value;
      if (typeof method !== 'function' || name === 'constructor' || Object.hasOwn(self, name)) continue;
      Object.defineProperty(self, name, { value: method.bind(self) as unknown, writable: true, configurable: true });
    }
  }
}
