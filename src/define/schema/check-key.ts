import { DataError } from '../../std/data-error.ts';
import type { EntityInterface } from './entity.ts';

/** Returns whether the key of a class would be another one if the class had another name. */
export function isNamedAfterClass(entity: EntityInterface): boolean {
  const renamed: unknown = Object.create(entity, { name: { value: '?' } });
  return (renamed as EntityInterface).key === '?';
}

/**
 * Throws if two classes with one table are both named after themselves, for production builds: a minifier has given them the same name. In
 * development it is one class whose module was loaded again, as by Fast Refresh.
 */
export function checkMinified(entity: EntityInterface, first: EntityInterface): void {
  if (!isNamedAfterClass(entity) || !isNamedAfterClass(first)) return;
  const { key } = entity;
  throw new DataError('key-minified', `Two classes with the name ${key} have no static key.`, { entity: key });
}
