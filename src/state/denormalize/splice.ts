/** One stretch of a list that another took the place of. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly added: number;
}

type List = readonly unknown[];

/** The one stretch in which two lists differ; `undefined` when they are the same. */
export function differenceOf(old: List, now: List): Splice | undefined {
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
  if (at + removed === list.length && removed === 0) return list.concat(items);
  const copy = list.slice();
  replaceStretch(copy, { at, removed, added: items.length }, items);
  return copy;
}
