// @ts-check
/** An error whose message explains it completely, so that it is printed without a stack. */
export class SentenceError extends Error {
  name = 'SentenceError';
}
