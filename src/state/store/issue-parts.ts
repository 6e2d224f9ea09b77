/** How many stores can exchange commits. The fraction of an issue is the origin, so that issues of all stores compare as numbers. */
const MAX_ORIGINS = 2 ** 20;
/** Counters must be below this limit, so that a number can hold counter and origin exactly. */
const MAX_COUNTER = 2 ** 32;

/** The stored form of an issue: the counter, and the origin of the store that handed it out. Fixed format: `Dehydrated` contains it. */
export type IssueParts = readonly [counter: number, origin: number];

export function partsOfIssue(issue: number): IssueParts {
  const counter = Math.floor(issue);
  return [counter, (issue - counter) * MAX_ORIGINS];
}

export function issueOfParts([counter, origin]: IssueParts): number {
  return counter + origin / MAX_ORIGINS;
}

/** Returns whether a value has the form that `partsOfIssue` returns. */
export function areIssueParts(value: unknown): value is IssueParts {
  return Array.isArray(value) && value.length === 2 && isBelow(value[0], MAX_COUNTER) && isBelow(value[1], MAX_ORIGINS);
}

/** Returns whether a value is a valid origin of a store. */
export function isOrigin(origin: unknown): origin is number {
  return isBelow(origin, MAX_ORIGINS) && origin !== 0;
}

function isBelow(value: unknown, end: number): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < end;
}
