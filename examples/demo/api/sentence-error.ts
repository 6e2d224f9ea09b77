/** An error whose message is all that a person needs: it is printed without a stack. */
export class SentenceError extends Error {
  override readonly name = 'SentenceError';
}
