import type { MemberChange } from './collection-change.ts';
import type { Collection } from './collection.ts';
import { isObject } from './fields.ts';

// These functions do not import the classes, so an application without collections does not load the rules of lists.

export function isCollection(schema: unknown): schema is Collection {
  return isObject(schema) && 'pagesWith' in schema;
}

/** Returns whether a schema adds members to collections, or removes them. */
export function isMemberChange(schema: unknown): schema is MemberChange {
  return isObject(schema) && 'changesMembers' in schema;
}
