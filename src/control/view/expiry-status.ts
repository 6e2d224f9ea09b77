/** How far an answer can be relied on. The numbers are those that applications compare with. */
export const ExpiryStatus: {
  /** Has to be fetched, whatever there is. */
  readonly Invalid: 1;
  /** Good for as long as it is fresh. */
  readonly InvalidIfStale: 2;
  /** Can be shown, even while it is stale. */
  readonly Valid: 3;
} = Object.freeze({ Invalid: 1, InvalidIfStale: 2, Valid: 3 });
export type ExpiryStatus = (typeof ExpiryStatus)[keyof typeof ExpiryStatus];
