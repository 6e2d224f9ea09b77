import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { WritableFields } from '../../std/plain.ts';

/** Returns whether a value has members: a record, a list, an instance. */
export function isObject(value: unknown): value is Readonly<WritableFields> {
  return typeof value === 'object' && value !== null;
}

const reservedNames = new WeakMap<object, ReadonlySet<string>>();

/**
 * Sets every own field of `props` on `instance`, except those with the name of a method or accessor of the class or of `Object.prototype`,
 * including `__proto__`. So data never replaces or runs code.
 */
export function assignFields<Instance extends object>(instance: Instance, props: object): Instance {
  const reserved = reservedOf(Object.getPrototypeOf(instance));
  // A record that code has made can have symbols, which could replace methods too. This loop leaves them out.
  for (const name in props)
    if (!reserved.has(name) && Object.hasOwn(props, name))
      (instance as WritableFields)[name] = (props as WritableFields)[name];
  return instance;
}

/** Returns the names that data may not use on instances with this prototype. Cached, because classes in use do not change. */
export function reservedOf(prototype: object | null): ReadonlySet<string> {
  if (prototype === null) return NONE;
  const known = reservedNames.get(prototype);
  if (known !== undefined) return known;
  const names = new Set(reservedOf(Object.getPrototypeOf(prototype)));
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof member.value === 'function' || member.writable !== true) names.add(name);
  }
  reservedNames.set(prototype, names);
  return names;
}

const NONE: ReadonlySet<string> = new Set(['__proto__']);

/** Returns a copy with writable fields of an instance that its class has frozen. */
export function writableCopy<Instance extends object>(instance: Instance): Instance {
  const copy = Object.create(Object.getPrototypeOf(instance) as object) as Instance;
  for (const [field, member] of Object.entries(Object.getOwnPropertyDescriptors(instance)))
    Object.defineProperty(copy, field, { ...member, ...('value' in member && { writable: true }), configurable: true });
  return copy;
}

/** Sets a field that is named in the schema of an entity. */
export function setField(instance: object, field: string, value: unknown, entity: string): void {
  try {
    (instance as WritableFields)[field] = value;
  } catch (cause) {
    throw new DataError('field-readonly', `The class ${entity} does not allow its field ${field} to be set.`, {
      entity,
      path: field,
      cause,
      cure: inDevelopment(() => 'Rename the getter, or do not freeze the field.'),
    });
  }
}
