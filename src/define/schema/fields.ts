import { DataError } from '../../std/data-error.ts';
import type { WritableFields } from '../../std/plain.ts';

/** Whether a value has members of its own: a record, a list, an instance. */
export function isObject(value: unknown): value is Readonly<WritableFields> {
  return typeof value === 'object' && value !== null;
}

const reservedNames = new WeakMap<object, ReadonlySet<string>>();

/**
 * Sets every own field of `props` on `instance`, except where that would put data in the place of code: no method and
 * no accessor of the class or of `Object.prototype` is ever shadowed or called, `__proto__` among them.
 */
export function assignFields<Instance extends object>(instance: Instance, props: object): Instance {
  const reserved = reservedOf(Object.getPrototypeOf(instance));
  // Looking first and copying all at once takes two thirds of the time of copying field by field.
  for (const name in props) if (reserved.has(name)) return assignOthers(instance, props, reserved);
  // JSON has no symbols; code that makes records can, and those would take the place of methods too.
  if (Object.getOwnPropertySymbols(props).length > 0) return assignOthers(instance, props, reserved);
  return Object.assign(instance, props);
}

function assignOthers<Instance extends object>(
  instance: Instance,
  props: object,
  reserved: ReadonlySet<string>,
): Instance {
  for (const [name, value] of Object.entries(props))
    if (!reserved.has(name)) (instance as WritableFields)[name] = value;
  return instance;
}

/** The names that data may not take on instances with this prototype. Kept: classes do not change once in use. */
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

/** An instance that fields can be set on: itself, or where its class has frozen it, a copy. */
export function settable<Instance extends object>(instance: Instance): Instance {
  if (Object.isExtensible(instance)) return instance;
  const copy = Object.create(Object.getPrototypeOf(instance) as object) as Instance;
  for (const [field, member] of Object.entries(Object.getOwnPropertyDescriptors(instance)))
    Object.defineProperty(copy, field, { ...member, ...('value' in member && { writable: true }), configurable: true });
  return copy;
}

/** Sets a field that the schema of an entity names. */
export function setField(instance: object, field: string, value: unknown, entity: string): void {
  try {
    (instance as WritableFields)[field] = value;
  } catch (cause) {
    throw new DataError(
      'field-readonly',
      `The schema of ${entity} has ${field}, which its class does not let be set. Give the getter another name, or do ` +
        'not freeze the field.',
      { entity, path: field, cause },
    );
  }
}
