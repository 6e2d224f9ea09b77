import type { Kinds } from './polymorphic.ts';

/**
 * Returns the name of the table for lists or maps of these schemas: `[Post]`, `{Post}`, or `[post=Post;event=Event]` for members of several
 * kinds. The kinds count, because the stored form of a member has the name of its kind. `undefined` if a schema has no key.
 * Fixed format: disks have such names.
 */
export function listTable(kinds: Kinds, isMap: boolean): string | undefined {
  const parts: string[] = [];
  for (const [kind, member] of kinds.entries()) {
    const { key } = Object(member) as { readonly key?: unknown };
    if (typeof key !== 'string') return undefined;
    parts.push(kind === undefined ? escaped(key) : `${escaped(kind)}=${escaped(key)}`);
  }
  return isMap ? `{${parts.join(';')}}` : `[${parts.join(';')}]`;
}

/** Returns whether a table has lists or maps. */
export function hasLists(name: string): boolean {
  return ['[]', '{}'].includes(`${name[0]}${name.at(-1)}`);
}

/** Returns whether a table has lists or maps of records of another table. */
export function isListsOf(name: string, member: string): boolean {
  if (!hasLists(name)) return false;
  const parts = name.slice(1, -1).split(';');
  return parts.some((part) => part.slice(part.indexOf('=') + 1) === escaped(member));
}

function escaped(name: string): string {
  return name.replace(/[%;=]/g, encodeURIComponent);
}
