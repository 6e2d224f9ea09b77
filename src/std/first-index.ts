/** Returns the index of the first item, between two indexes, for which `isAfter` is true. It must be true for all later items too. If it is true for none, returns `to`. */
export function firstIndex<Item>(
  list: readonly Item[],
  isAfter: (item: Item) => boolean,
  from: number = 0,
  to: number = list.length,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(list[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
