import { setMember } from '../../std/fall-back.ts';
import type { Fields } from '../../std/plain.ts';

/** The method that runs when a function made by `callable` is called. */
export interface Invokable {
  invoke(...args: readonly unknown[]): unknown;
}

/** Returns a function that inherits from `prototype`. No text is evaluated to make it, so any content security policy allows it. */
export function callable<Self extends Invokable>(prototype: Self): Self {
  const self = ((...args: readonly unknown[]) => self.invoke(...args)) as unknown as Self;
  // A function has its own `name` and `length`, which would hide the members of the prototype.
  Reflect.deleteProperty(self, 'name');
  Reflect.deleteProperty(self, 'length');
  return Object.setPrototypeOf(self, prototype) as Self;
}

/** Returns a copy of an endpoint with other members. They take precedence over those of its class. */
export function derived<Self extends Invokable>(from: Self, members: Fields): Self {
  const self = callable(Object.getPrototypeOf(from) as Self);
  setMembers(self, { ...from, ...members });
  return self;
}

/** Sets members of an endpoint. `undefined` removes an own member if the class has a default for it. */
export function setMembers(self: object, members: Fields): void {
  const inherited = Object.getPrototypeOf(self) as object;
  for (const [name, value] of Object.entries(members)) {
    // `sideEffect: undefined` is a value: it turns a mutation into a read.
    if (value === undefined && name in inherited && name !== 'sideEffect') Reflect.deleteProperty(self, name);
    else setMember(self, name, value);
  }
}
