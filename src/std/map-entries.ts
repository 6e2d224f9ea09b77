import { equalPlain, setOwn } from './plain.ts';

type Entries = Readonly<Record<string, unknown>>;

/** For a changed copy of a map: the map, and the names of the entries that differ. With them, the two maps need not be compared. */
const copies = new WeakMap<object, { readonly from: object; readonly names: readonly string[] }>();

/** Returns the names of the entries that differ between two maps. `undefined` if the maps would have to be compared. */
export function changedNames(old: object, now: object): readonly string[] | undefined {
  const copy = copies.get(now);
  if (copy?.from !== old) return undefined;
  // The names are needed once. If the entry stayed, it would keep the old map in memory as long as the new one.
  copies.delete(now);
  return copy.names;
}

/** Returns whether a map is known to differ from the map that it was copied from. */
export function isChangedCopy(old: object, now: object): boolean {
  return copies.get(now)?.from === old;
}

/** Returns a copy of the map with these entries set, and without others; the map itself if that changes nothing. */
export function withEntries(
  map: object,
  entries: readonly (readonly [name: string, value: unknown])[],
  gone: readonly string[] = [],
): object {
  const isNew = ([name, value]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(map, name) || !equalPlain((map as Entries)[name], value);
  const changed = entries.filter(isNew);
  const left = gone.filter((name) => Object.hasOwn(map, name));
  if (changed.length + left.length === 0) return map;
  const copy = copyWithout(map, left);
  for (const [name, value] of changed) setOwn(copy, name, value);
  return noteCopy(map, copy, [...changed.map(([name]) => name), ...left]);
}

/** Returns a copy of the map without the entries for which `isGone` is true; the map itself if there are none. */
export function withoutEntries(map: object, isGone: (value: unknown, name: string) => boolean): object {
  const names = Object.keys(map).filter((name) => isGone((map as Entries)[name], name));
  if (names.length === 0) return map;
  return noteCopy(map, copyWithout(map, names), names);
}

/** Copies entry by entry: engines take several times as long to spread a large map, or to copy one from which entries were deleted. */
export function copyWithout(map: object, names: readonly string[]): Record<string, unknown> {
  const gone = new Set(names);
  const copy = {};
  for (const name of Object.keys(map)) if (!gone.has(name)) setOwn(copy, name, (map as Entries)[name]);
  return copy;
}

function noteCopy(from: object, now: object, names: readonly string[]): object {
  copies.delete(from);
  copies.set(now, { from, names });
  return now;
}
