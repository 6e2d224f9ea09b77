/** How many stores can exchange commits. An issue is a counter and, as its fraction, the origin: two numbers that compare as one. */
const MOST_ORIGINS = 2 ** 20;
/** The last counter that leaves room for an origin in a number. */
const LATEST = 2 ** 32;

/** An issue as it is written down: the counter, and the store that it comes from. */
export type IssuePlace = readonly [counter: number, origin: number];

export function placeOf(issue: number): IssuePlace {
  const counter = Math.floor(issue);
  return [counter, (issue - counter) * MOST_ORIGINS];
}

export function issueAt([counter, origin]: IssuePlace): number {
  return counter + origin / MOST_ORIGINS;
}

/** Whether it is a place that `placeOf` can have made. */
export function isPlace(value: unknown): value is IssuePlace {
  return Array.isArray(value) && value.length === 2 && isBelow(value[0], LATEST) && isBelow(value[1], MOST_ORIGINS);
}

/** Whether it tells a store from others. */
export function isOrigin(origin: unknown): origin is number {
  return isBelow(origin, MOST_ORIGINS) && origin !== 0;
}

function isBelow(value: unknown, end: number): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < end;
}
