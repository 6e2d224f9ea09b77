/** The start of every temporary pk. */
export const TEMPORARY = 'temp:';

/** A temporary pk inside the name of a value, or of values together. */
const IN_NAME = new RegExp(`${TEMPORARY}[\\w-]+:\\d+`, 'g');

/** Returns the pk of the server for a temporary one that is an alias, and any other pk as it is. */
export type PkOf = (temporary: string) => string;

/** Returns whether the name of a value has a temporary pk. */
export function isTemporary(name: string): boolean {
  return name.includes(TEMPORARY);
}

/** Returns the name of a value with pks of the server in place of temporary ones. */
export function withServerPk(name: string, serverPk: PkOf): string {
  return isTemporary(name) ? name.replace(IN_NAME, (temporary) => serverPk(temporary)) : name;
}

/** Returns a test whether a name is among others, with pks of the server in place of temporary ones. */
export function isAmong(names: readonly string[], serverPk: PkOf): (name: string) => boolean {
  const text = names.join();
  const isSame = (one: string, other: string): boolean => withServerPk(one, serverPk) === withServerPk(other, serverPk);
  return (name) => names.includes(name) || (isTemporary(text + name) && names.some((other) => isSame(other, name)));
}
