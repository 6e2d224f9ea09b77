import type { Entity } from './entity.ts';

const names = new WeakMap<object, string>();

/** The temporary pk under which the record of an instance was created. */
export function setName(instance: object, temporary: string): void {
  names.set(instance, temporary);
}

/**
 * A key for React: the pk of a record, and for one that was created here, the temporary pk that it had at first. So a row
 * stays mounted, with its focus and its state, when the server names its record.
 */
export function keyOf(record: Pick<Entity, 'pk'>): string {
  return names.get(record) ?? String(record.pk());
}
