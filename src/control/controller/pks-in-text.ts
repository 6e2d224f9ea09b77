/** A temporary pk of any store, as it is and as it is in a URL. */
const TEMPORARY_PK = /temp(:|%3A)\w{21}\1\d+/g;

/** The temporary pks in a text, such as a path. */
export function pksIn(text: string): readonly string[] {
  return text.match(TEMPORARY_PK)?.map((pk) => decodeURIComponent(pk)) ?? [];
}

/** Whether a text is a temporary pk of any store. */
export function isTemporaryPk(text: string): boolean {
  return pksIn(text)[0] === text;
}

/** Returns what `pkOf` returns for a text that is a pk. In a longer text, replaces each temporary pk. */
export function withPks(text: string, pkOf: (pk: string) => unknown): unknown {
  const pk = pkOf(text);
  if (pk !== text) return pk;
  return text.replace(TEMPORARY_PK, (found) => {
    const temporary = decodeURIComponent(found);
    const known = String(pkOf(temporary));
    return temporary === found ? known : encodeURIComponent(known);
  });
}
