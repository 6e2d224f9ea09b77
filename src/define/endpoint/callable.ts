import { setMember } from '../../std/fall-back.ts';
import type { Fields } from '../../std/plain.ts';

/** What a function made by `callable` runs when it is called. */
export interface Invokable {
  invoke(...args: readonly unknown[]): unknown;
}

/**
 * A function with the members of `prototype`. It is made without evaluating text, so any content security policy
 * allows it.
 */
export function callable<Self extends Invokable>(prototype: Self): Self {
  const self = ((...args: readonly unknown[]) => self.invoke(...args)) as unknown as Self;
  // What a function has of its own would hide the members of the same name.
  Reflect.deleteProperty(self, 'name');
  Reflect.deleteProperty(self, 'length');
  return Object.setPrototypeOf(self, prototype) as Self;
}

/** A copy of an endpoint with other members, which go before those of its class. */
export function derived<Self extends Invokable>(from: Self, members: Fields): Self {
  const self = callable(Object.getPrototypeOf(from) as Self);
  setMembers(self, { ...from, ...members });
  return self;
}

/** Sets members of an endpoint. `undefined` removes an own member where the class has one to fall back to. */
export function setMembers(self: object, members: Fields): void {
  const inherited = Object.getPrototypeOf(self) as object;
  for (const [name, value] of Object.entries(members)) {
    // Only of a side effect `undefined` says something: that there is none.
    if (value === undefined && name in inherited && name !== 'sideEffect') Reflect.deleteProperty(self, name);
    else setMember(self, name, value);
  }
}
