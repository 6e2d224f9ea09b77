/** Defines an own member on an object, even where its class has a member of that name. */
export function setMember(self: object, name: string, value: unknown): void {
  Object.defineProperty(self, name, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * Defines a computed member that an assignment replaces. Assignment has to work, because some compilers assign class fields
 * instead of defining them.
 */
export function fallBack<Self extends object>(prototype: Self, name: string, get: (self: Self) => unknown): void {
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: Self): unknown {
      return get(this);
    },
    set(this: Self, value: unknown): void {
      setMember(this, name, value);
    },
  });
}
