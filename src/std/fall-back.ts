/** Defines an own member on an object, whatever its class has of that name. */
export function setMember(self: object, name: string, value: unknown): void {
  Object.defineProperty(self, name, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * A member that is worked out until it is assigned. It can be assigned, for compilers that assign class fields
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
