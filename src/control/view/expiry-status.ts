/** Whether stored data may be shown or has to be fetched. Applications compare with the numbers. */
export const ExpiryStatus: {
  /** It has to be fetched, even if there is data. */
  readonly Invalid: 1;
  /** It can be shown while it is fresh. */
  readonly InvalidIfStale: 2;
  /** It can be shown, even while it is stale. */
  readonly Valid: 3;
} = Object.freeze({ Invalid: 1, InvalidIfStale: 2, Valid: 3 });
export type ExpiryStatus = (typeof ExpiryStatus)[keyof typeof ExpiryStatus];
