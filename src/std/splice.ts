/** One stretch of a list that another took the place of. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly added: number;
}

type List = readonly unknown[];

/** How a list was made of another, so that the two need not be compared: that takes longer than making it. */
const origins = new WeakMap<List, { readonly from: List; readonly splice: Splice }>();

/** The one stretch in which two lists differ; `undefined` when they are the same. */
export function differenceOf(old: List, now: List): Splice | undefined {
  const origin = origins.get(now);
  if (origin?.from === old) {
    // Asked once: the list before is not to live as long as this one.
    origins.delete(now);
    return origin.splice;
  }
  const least = Math.min(old.length, now.length);
  let head = 0;
  while (head < least && old[head] === now[head]) head++;
  if (head === least && old.length === now.length) return undefined;
  let tail = 0;
  const most = least - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return { at: head, removed: old.length - tail - head, added: now.length - tail - head };
}

/** Puts `items` into the place of the stretch, in the list itself; gives what was there. */
export function replaceStretch<T>(list: T[], { at, removed }: Splice, items: readonly T[]): readonly T[] {
  const gone = list.slice(at, at + removed);
  if (items.length <= removed) {
    for (let step = 0; step < items.length; step++) list[at + step] = items[step] as T;
    if (removed > items.length) list.splice(at + items.length, removed - items.length);
    return gone;
  }
  const rest = list.splice(at);
  for (const item of items) list.push(item);
  for (let step = removed; step < rest.length; step++) list.push(rest[step] as T);
  return gone;
}

/** A copy of the list with `items` in the place of the stretch. */
export function withStretch(list: List, { at, removed }: Splice, items: List): unknown[] {
  if (at === list.length) return list.concat(items);
  const copy = list.slice();
  if (items.length === 0) copy.splice(at, removed);
  else replaceStretch(copy, { at, removed, added: items.length }, items);
  return copy;
}

/** As `withStretch`, for a list that takes the place of the one before: `differenceOf` knows how it was made. */
export function spliced(list: List, at: number, removed: number, items: List): List {
  const splice = { at, removed, added: items.length };
  const now = withStretch(list, splice, items);
  origins.delete(list);
  origins.set(now, { from: list, splice });
  return now;
}

/** The list without `item`; `undefined` unless it holds it once. */
export function withoutOnly(list: List, item: unknown): List | undefined {
  const at = list.indexOf(item);
  return at < 0 || list.includes(item, at + 1) ? undefined : spliced(list, at, 1, []);
}
