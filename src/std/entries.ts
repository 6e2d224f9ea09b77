import { equalPlain, setOwn } from './plain.ts';

type Entries = Readonly<Record<string, unknown>>;

/** How a map was made of another, so that the two need not be compared: that takes as long as making it. */
const origins = new WeakMap<object, { readonly from: object; readonly names: readonly string[] }>();

/** The names whose entries differ between two maps; `undefined` where only comparing all of them can tell. */
export function changedNames(old: object, now: object): readonly string[] | undefined {
  const origin = origins.get(now);
  if (origin?.from !== old) return undefined;
  // Asked once: the map before is not to live as long as this one.
  origins.delete(now);
  return origin.names;
}

/** Whether a map is known to differ from the one that it was made of. */
export function isMadeOf(old: object, now: object): boolean {
  return origins.get(now)?.from === old;
}

/** A copy of the map with these entries set; the map itself where it has them. */
export function withEntries(map: object, entries: object): object {
  const isNew = ([name, value]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(map, name) || !equalPlain((map as Entries)[name], value);
  const changed = Object.entries(entries).filter(isNew);
  if (changed.length === 0) return map;
  const copy = { ...map };
  for (const [name, value] of changed) setOwn(copy, name, value);
  const names = changed.map(([name]) => name);
  return madeOf(map, copy, names);
}

/** A copy of the map without the entries of which `isGone` is true; the map itself where there are none. */
export function withoutEntries(map: object, isGone: (value: unknown, name: string) => boolean): object {
  const names = Object.keys(map).filter((name) => isGone((map as Entries)[name], name));
  if (names.length === 0) return map;
  const copy: Record<string, unknown> = { ...map };
  for (const name of names) delete copy[name];
  return madeOf(map, copy, names);
}

function madeOf(from: object, now: object, names: readonly string[]): object {
  origins.delete(from);
  origins.set(now, { from, names });
  return now;
}
