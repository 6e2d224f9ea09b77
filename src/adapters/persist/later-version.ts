/**
 * Returns whether a version of an application is later than another one: 10 than 9, '1.10' than '1.9', and any number than ''. Returns false if one of
 * them has anything but numbers and dots.
 */
export function isLaterVersion(one: string, other: string): boolean {
  const [mine, theirs] = [numbersOf(one), numbersOf(other)];
  if (![...mine, ...theirs].every(Number.isFinite)) return false;
  const at = mine.findIndex((number, place) => number !== (theirs[place] ?? 0));
  return at >= 0 && (mine[at] ?? 0) > (theirs[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  return version.split('.').map(Number);
}
