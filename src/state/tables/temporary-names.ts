/** The start of every temporary pk. Fixed format, as the rest of a temporary pk: outboxes on disks have them. */
export const TEMPORARY = 'temp:';

/** Returns the pk of the server for a temporary one that is an alias, and any other pk as it is. */
export type PkOf = (temporary: string) => string;

/** Returns whether the name of a value has a temporary pk. */
export function isTemporary(name: string): boolean {
  return name.includes(TEMPORARY);
}

/** Returns the name of a value with pks of the server in place of temporary ones. */
export function withServerPk(name: string, serverPk: PkOf): string {
  const [start = '', ...parts] = name.split(TEMPORARY);
  return start + parts.map((part) => withStartReplaced(part, serverPk)).join('');
}

/** `part` is what follows `TEMPORARY`: a session, a colon, a number, and the rest of the name. */
function withStartReplaced(part: string, serverPk: PkOf): string {
  let end = part.indexOf(':') + 1;
  while (end < part.length && '0123456789'.includes(part.charAt(end))) end++;
  return serverPk(TEMPORARY + part.slice(0, end)) + part.slice(end);
}
